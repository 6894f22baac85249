// pmu_fake.h - counters that a file tells, for tests: not in the runtime of programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One statement a line, # begins a comment:
//
//   open ERROR           no counter can be had: ENOENT, EACCES, EPERM, EBUSY or EINVAL
//   counters N           registers of the processor; a group that needs more is never scheduled.
//                        Slots (0x400) and PERF_METRICS need none
//   width N              bits of a register, 8 to 64 (48)
//   registers N          short visits read so many of a group at most, 2 to 12 (12)
//   event CODE N...      the first visit to a loop counts the first N of the event of that raw
//                        code, and so on; the last N holds for all later visits. An event without a
//                        line counts 0. What a visit inside another one counts is both's. Of
//                        PERF_METRICS (codes 0x8000, 0x8100, ... behind 0x400) these are slots
//   start CODE N         what its register says at first (0)
//   empty CODE N         what a visit to a region without code counts (0)
//   visit V WHAT         in visit V, from 1, of those with one group in one thread, between its two
//                        readings:
//     unscheduled          the counters lose their registers for the rest of the visit
//     moved                the thread moves to another processor, other registers, which start at 0
//     interrupted          and while the second reading is under way, the kernel changes the page
//     restless             the kernel changes the page at every try of the second reading
//     shared               the counters lost their registers for a while
//     backwards            the counters lose what they counted
#ifndef RETICLE_RUNTIME_FEATURE_TOPDOWN_PMU_FAKE_H
#define RETICLE_RUNTIME_FEATURE_TOPDOWN_PMU_FAKE_H

#include "runtime/probe/pmu.h"

enum {
  RRT_PMU_FAKE_EVENTS = 48,
  RRT_PMU_FAKE_COUNTS = 16,
  RRT_PMU_FAKE_VISITS = 32,
  RRT_PMU_FAKE_TEXT_BYTES = 16384
};

enum rrt_pmu_fake_what {
  RRT_PMU_FAKE_NOTHING,
  RRT_PMU_FAKE_UNSCHEDULED,
  RRT_PMU_FAKE_MOVED,
  RRT_PMU_FAKE_INTERRUPTED,
  RRT_PMU_FAKE_RESTLESS,
  RRT_PMU_FAKE_SHARED,
  RRT_PMU_FAKE_BACKWARDS
};

/// What a file says.
struct rrt_pmu_fake_script {
  uint32_t error; ///< errno of opening, 0: none
  uint32_t counters;
  uint32_t width;
  uint32_t registers;
  uint32_t event_count, visit_count;
  struct {
    uint64_t code, start, empty;
    uint32_t count_count;
    uint64_t counts[RRT_PMU_FAKE_COUNTS];
  } events[RRT_PMU_FAKE_EVENTS];
  struct {
    uint64_t visit;
    enum rrt_pmu_fake_what what;
  } visits[RRT_PMU_FAKE_VISITS];
};

/// A group of counters for one thread. Its pages are in it, so it stays where it is.
struct rrt_pmu_fake {
  const struct rrt_pmu_fake_script *script;
  uint64_t visits;                       ///< that have ended
  uint32_t count;                        ///< of counters
  uint32_t fields;                       ///< of PERF_METRICS
  uint32_t fixed;                        ///< counters that have a register of their own
  uint32_t event[RRT_PMU_COUNTERS_MOST]; ///< of the script; RRT_PMU_FAKE_EVENTS: none
  uint64_t registers[RRT_PMU_COUNTERS_MOST];
  uint64_t field_slots[RRT_PMU_COUNTERS_MOST]; ///< [fields] since they began at 0
  struct rrt_pmu_page pages[RRT_PMU_COUNTERS_MOST];
  uint32_t changes; ///< of a page that are still to happen while it is read
  int is_empty;     ///< regions without code are visited
};

/// Reads a script. Returns 0, or the number of the line that is wrong; *wrong gets what is wrong
/// with it, static.
///
/// text  ends with a zero byte
uint32_t rrt_pmu_fake_parse(const char *text, struct rrt_pmu_fake_script *script,
                            const char **wrong);

/// Makes a group of the raw codes' counters. Returns 0 or an errno.
///
/// codes   [count]
/// fields  of PERF_METRICS: codes 1 to `fields`, which have one counter
/// fake    holds the group's state; must not move or end before the group does
int rrt_pmu_fake_open(const struct rrt_pmu_fake_script *script, const uint64_t *codes,
                      uint32_t count, uint32_t fields, struct rrt_pmu_fake *fake,
                      struct rrt_pmu_group *group);

/// Has the registers of slots and PERF_METRICS begin at 0.
void rrt_pmu_fake_reset(struct rrt_pmu_fake *fake);

/// From now on, visits are to regions without code; or to loops, and the next one is the first.
void rrt_pmu_fake_set_empty(struct rrt_pmu_fake *fake, int is_empty);

#endif
