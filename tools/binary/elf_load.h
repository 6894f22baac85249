// elf_load.h - where the code of an ELF file lies in a process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_ELF_LOAD_H
#define RETICLE_TOOLS_BINARY_ELF_LOAD_H

#include "tools/binary/elf_file.h"

/// Looks the file up in a process's memory map. What is to be added to a link-time address comes in
/// *bias (0 for an executable at a fixed address). False where no code of the file is mapped.
bool elf_load_bias(const struct elf_file *file, const char *path, int pid, uint64_t *bias);

#endif
