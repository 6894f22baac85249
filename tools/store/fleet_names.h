// fleet_names.h - names of loops as the arrays that reticle.add_loop_names takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_FLEET_NAMES_H
#define RETICLE_TOOLS_STORE_FLEET_NAMES_H

#include "tools/store/fleet_push.h"

/// Arrays: four of texts, then six of numbers.
#define FLEET_NAME_TEXTS 4
#define FLEET_NAME_NUMBERS 6
#define FLEET_NAME_ARRAYS (FLEET_NAME_TEXTS + FLEET_NAME_NUMBERS)

/// Adds an element to each of the arrays, which lack their closing brace.
///
/// arrays  [FLEET_NAME_ARRAYS]
void fleet_names_add(const struct fleet_loop *loop, struct text *arrays);

#endif
