// topdown.c - gives each execution a group of counters, in rotation, and adds its counts up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/topdown.h"

// A visit that is longer than so many turns would keep all loops inside it to one group: it is
// given up.
enum { TURNS_MOST = 4 };
// Part of a turn from which a visit may read its whole group: 40 us of 2 ms. Six registers at both
// ends take 0.5 % of that.
enum { WHOLE_SHARE = 50 };
// So many visits of a loop do: it may have no more of them. Later ones read parts, as short ones
// do.
enum { WHOLE_VISITS = 16 };
enum { COARSE_MOST = 8 };

uint32_t rrt_topdown_take(struct rrt_topdown *topdown) {
  uint32_t rest = ~topdown->taken & ((UINT32_C(1) << RRT_OPEN_MAX) - 1);
  if (!topdown->group_count || !rest)
    return 0;
  uint32_t i = (uint32_t)__builtin_ctz(rest);
  topdown->taken |= UINT32_C(1) << i;
  return i + 1;
}

void rrt_topdown_give(struct rrt_topdown *topdown, uint32_t place) {
  if (place)
    topdown->taken &= ~(UINT32_C(1) << (place - 1));
}

// 0 to below - 1. Of the value that the last call made: nobody waits for the next one.
static inline uint32_t random_below(struct rrt_topdown *topdown, uint32_t below) {
  uint64_t x = topdown->random; // xorshift64
  uint32_t out = (uint32_t)((x >> 32) * below >> 32);
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  topdown->random = x;
  return out;
}

// Long visits don't feel the whole group. A loop's first one may be its only one.
static inline int shall_read_whole(uint64_t visits, uint64_t duration_ticks) {
  return !visits ||
         (visits < WHOLE_VISITS && duration_ticks >= rrt_probe.topdown_turn_ticks / WHOLE_SHARE);
}

static inline uint32_t choose_part(struct rrt_topdown *topdown, const struct rrt_pmu_group *group,
                                   uint64_t visits, uint64_t duration_ticks) {
  uint32_t parts = rrt_pmu_parts(group->count, topdown->registers);
  if (topdown->forced)
    return topdown->forced - 1;
  if (parts == 1 || shall_read_whole(visits, duration_ticks))
    return 0;
  return 1 + random_below(topdown, parts);
}

void rrt_topdown_begin(struct rrt_topdown *topdown, uint32_t place, uint64_t visits,
                       uint64_t duration_ticks) {
  struct rrt_topdown_visit *visit = &topdown->visits[place - 1];
  if (!topdown->group_count)
    return;
  // Before the reading: a signal handler may change the group behind it.
  visit->turn = topdown->turn;
  visit->group = topdown->group;
  const struct rrt_pmu_group *group = &topdown->groups[visit->group];
  uint32_t number = choose_part(topdown, group, visits, duration_ticks);
  struct rrt_pmu_part part = rrt_pmu_part(group->count, topdown->registers, number);
  visit->number = number;
  visit->part = part;
  rrt_pmu_read(group, part, 0, &visit->begin);
}

void rrt_topdown_end(struct rrt_topdown *topdown, uint32_t place, uint32_t index) {
  struct rrt_pmu_reading end;
  const struct rrt_topdown_visit *visit = &topdown->visits[place - 1];
  if (!topdown->group_count)
    return;
  const struct rrt_pmu_group *group = &topdown->groups[visit->group];
  struct rrt_pmu_part part = visit->part;
  rrt_pmu_read(group, part, 1, &end);
  uint32_t head = topdown->ring_head;
  if (head - __atomic_load_n(&topdown->ring_tail, __ATOMIC_ACQUIRE) == RRT_TOPDOWN_RING) {
    topdown->lost++;
    return;
  }
  struct rrt_topdown_record *record = &topdown->ring[head % RRT_TOPDOWN_RING];
  record->index = index;
  record->group = (uint8_t)visit->group;
  record->part = (uint8_t)visit->number;
  record->status =
      (uint16_t)(visit->turn != topdown->turn ? RRT_PMU_SWITCHED
                                              : rrt_pmu_judge(group, part, &visit->begin, &end));
  topdown->coarse += record->status == RRT_PMU_COARSE;
  if (record->status == RRT_PMU_READ)
    rrt_pmu_counts(group, part, &visit->begin, &end, record->counts);
  __atomic_store_n(&topdown->ring_head, head + 1, __ATOMIC_RELEASE);
}

int rrt_topdown_is_full(const struct rrt_topdown *topdown) {
  uint32_t tail = __atomic_load_n(&topdown->ring_tail, __ATOMIC_ACQUIRE);
  return topdown->ring_head - tail >= RRT_TOPDOWN_RING / 4 * 3;
}

// Outside of all visits; a long one is given up where other groups wait. PERF_METRICS alone has
// turns too, as its registers begin anew with each: a long visit is given up if short ones need
// that.
int rrt_topdown_is_due(const struct rrt_topdown *topdown, uint64_t now_ticks) {
  int only = topdown->group_count < 2;
  if (!topdown->group_count || (only && !topdown->groups[0].fields) ||
      now_ticks < topdown->due_ticks)
    return 0;
  if ((!only || topdown->coarse >= COARSE_MOST) &&
      now_ticks - topdown->due_ticks >= rrt_probe.topdown_turn_ticks * TURNS_MOST)
    return 1;
  for (uint32_t i = 0; i < RRT_OPEN_MAX; i++) // one that was given up doesn't count
    if (topdown->taken & (UINT32_C(1) << i) && topdown->visits[i].turn == topdown->turn)
      return 0;
  return 1;
}

uint32_t rrt_topdown_choose(struct rrt_topdown *topdown) {
  if (topdown->group_count < 2)
    return 0;
  uint32_t step = 1 + random_below(topdown, topdown->group_count - 1);
  return (topdown->group + step) % topdown->group_count;
}
