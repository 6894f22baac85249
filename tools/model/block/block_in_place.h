// block_in_place.h - cycles of a machine block in the run, beside those it takes by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_IN_PLACE_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_IN_PLACE_H

#include "tools/model/measurement/measurement.h"
#include "tools/program/counted_blocks.h"

/// block       at `position` of the list that `counted` is for
/// samples     on it, and the CPU time they stand for
/// isolated    the same block, measured; null where it wasn't
void block_in_place_read(const struct measurement *m, const struct counted_blocks *counted,
                         size_t position, const struct block *block, uint64_t samples,
                         uint64_t time_ns, const struct measured_block *isolated,
                         struct block_in_place *out);

/// The block of that file and address among those that were measured in isolation; null if none is.
const struct measured_block *block_in_place_isolated(const struct measurement *m,
                                                     const char *module, uint64_t address);

#endif
