// debug_file.h - the file that a stripped file's symbols and debug information were put into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_DEBUG_FILE_H
#define RETICLE_TOOLS_BINARY_DEBUG_FILE_H

#include "tools/binary/elf_file.h"

/// Opens it, by build id in /usr/lib/debug, else by the name in .gnu_debuglink: beside the file, in
/// .debug below, or in /usr/lib/debug. One that belongs to another build isn't taken. Null if there
/// is none; servers aren't asked.
///
/// path  of the file
struct elf_file *debug_file_open(const struct elf_file *file, const char *path);

#endif
