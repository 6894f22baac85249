// tag.h - RETICLE_TAG: what the program says of the work of its open executions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_TAG_H
#define RETICLE_RUNTIME_PROBE_TAG_H

#include "runtime/probe/thread.h"

/// Adds to the work of all open samples of the thread: their sum in the lower RRT_TAG_BITS of its
/// `tags`, how many there were above. Async-signal-safe.
void rrt_tags_add(uint64_t value);
enum { RRT_TAG_BITS = 48 };
#define RRT_TAG_SUM ((UINT64_C(1) << RRT_TAG_BITS) - 1)

/// The tags inside of an execution become its work: they say more than its trip count. Returns the
/// sample's flags.
uint32_t rrt_tags_take(const struct rrt_thread *t, struct rrt_open *o);

#endif
