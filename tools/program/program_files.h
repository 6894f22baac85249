// program_files.h - the files that a profile's code is in, each opened once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_PROGRAM_FILES_H
#define RETICLE_TOOLS_PROGRAM_PROGRAM_FILES_H

#include "tools/binary/block/block_map.h"
#include "tools/binary/block/instrumentation.h"
#include "tools/binary/code/code_places.h"

/// Start with program_files_new, end with program_files_free: all that was opened goes then.
struct program_files;

/// Where a file can be read, if it is kept elsewhere; null: where its path says.
///
/// build_id  of the one that is meant; null: of the build that was timed
typedef const char *program_files_kept(void *context, const char *path, const char *build_id);

/// kept  null: no file is kept elsewhere
struct program_files *program_files_new(program_files_kept *kept, void *context);
void program_files_free(struct program_files *files);

/// The machine blocks of a file; null where it can't be read, and *error, if not null, says why.
///
/// build_id  of the one that is meant; null: of the build that was timed
struct block_map *program_files_blocks(struct program_files *files, const char *path,
                                       const char *build_id, struct block_map_error *error);

/// The names of its addresses; null where it can't be read.
///
/// build_id  as above
/// status    out: ELF_FILE_OK, or why not
struct code_places *program_files_places(struct program_files *files, const char *path,
                                         const char *build_id, enum elf_file_status *status);

/// What tells instrumentation in its code; null where it can't be read.
const struct instrumentation *program_files_instrumentation(struct program_files *files,
                                                            const char *path);

/// Where the file can be read.
const char *program_files_path(struct program_files *files, const char *path);

#endif
