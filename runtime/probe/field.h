// field.h - the cold call of the feature `field`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_FIELD_H
#define RETICLE_RUNTIME_PROBE_FIELD_H

#include "include/reticle/abi.h"

/// __reticle_field_enter without the saving of registers.
void rrt_field_enter(const struct reticle_field_site *site);

#endif
