// loop_card.h - everything that is known about one loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_LOOP_LOOP_CARD_H
#define RETICLE_TOOLS_RENDER_TEXT_LOOP_LOOP_CARD_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the card: place, verdict, time, percentiles, distribution, work, threads, losses, source.
void loop_card_add(const struct measurement *measurement, const struct measured_loop *loop,
                   const struct terminal *terminal, struct text *out);

#endif
