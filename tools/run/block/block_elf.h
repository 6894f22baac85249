// block_elf.h - the blocks of a function in an ELF file, as jobs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_ELF_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_ELF_H

#include "tools/binary/block/block_map.h"
#include "tools/model/block/block_job.h"
#include "tools/support/problem.h"

/// Appends all blocks of the function, without the jumps at their ends; those that can't be
/// measured become jobs with the reason. Returns false after saying why there is none.
bool block_jobs_read_elf(struct block_jobs *jobs, const char *path, const char *function,
                         struct problems *problems);

/// Appends a block of a function under the name "PREFIXfunction+0x20 file:line"; one that can't be
/// measured becomes a job with the reason.
///
/// module  path of the file that holds it
void block_jobs_add_block(struct block_jobs *jobs, const char *prefix, const char *module,
                          const struct block_function *function, const struct block *block);

#endif
