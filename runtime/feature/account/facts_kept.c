// facts_kept.c - which executions with facts are kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Priority sampling (Duffield, Lund, Thorup 2007): an execution of size w gets the priority w / u,
// u uniform in (0, 1]; those with the highest stay. With t the highest priority that is gone, one
// that stays stands for max(w, t) / w: sums over them are right on average, however they are
// summed. The size is how much longer it took than the shortest so far, so slow ones stay whatever
// comes. The slowest few are kept beside.
#include "runtime/feature/account/facts.h"

#include "runtime/support/arena.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

enum { KEPT = 86, SLOWEST = 5, SHORT_PART = 64, SCALE = 1000 };

struct execution {
  uint64_t begin_ticks, duration_ticks, work, size, priority, cpu_ns, runnable_ns;
  uint32_t weight, minor_faults, major_faults, waits, preemptions, thread, flags, reserved;
};

struct rrt_facts_kept {
  uint32_t count, slow_count;
  uint64_t gone; // highest priority of those that aren't kept
  uint64_t shortest_ticks;
  struct execution all[KEPT];     // [count]
  struct execution slow[SLOWEST]; // [slow_count] the slowest, in no order
};
_Static_assert(sizeof(struct rrt_facts_kept) <= 8192, "a block of the arena");

static void keep_slow(struct rrt_facts_kept *k, const struct execution *e) {
  if (k->slow_count < SLOWEST) {
    k->slow[k->slow_count++] = *e;
    return;
  }
  uint32_t least = 0;
  for (uint32_t i = 1; i < SLOWEST; i++)
    if (k->slow[i].duration_ticks < k->slow[least].duration_ticks)
      least = i;
  if (k->slow[least].duration_ticks < e->duration_ticks)
    k->slow[least] = *e;
}

static void keep(struct rrt_facts_kept *k, const struct execution *e) {
  if (k->count < KEPT) {
    k->all[k->count++] = *e;
    return;
  }
  uint32_t least = 0;
  for (uint32_t i = 1; i < KEPT; i++)
    if (k->all[i].priority < k->all[least].priority)
      least = i;
  uint64_t gone = e->priority;
  if (k->all[least].priority < e->priority) {
    gone = k->all[least].priority;
    k->all[least] = *e;
  }
  k->gone = k->gone < gone ? gone : k->gone;
}

static struct rrt_facts_kept *take(struct rrt_facts_kept **kept) {
  struct rrt_facts_kept *k = *kept;
  if (k || !(k = *kept = rrt_arena_take(sizeof *k)))
    return k;
  rrt_zero(k, sizeof *k);
  k->shortest_ticks = UINT64_MAX;
  return k;
}

void rrt_facts_keep_slow(struct rrt_facts_kept **kept, const struct rrt_record *sample,
                         uint64_t begin_ticks, uint64_t duration_ticks, uint32_t thread_number) {
  struct rrt_facts_kept *k = take(kept);
  const struct execution e = {.begin_ticks = begin_ticks,
                              .duration_ticks = duration_ticks,
                              .work = sample->work,
                              .cpu_ns = UINT64_MAX,
                              .runnable_ns = UINT64_MAX,
                              .thread = thread_number,
                              .flags = sample->flags};
  if (k)
    keep_slow(k, &e);
}

void rrt_facts_keep(struct rrt_facts_kept **kept, const struct rrt_record *facts,
                    const struct rrt_record *sample, uint64_t begin_ticks, uint64_t duration_ticks,
                    uint32_t thread_number, uint64_t random) {
  struct rrt_facts_kept *k = take(kept);
  if (!k)
    return;
  if (duration_ticks < k->shortest_ticks)
    k->shortest_ticks = duration_ticks;
  uint64_t least = duration_ticks / SHORT_PART + 1, longer = duration_ticks - k->shortest_ticks;
  struct execution e = {.begin_ticks = begin_ticks,
                        .duration_ticks = duration_ticks,
                        .work = sample->work,
                        .size = rrt_multiply(longer < least ? least : longer, sample->weight),
                        .cpu_ns = facts->duration_ticks,
                        .runnable_ns = facts->work,
                        .weight = sample->weight,
                        .minor_faults = facts->when,
                        .major_faults = facts->weight,
                        .waits = facts->covered >> 16,
                        .preemptions = facts->covered & UINT16_MAX,
                        .thread = thread_number,
                        .flags = sample->flags};
  e.priority = rrt_scale(e.size, UINT64_C(1) << 32, (random & UINT32_MAX) + 1);
  keep_slow(k, &e);
  keep(k, &e);
}

void rrt_facts_forget(struct rrt_facts_kept **kept) {
  if (*kept)
    rrt_arena_give(*kept, sizeof **kept);
  *kept = NULL;
}

static void tell(const struct execution *e, uint64_t loop, uint64_t stands,
                 const struct rrt_facts_clock *clock,
                 void (*visit)(const struct reticle_file_fact *record)) {
  const uint64_t second_ns = 1000000000;
  uint64_t age = clock->now_ticks > e->begin_ticks ? clock->now_ticks - e->begin_ticks : 0;
  uint64_t age_ns = rrt_scale(age, second_ns, clock->hz);
  uint64_t duration_ns = rrt_scale(e->duration_ticks, second_ns, clock->hz);
  uint64_t off_ns = duration_ns > e->cpu_ns ? duration_ns - e->cpu_ns : 0;
  // It was read since some time before the begin.
  uint64_t runnable_ns = e->runnable_ns;
  if (runnable_ns != UINT64_MAX && runnable_ns > off_ns)
    runnable_ns = off_ns;
  struct reticle_file_fact record = {.loop = loop,
                                     .at_ns = clock->now_ns > age_ns ? clock->now_ns - age_ns : 0,
                                     .duration_ns = duration_ns,
                                     .work = e->work,
                                     .stands = stands,
                                     .cpu_ns = e->cpu_ns,
                                     .runnable_ns = runnable_ns,
                                     .minor_faults = e->minor_faults,
                                     .major_faults = e->major_faults,
                                     .waits = e->waits,
                                     .preemptions = e->preemptions,
                                     .thread = e->thread,
                                     .when = (uint32_t)(e->begin_ticks >> clock->when_shift),
                                     .flags = e->flags};
  visit(&record);
}

static int is_among(const struct rrt_facts_kept *k, const struct execution *e) {
  for (uint32_t i = 0; i < k->count; i++)
    if (k->all[i].begin_ticks == e->begin_ticks && k->all[i].thread == e->thread &&
        k->all[i].priority == e->priority)
      return 1;
  return 0;
}

void rrt_facts_visit(const struct rrt_facts_kept *k, uint64_t loop,
                     const struct rrt_facts_clock *clock,
                     void (*visit)(const struct reticle_file_fact *record)) {
  if (!k || !clock->hz)
    return;
  for (uint32_t i = 0; i < k->count; i++) {
    const struct execution *e = &k->all[i];
    uint64_t size = e->size < k->gone ? k->gone : e->size;
    tell(e, loop, rrt_scale(size, rrt_multiply(SCALE, e->weight), e->size), clock, visit);
  }
  for (uint32_t i = 0; i < k->slow_count; i++)
    if (!is_among(k, &k->slow[i]))
      tell(&k->slow[i], loop, 0, clock, visit);
}
