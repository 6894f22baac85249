// stops.c - a table of stops in the order of time, thinned out when it is full.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/stops.h"

#include "runtime/support/fork.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

enum { STOPS = 512 };

struct stop {
  uint64_t begin_ticks, ticks;
};

static struct {
  struct stop stops[STOPS]; // [kept], ascending
  uint64_t stopped_ns;      // atomic
} state;
static struct {
  uint32_t kept, count;
} process RRT_PER_PROCESS;

// Two that follow each other become one: an execution between them counts as stopped for both.
static void thin_out(void) {
  for (uint32_t i = 0; i < STOPS / 2; i++)
    state.stops[i] = (struct stop){state.stops[2 * i].begin_ticks,
                                   rrt_add(state.stops[2 * i].ticks, state.stops[2 * i + 1].ticks)};
  process.kept = STOPS / 2;
}

void rrt_stops_add(uint64_t begin_ticks, uint64_t end_ticks, uint64_t raw_ns) {
  if (end_ticks <= begin_ticks)
    return;
  if (process.kept == STOPS)
    thin_out();
  state.stops[process.kept++] = (struct stop){begin_ticks, end_ticks - begin_ticks};
  process.count += process.count < UINT32_MAX;
  __atomic_fetch_add(&state.stopped_ns, raw_ns, __ATOMIC_RELAXED);
}

uint64_t rrt_stops_between(uint64_t begin_ticks, uint64_t end_ticks, uint64_t slack_ticks) {
  uint64_t sum = 0, length = end_ticks > begin_ticks ? end_ticks - begin_ticks : 0;
  for (uint32_t i = process.kept; i-- && state.stops[i].begin_ticks >= begin_ticks;) {
    const struct stop *s = &state.stops[i];
    // A begin that is taken for earlier than it was must not get a stop in front of it.
    int fits = s->ticks - s->ticks / 64 <= length + slack_ticks;
    if (s->begin_ticks <= end_ticks + slack_ticks && fits)
      sum = rrt_add(sum, s->ticks);
  }
  return sum < length ? sum : length;
}

uint32_t rrt_stops_count(void) { return process.count; }

uint64_t rrt_stops_run_ns(void) {
  return rrt_sys_monotonic_raw_ns() - __atomic_load_n(&state.stopped_ns, __ATOMIC_RELAXED);
}
