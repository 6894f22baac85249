// block_capture.h - initial values of blocks, from the program that they belong to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_CAPTURE_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_CAPTURE_H

#include "tools/model/block/block_job.h"
#include "tools/support/problem.h"

/// Runs the command and stops it where it comes to the jobs' blocks for the hit-th time: `measure`
/// is called with the values it has there, which are valid during the call. Jobs from the first-th
/// on that have no problem and a module take part; those that the program did not come to so often
/// are refused with HARNESS_NOT_REACHED.
///
/// Returns false after saying why the command can't be run or traced.
bool block_capture(char *const *command, uint64_t hit, struct block_jobs *jobs, size_t first,
                   void (*measure)(size_t job, const struct harness_state *state, void *context),
                   void *context, struct problems *problems);

#endif
