// topdown_table.c - what visits to each loop counted, group by group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/loop/store.h"
#include "runtime/feature/topdown/topdown.h"
#include "runtime/support/arena.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

static struct {
  struct rrt_pmu_totals **tables; // [max_loops + 1][total_count]; null: none of that loop
  uint64_t table_count;
} state;

static size_t table_bytes(void) {
  return rrt_topdown_asked.total_count * sizeof(struct rrt_pmu_totals);
}

static struct rrt_pmu_totals *table_of(uint32_t index) {
  if (index > rrt_options.max_loops)
    return NULL;
  if (!state.tables)
    state.tables = rrt_sys_map((rrt_options.max_loops + 1) * sizeof *state.tables);
  if (state.tables && !state.tables[index]) {
    state.tables[index] = rrt_arena_take(table_bytes());
    if (state.tables[index]) {
      rrt_zero(state.tables[index], table_bytes());
      state.table_count++;
    }
  }
  return state.tables ? state.tables[index] : NULL;
}

static void lose(uint32_t group) {
  __atomic_fetch_add(&rrt_topdown_asked.groups[group].lost, 1, __ATOMIC_RELAXED);
}

static void add(const struct rrt_topdown_record *record) {
  struct rrt_pmu_totals *table = table_of(record->index);
  if (record->group >= rrt_topdown_asked.group_count || record->status >= RRT_PMU_STATUSES)
    return;
  const struct rrt_topdown_group *group = &rrt_topdown_asked.groups[record->group];
  if (!table || record->part >= group->counters) {
    lose(record->group);
    return;
  }
  struct rrt_pmu_totals *totals = &table[group->first_total + record->part];
  uint32_t first, count = 1 + rrt_topdown_part_codes(group, record->part, &first);
  if (record->status != RRT_PMU_READ) {
    totals->dropped[record->status]++;
    return;
  }
  totals->visits++;
  for (uint32_t i = 0; i < count; i++)
    totals->counts[i] += record->counts[i];
}

void rrt_topdown_drain(struct rrt_thread *t) {
  struct rrt_topdown *topdown = t->topdown;
  if (!topdown)
    return;
  uint32_t head = __atomic_load_n(&topdown->ring_head, __ATOMIC_ACQUIRE);
  uint32_t tail = topdown->ring_tail;
  for (; tail != head; tail++)
    add(&topdown->ring[tail % RRT_TOPDOWN_RING]);
  __atomic_store_n(&topdown->ring_tail, tail, __ATOMIC_RELEASE);
  for (uint64_t lost = __atomic_exchange_n(&topdown->lost, 0, __ATOMIC_RELAXED); lost; lost--)
    lose(topdown->group);
}

void rrt_topdown_restart(uint32_t first) {
  for (uint32_t i = first; state.tables && i < rrt_store.count && i <= rrt_options.max_loops; i++)
    if (state.tables[i])
      rrt_zero(state.tables[i], table_bytes());
}

static int is_counted(const struct rrt_pmu_totals *totals) {
  uint64_t any = totals->visits;
  for (uint32_t i = 0; i < RRT_PMU_STATUSES; i++)
    any |= totals->dropped[i];
  return any != 0;
}

static void fill(struct reticle_file_topdown *record, const struct rrt_pmu_totals *totals) {
  uint64_t *const counts[RRT_PMU_COUNTERS_MOST] = {
      &record->count0, &record->count1, &record->count2,  &record->count3,
      &record->count4, &record->count5, &record->count6,  &record->count7,
      &record->count8, &record->count9, &record->count10, &record->count11};
  for (uint32_t i = 0; i < RRT_PMU_COUNTERS_MOST; i++)
    *counts[i] = (int64_t)totals->counts[i] > 0 ? totals->counts[i] : 0; // a step of PERF_METRICS
  record->visits = totals->visits;
  record->not_scheduled = totals->dropped[RRT_PMU_NOT_SCHEDULED];
  record->not_readable = totals->dropped[RRT_PMU_NOT_READABLE];
  record->restless = totals->dropped[RRT_PMU_RESTLESS];
  record->partly = totals->dropped[RRT_PMU_PARTLY];
  record->backwards = totals->dropped[RRT_PMU_BACKWARDS];
  record->switched = totals->dropped[RRT_PMU_SWITCHED];
  record->coarse = totals->dropped[RRT_PMU_COARSE];
}

// The record of a loop and a part of a group; 0 if there is nothing to say.
static int make_record(uint32_t loop, const struct rrt_topdown_group *group, uint32_t part,
                       struct reticle_file_topdown *record) {
  static const struct rrt_pmu_totals none;
  const struct rrt_pmu_totals *totals =
      state.tables && state.tables[loop] ? &state.tables[loop][group->first_total + part] : &none;
  if ((loop || part) && !is_counted(totals))
    return 0;
  rrt_zero(record, sizeof *record);
  fill(record, totals);
  record->loop = loop ? rrt_store.loops[loop].record.id : 0;
  record->tree = rrt_topdown_asked.tree;
  record->events = group->events[part];
  record->flags = rrt_topdown_asked.is_fake ? RETICLE_TOPDOWN_FAKE : 0;
  if (loop || part)
    return 1;
  record->threads_missed = __atomic_load_n(&group->threads_missed, __ATOMIC_RELAXED);
  record->lost = __atomic_load_n(&group->lost, __ATOMIC_RELAXED);
  record->error = __atomic_load_n(&group->error, __ATOMIC_RELAXED);
  return 1;
}

void rrt_topdown_visit(void (*visit)(const struct reticle_file_topdown *record)) {
  const struct rrt_topdown_asked *asked = &rrt_topdown_asked;
  for (uint32_t g = 0; g < asked->group_count; g++)
    for (uint32_t i = 0; i < rrt_store.count && i <= rrt_options.max_loops; i++)
      for (uint32_t part = 0; part < asked->groups[g].counters; part++) {
        struct reticle_file_topdown record;
        if (make_record(i, &asked->groups[g], part, &record))
          visit(&record);
      }
}

uint64_t rrt_topdown_bytes(void) {
  return state.tables ? state.table_count * sizeof(*state.tables)
                      : 0; // what they point to is the arena's
}
