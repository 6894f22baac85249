// program_files.h - the files that a profile's code is in, each opened once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_PROGRAM_FILES_H
#define RETICLE_TOOLS_PROGRAM_PROGRAM_FILES_H

#include "tools/binary/block_map.h"
#include "tools/binary/code_places.h"

/// Start with program_files_new, end with program_files_free: all that was opened goes then.
struct program_files;

struct program_files *program_files_new(void);
void program_files_free(struct program_files *files);

/// The machine blocks of a file; null where it can't be read, and *error, if not null, says why.
struct block_map *program_files_blocks(struct program_files *files, const char *path,
                                       struct block_map_error *error);

/// The names of its addresses; null where it can't be read.
///
/// status  out: ELF_FILE_OK, or why not
struct code_places *program_files_places(struct program_files *files, const char *path,
                                         enum elf_file_status *status);

#endif
