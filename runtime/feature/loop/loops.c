// loops.c - the feature `loop`: from the threads' rings to the store, and into the profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/loop/calibrate.h"
#include "runtime/feature/loop/known.h"
#include "runtime/feature/loop/store.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/known.h"
#include "runtime/probe/loop.h"
#include "runtime/session/drain.h"
#include "runtime/session/threads.h"
#include "runtime/support/chunk.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// AHEAD: records whose loops' memory is fetched ahead of their turn. Losses are counted in 16 bits,
// so they hasten the next drain as records do.
enum { AHEAD = 3, LOSSES_A_RECORD = 16 };
// From this thread on a pool may be starting.
enum { POOL_FIRST = 4 };

static struct {
  uint64_t losses_max; // since the last news
} process RRT_PER_PROCESS;
static struct {
  uint64_t *live_executions; // [live_capacity], of threads that still run
  uint32_t live_capacity;
} state;

/// Of raw samples in continuous use: half of the 4 MB that the runtime keeps within then.
enum { EPOCH_POOL_BYTES = 2 << 20 };

static int open(void) {
  int is_large = rrt_options.epoch && rrt_options.pool > EPOCH_POOL_BYTES;
  return rrt_store_open(is_large ? EPOCH_POOL_BYTES : rrt_options.pool);
}

// --- rings ---------------------------------------------------------------------------------------

static void drain(struct rrt_thread *t) {
  uint32_t head = __atomic_load_n(&t->ring_head, __ATOMIC_ACQUIRE);
  uint32_t tail = t->ring_tail;
  rrt_store.start_ticks = rrt_probe.start_ticks;
  rrt_store.now_ticks = rrt_timer_between(rrt_probe.start_ticks, rrt_timer_glance());
  for (; tail != head; tail++) {
    if (head - tail > AHEAD)
      rrt_store_prefetch(rrt_ring_at(t, tail + AHEAD));
    rrt_store_add(rrt_ring_at(t, tail), t->number);
  }
  __atomic_store_n(&t->ring_tail, tail, __ATOMIC_RELEASE);
}

// Losses counted by the hot zone in 16 bits. What is added between load and store is lost from the
// count (not from the data): at most one a drain.
static void drain_losses(struct rrt_loop_state *s, struct reticle_file_loop *f) {
  uint32_t losses = s->lost > s->abandoned ? s->lost : s->abandoned;
  if (losses < s->migrated)
    losses = s->migrated;
  if (process.losses_max < losses)
    process.losses_max = losses;
  f->lost += s->lost;
  f->abandoned += s->abandoned;
  f->migrated += s->migrated;
  s->lost = s->abandoned = s->migrated = 0;
}

static void look(struct rrt_thread *t) {
  if (!__atomic_exchange_n(&t->has_losses, 0, __ATOMIC_RELAXED))
    return;
  uint32_t count = __atomic_load_n(&t->entered_count, __ATOMIC_ACQUIRE);
  for (struct rrt_loop_state *s = t->loops; s < t->loops + count; s++)
    if (s->index < rrt_store.count)
      drain_losses(s, &rrt_store.loops[s->index].record);
}

static void fold(struct rrt_thread *t) {
  for (struct rrt_loop_state *s = t->loops; s < t->loops + t->entered_count; s++) {
    if (s->index < rrt_store.count) {
      rrt_store.loops[s->index].record.executions += s->base; // final since rrt_threads_leave
      drain_losses(s, &rrt_store.loops[s->index].record);
    }
    t->slots[s->index] = 0;
    rrt_zero(s, sizeof *s);
  }
}

static uint64_t news(void) {
  uint64_t most = process.losses_max / LOSSES_A_RECORD;
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint32_t head = __atomic_load_n(&t->ring_head, __ATOMIC_ACQUIRE);
    uint32_t records = head - t->seen_head;
    t->seen_head = head;
    if (most < records)
      most = records;
  }
  process.losses_max = 0;
  return most;
}

static uint64_t count(void) { return __atomic_load_n(&rrt_store.samples, __ATOMIC_RELAXED); }
static int moves(void) { return rrt_options.loop != 0; }

// --- checkpoints ---------------------------------------------------------------------------------

static void read(struct rrt_checkpoint *c) { c->env.when_shift = rrt_store.when_shift; }
static void health(struct reticle_file_health *h) { h->shrunk_reservoirs = rrt_store.shrunk; }
static uint64_t bytes(void) { return rrt_store.memory_bytes; }

// Room for a number a loop, zeroed.
static int clear_live(void) {
  if (state.live_capacity < rrt_store.count) {
    if (state.live_executions)
      rrt_sys_unmap(state.live_executions, state.live_capacity * sizeof *state.live_executions);
    state.live_capacity = rrt_store.capacity;
    state.live_executions = rrt_sys_map(state.live_capacity * sizeof *state.live_executions);
    if (!state.live_executions) {
      state.live_capacity = 0;
      return -ENOMEM;
    }
  }
  rrt_zero(state.live_executions, rrt_store.count * sizeof *state.live_executions);
  return 0;
}

static void add_live(const struct rrt_thread *t) {
  uint32_t count = rrt_store.count < t->capacity ? rrt_store.count : t->capacity;
  if (__atomic_load_n(&t->known, __ATOMIC_ACQUIRE)) {
    for (uint32_t i = 1; i < count; i++)
      state.live_executions[i] += rrt_known_executions(t, i);
    return;
  }
  uint32_t entered = __atomic_load_n(&t->entered_count, __ATOMIC_ACQUIRE);
  for (const struct rrt_loop_state *s = t->loops; s < t->loops + entered; s++)
    if (s->index < count)
      state.live_executions[s->index] += rrt_loop_executions(s);
}

// Of threads that run, and of those that have ended and aren't in the store yet.
static int sum_live_executions(void) {
  rrt_threads_hold();
  int r = clear_live();
  for (struct rrt_thread *t = r ? NULL : rrt_threads_first(); t; t = t->next)
    if (__atomic_load_n(&t->life, __ATOMIC_ACQUIRE) != RRT_THREAD_FREE)
      add_live(t);
  for (uint32_t i = 1; !r && i < rrt_store.count; i++)
    if (__atomic_load_n(&rrt_known_ended[i], __ATOMIC_RELAXED))
      rrt_store.loops[i].record.executions +=
          __atomic_exchange_n(&rrt_known_ended[i], 0, __ATOMIC_RELAXED);
  rrt_threads_release();
  return r;
}

static const uint64_t *live_executions(void) {
  return sum_live_executions() < 0 ? NULL : state.live_executions;
}

static int any(void) {
  const uint64_t *live = live_executions();
  for (uint32_t i = 1; live && i < rrt_store.count; i++)
    if (live[i] || rrt_store.loops[i].record.executions)
      return 1;
  return 0;
}

static void beside(uint64_t now_ns) {
  (void)now_ns;
  rrt_loops_allow_first();
  rrt_loops_know(live_executions);
}

// A pool of threads starts at once: before the sideline has woken up each would have entered most
// loops.
static void enter(struct rrt_thread *t) {
  if (t->number < POOL_FIRST || t->number & (t->number - 1) || !rrt_drain_try())
    return;
  rrt_loops_know(live_executions);
  rrt_drain_unlock();
}

static void loops_forked(void) {
  for (uint32_t i = 1; i < rrt_store.count; i++)
    if (rrt_known_ended[i])
      rrt_known_ended[i] = 0;
  rrt_store_reset();
  rrt_loops_begin();
}

static void calibrate(void) {
  rrt_loops_calibrate();
  rrt_loops_begin();
}

static void write_hist(const struct rrt_store_loop *l) {
  for (uint32_t octave = 0; octave < RRT_OCTAVES && l->record.hist_count; octave++) {
    const struct reticle_file_hist *h = rrt_store_octave(l, octave);
    for (uint32_t i = 0; h && i < RRT_OCTAVE_BUCKETS; i++)
      if (h[i].weight)
        rrt_chunk_add_copy(&h[i], sizeof h[i]);
  }
}

// Sums of what was lost go to the health record.
static void write_loops(struct rrt_checkpoint *c) {
  uint64_t hist = 0, raw = 0;
  rrt_chunk_begin("loops", sizeof(struct reticle_file_loop));
  for (uint32_t i = 1; i < rrt_store.count; i++) {
    struct reticle_file_loop f;
    rrt_copy(&f, &rrt_store.loops[i].record, sizeof f);
    f.executions += state.live_executions[i];
    if (c->is_child && !f.executions && !f.hist_count && !f.raw_count)
      continue;
    f.hist_first = hist;
    f.raw_first = raw;
    hist += f.hist_count;
    raw += f.raw_count;
    c->health.lost_samples += f.lost;
    c->health.abandoned_samples += f.abandoned;
    c->health.migrated_samples += f.migrated;
    rrt_chunk_add_copy(&f, sizeof f);
  }
  rrt_chunk_end();
}

static void write_samples(const struct rrt_store_loop *l) {
  uint32_t left = l->record.raw_count;
  for (uint32_t k = 0, n; left; k += n, left -= n) {
    n = left < RRT_CHUNK_SAMPLES ? left : RRT_CHUNK_SAMPLES;
    rrt_chunk_add(rrt_store_raw(l, k), n * sizeof(struct reticle_file_sample));
  }
}

static void write(struct rrt_checkpoint *c) {
  if (sum_live_executions() < 0) {
    rrt_chunks_fail(-ENOMEM);
    return;
  }
  write_loops(c);
  rrt_chunk_begin("hist", sizeof(struct reticle_file_hist));
  for (uint32_t i = 1; i < rrt_store.count; i++)
    write_hist(&rrt_store.loops[i]);
  rrt_chunk_end();
  rrt_chunk_begin("samples", sizeof(struct reticle_file_sample));
  for (uint32_t i = 1; i < rrt_store.count; i++)
    write_samples(&rrt_store.loops[i]);
  rrt_chunk_end();
}

const struct rrt_feature rrt_feature_loop = {.open = open,
                                             .calibrate = calibrate,
                                             .forked = loops_forked,
                                             .enter = enter,
                                             .drain = drain,
                                             .look = look,
                                             .fold = fold,
                                             .beside = beside,
                                             .news = news,
                                             .count = count,
                                             .moves = moves,
                                             .read = read,
                                             .health = health,
                                             .bytes = bytes,
                                             .any = any,
                                             .write = write};
