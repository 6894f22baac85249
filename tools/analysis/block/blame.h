// blame.h - from where samples lie to the instruction that the processor waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A clock's interrupt is taken when an instruction retires, and its address is that of the next
// one: the time is to be blamed on the instruction before. Inside a block that is the one in front;
// at its start the last one of the block that led there, by how often each did; at a function's
// entry the call, which isn't among the function's own, so that time stays where it lies.
#ifndef RETICLE_TOOLS_ANALYSIS_BLOCK_BLAME_H
#define RETICLE_TOOLS_ANALYSIS_BLOCK_BLAME_H

#include "tools/analysis/stall/stall_cause.h"

/// input    blocks and edges with their executions are read, the instructions' time isn't
/// sampled  [input->instruction_count] time of the samples that lie on each
/// blamed   [input->instruction_count] gets the same sum, on the instruction before
///
/// Edges of unknown executions count as much as their block, where that is known, else all the
/// same; but for those that jump always, where there are others: what such a jump waits for has
/// retired before it, and lies on the jump itself.
void blame_shift(const struct stall_input *input, const double *sampled, double *blamed);

#endif
