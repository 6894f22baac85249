// block_in_place_words.h - cycles of a block in the run as a phrase.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_IN_PLACE_WORDS_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_IN_PLACE_WORDS_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// "8,000 times, 5.02 cycles (4.90 to 5.14), CPI 0.50 (high)", or why not.
void block_in_place_add(const struct block_in_place *place, struct text *out);
/// "1.3 times the 4.01 it takes by itself", or nothing where it wasn't measured.
void block_in_place_add_gap(const struct block_in_place *place,
                            const struct measured_block *isolated, struct text *out);

#endif
