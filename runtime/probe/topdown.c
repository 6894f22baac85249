// topdown.c - see topdown.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/topdown.h"

// A visit that is longer than so many turns would keep all loops inside it to one group: it is
// given up.
enum { TURNS_MOST = 4 };

uint32_t rrt_topdown_take(struct rrt_topdown *topdown) {
  if (!topdown->group_count)
    return 0;
  for (uint32_t i = 0; i < RRT_OPEN_MAX; i++)
    if (!(topdown->taken & (UINT32_C(1) << i))) {
      topdown->taken |= UINT32_C(1) << i;
      return i + 1;
    }
  return 0;
}

void rrt_topdown_give(struct rrt_topdown *topdown, uint32_t place) {
  if (place)
    topdown->taken &= ~(UINT32_C(1) << (place - 1));
}

void rrt_topdown_begin(struct rrt_topdown *topdown, uint32_t place) {
  struct rrt_topdown_visit *visit = &topdown->visits[place - 1];
  if (!topdown->group_count)
    return;
  // Before the reading: a signal handler may change the group behind it.
  visit->turn = topdown->turn;
  visit->group = topdown->group;
  rrt_pmu_read(&topdown->groups[visit->group], 0, &visit->begin);
}

void rrt_topdown_end(struct rrt_topdown *topdown, uint32_t place, uint32_t index) {
  struct rrt_pmu_reading end;
  const struct rrt_topdown_visit *visit = &topdown->visits[place - 1];
  if (!topdown->group_count)
    return;
  const struct rrt_pmu_group *group = &topdown->groups[visit->group];
  rrt_pmu_read(group, 1, &end);
  uint32_t head = topdown->ring_head;
  if (head - __atomic_load_n(&topdown->ring_tail, __ATOMIC_ACQUIRE) == RRT_TOPDOWN_RING) {
    topdown->lost++;
    return;
  }
  struct rrt_topdown_record *record = &topdown->ring[head % RRT_TOPDOWN_RING];
  record->index = index;
  record->group = (uint16_t)visit->group;
  record->status =
      (uint16_t)(visit->turn != topdown->turn ? RRT_PMU_SWITCHED
                                              : rrt_pmu_judge(group, &visit->begin, &end));
  for (uint32_t i = 0; i < group->count; i++)
    record->counts[i] = end.counts[i] - visit->begin.counts[i];
  __atomic_store_n(&topdown->ring_head, head + 1, __ATOMIC_RELEASE);
}

int rrt_topdown_is_full(const struct rrt_topdown *topdown) {
  uint32_t tail = __atomic_load_n(&topdown->ring_tail, __ATOMIC_ACQUIRE);
  return topdown->ring_head - tail >= RRT_TOPDOWN_RING / 4 * 3;
}

int rrt_topdown_is_due(const struct rrt_topdown *topdown, uint64_t now_ticks) {
  if (topdown->group_count < 2 || now_ticks < topdown->due_ticks)
    return 0;
  if (now_ticks - topdown->due_ticks >= rrt_probe.topdown_turn_ticks * TURNS_MOST)
    return 1;
  for (uint32_t i = 0; i < RRT_OPEN_MAX; i++) // one that was given up doesn't count
    if (topdown->taken & (UINT32_C(1) << i) && topdown->visits[i].turn == topdown->turn)
      return 0;
  return 1;
}

uint32_t rrt_topdown_choose(struct rrt_topdown *topdown) {
  uint64_t x = topdown->random; // xorshift64
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  topdown->random = x;
  uint32_t step = 1 + (uint32_t)((x >> 32) * (topdown->group_count - 1) >> 32);
  return (topdown->group + step) % topdown->group_count;
}
