// block_in_place.h - cycles of a machine block in the run, beside those it takes by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_BLOCK_IN_PLACE_H
#define RETICLE_TOOLS_CMD_BLOCK_IN_PLACE_H

#include "tools/analysis/block_cycles.h"
#include "tools/cmd/counted_blocks.h"
#include "tools/cmd/measurement.h"
#include "tools/support/text.h"
#include "tools/ui/json.h"

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

/// "8,000 times, 5.02 cycles (4.90 to 5.14), CPI 0.50 (high)", or why not.
void block_in_place_add(const struct block_in_place *place, struct text *out);
/// "1.3 times the 4.01 it takes by itself", or nothing where it wasn't measured.
void block_in_place_add_gap(const struct block_in_place *place,
                            const struct measured_block *isolated, struct text *out);

/// Puts executions, in_situ, cpi, gap and confidence.
void block_in_place_json(const struct block_in_place *place, struct json *json);

#endif
