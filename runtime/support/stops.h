// stops.h - when the process was stopped: no part of the time that it had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_STOPS_H
#define RETICLE_RUNTIME_SUPPORT_STOPS_H

#include <stdint.h>

/// Shorter ones aren't told from a thread that was woken and went on.
#define RRT_STOP_LEAST_NS UINT64_C(100000)

/// Notes a stop, later ones behind earlier ones. Needs the drain lock, as all below but
/// rrt_stops_run_ns. Times of the timer.
void rrt_stops_add(uint64_t begin_ticks, uint64_t end_ticks, uint64_t raw_ns);

/// Stopped time between two readings of one thread: it was not running at any of them, so each stop
/// is between them or isn't. begin_ticks may be early by slack_ticks.
uint64_t rrt_stops_between(uint64_t begin_ticks, uint64_t end_ticks, uint64_t slack_ticks);

/// Stops since the start, or the fork.
uint32_t rrt_stops_count(void);

/// CLOCK_MONOTONIC_RAW in ns less all stops: what is planned by it isn't overdue behind one.
uint64_t rrt_stops_run_ns(void);

#endif
