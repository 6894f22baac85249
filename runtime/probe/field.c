// field.c - a function with counters of fields is entered in a thread that isn't known yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/field.h"

#include "runtime/probe/thread.h"

// Before the session has started the thread counts in the module's own counters, which are there
// for that; the next function that is entered asks again.
void rrt_field_enter(const struct reticle_field_site *site) {
  if (rrt_probe.enter_fields)
    rrt_probe.enter_fields(site);
}
