// visits.h - windows of time in which threads note the elements that they visit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows are spread over the whole run: when all slots are taken, every other window is forgotten
// and the next ones come half as often. All needs the scan's lock; what the
// session reads is in heap.h.
#ifndef RETICLE_RUNTIME_HEAP_VISITS_H
#define RETICLE_RUNTIME_HEAP_VISITS_H

#include "include/reticle/abi.h"

/// Before the first mark; and whether the first window opens now.
void rrt_visits_open(int opens_window);
/// A burst begins: opens a window, if one is due.
void rrt_visits_tick(void);
/// The same without bursts, where time says when one is due.
void rrt_visits_tick_at(uint64_t now_ns);
/// When that is, as rrt_stops_run_ns counts.
uint64_t rrt_visits_due_ns(void);
/// A burst ends.
void rrt_visits_end(void);
/// 1 while a window is open.
int rrt_visits_is_open(void);

/// Before a module goes: its sites are kept.
void rrt_visits_describe(void);
/// After fork, in the child.
void rrt_visits_forked(void);

#endif
