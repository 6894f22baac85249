// store.c - what is known of each loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/loop/store.h"

#include "runtime/feature/account/facts.h"
#include "runtime/support/arena.h"
#include "runtime/support/stops.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

struct rrt_store rrt_store;

// xorshift64; n > 0. A 64-bit division takes tens of cycles, a product no more than four; it
// prefers some numbers by a part of n / 2^32.
static uint64_t random_below(uint64_t n) {
  rrt_store.random ^= rrt_store.random << 13;
  rrt_store.random ^= rrt_store.random >> 7;
  rrt_store.random ^= rrt_store.random << 17;
  if (n <= UINT32_MAX)
    return (rrt_store.random >> 32) * n >> 32;
  return rrt_store.random % n;
}

int rrt_store_open(uint64_t pool_bytes) {
  struct rrt_store *s = &rrt_store;
  uint64_t chunks = pool_bytes / (RRT_CHUNK_SAMPLES * sizeof(struct reticle_file_sample));
  s->chunk_total = chunks < UINT16_MAX ? (uint32_t)chunks : UINT16_MAX;
  s->pool = rrt_sys_map(s->chunk_total * RRT_CHUNK_SAMPLES * sizeof(struct reticle_file_sample));
  s->capacity = 1024;
  s->loops = rrt_sys_map(s->capacity * sizeof *s->loops);
  if (!s->pool || !s->loops)
    return -1;
  s->count = 1;
  s->when_shift = RRT_WHEN_SHIFT;
  s->random = UINT64_C(0x9e3779b97f4a7c15);
  s->loops[0].record.min_ticks = UINT64_MAX;
  return 0;
}

uint32_t rrt_store_add_loops(uint32_t count) {
  struct rrt_store *s = &rrt_store;
  uint32_t first = s->count, capacity = s->capacity;
  while (capacity - s->count < count)
    capacity *= 2;
  if (capacity != s->capacity) {
    void *grown =
        rrt_sys_grow(s->loops, s->capacity * sizeof *s->loops, capacity * sizeof *s->loops);
    if (!grown)
      return 0;
    s->loops = grown;
    s->capacity = capacity;
  }
  s->count += count;
  s->memory_bytes += count * sizeof *s->loops;
  for (uint32_t i = first; i < s->count; i++)
    s->loops[i].record.min_ticks = UINT64_MAX;
  return first;
}

struct reticle_file_sample *rrt_store_raw(const struct rrt_store_loop *loop, uint32_t i) {
  return &rrt_store.pool[(uint32_t)loop->chunks[i / RRT_CHUNK_SAMPLES] * RRT_CHUNK_SAMPLES +
                         i % RRT_CHUNK_SAMPLES];
}

// --- histogram ---------------------------------------------------------------------------------

struct reticle_file_hist *rrt_store_octave(const struct rrt_store_loop *l, uint32_t octave) {
  return l->octave[octave] ? l->hist + (l->octave[octave] - 1) * RRT_OCTAVE_BUCKETS : NULL;
}

static size_t hist_bytes(uint32_t octaves) {
  return octaves * RRT_OCTAVE_BUCKETS * sizeof(struct reticle_file_hist);
}

static int grow_hist(struct rrt_store_loop *l) {
  uint32_t capacity = l->octave_capacity ? l->octave_capacity * 2u : 2;
  struct reticle_file_hist *hist = rrt_arena_take(hist_bytes(capacity));
  if (!hist)
    return -1;
  if (l->hist) {
    rrt_copy(hist, l->hist, hist_bytes(l->octave_count));
    rrt_arena_give(l->hist, hist_bytes(l->octave_capacity));
  }
  l->hist = hist;
  l->octave_capacity = (uint8_t)capacity;
  return 0;
}

static int add_octave(struct rrt_store_loop *l, uint32_t octave) {
  if (l->octave_count == l->octave_capacity && grow_hist(l) < 0)
    return -1;
  l->octave[octave] = ++l->octave_count;
  struct reticle_file_hist *h = rrt_store_octave(l, octave);
  rrt_zero(h, hist_bytes(1));
  for (uint32_t i = 0; i < RRT_OCTAVE_BUCKETS; i++)
    h[i].bucket = octave * RRT_OCTAVE_BUCKETS + i;
  return 0;
}

static void add_hist(struct rrt_store_loop *l, uint64_t ticks, uint64_t weight) { // weight > 0
  uint32_t bucket = reticle_hist_bucket(ticks), octave = bucket / RRT_OCTAVE_BUCKETS;
  if (!l->octave[octave] && add_octave(l, octave) < 0)
    return;
  struct reticle_file_hist *h = rrt_store_octave(l, octave) + bucket % RRT_OCTAVE_BUCKETS;
  l->record.hist_count += !h->weight;
  h->samples += h->samples < UINT32_MAX; // every execution of a hot loop, in minutes
  h->weight += weight;
}

// --- reservoir ---------------------------------------------------------------------------------

// The coldest loop with more than one chunk to spare, colder than `hot`; null if there is none.
static struct rrt_store_loop *find_victim(const struct rrt_store_loop *hot) {
  struct rrt_store_loop *victim = NULL;
  for (uint32_t i = 0; i < rrt_store.count; i++) {
    struct rrt_store_loop *l = &rrt_store.loops[i];
    if (l == hot || l->chunk_count < 2)
      continue;
    if (!victim || l->record.weighted_ticks < victim->record.weighted_ticks)
      victim = l;
  }
  // A first chunk is due to every loop; more of them only to clearly hotter ones.
  if (victim && hot->chunk_count && victim->record.weighted_ticks >= hot->record.weighted_ticks / 2)
    return NULL;
  return victim;
}

// Takes the last chunk of a reservoir, after moving a random choice of samples out of the way.
static uint16_t shrink(struct rrt_store_loop *l) {
  uint32_t keep = (uint32_t)(l->chunk_count - 1) * RRT_CHUNK_SAMPLES;
  for (uint32_t i = keep; i < l->record.raw_count; i++) {
    uint32_t j = (uint32_t)random_below(i + 1);
    if (j < keep)
      *rrt_store_raw(l, j) = *rrt_store_raw(l, i);
  }
  if (l->record.raw_count > keep)
    l->record.raw_count = keep;
  rrt_store.shrunk++;
  return l->chunks[--l->chunk_count];
}

// One call of the kernel for 16 pages takes a fraction of the time that 16 page faults do.
enum { POPULATE_CHUNKS = 64 };

static void populate(uint32_t chunk) {
  if (chunk < rrt_store.populated)
    return;
  uint32_t left = rrt_store.chunk_total - chunk;
  size_t bytes = (left < POPULATE_CHUNKS ? left : POPULATE_CHUNKS) * RRT_CHUNK_SAMPLES *
                 sizeof(struct reticle_file_sample);
  rrt_sys_populate(&rrt_store.pool[chunk * RRT_CHUNK_SAMPLES], bytes);
  rrt_store.memory_bytes += bytes;
  rrt_store.populated = chunk + POPULATE_CHUNKS;
}

static int add_chunk(struct rrt_store_loop *l) {
  if (l->chunk_count == RRT_RESERVOIR_CHUNKS)
    return -1;
  uint16_t chunk;
  if (rrt_store.chunk_next < rrt_store.chunk_total) {
    chunk = (uint16_t)rrt_store.chunk_next++;
    if (chunk % POPULATE_CHUNKS == 0)
      populate(chunk);
  } else {
    struct rrt_store_loop *victim = find_victim(l);
    if (!victim)
      return -1;
    chunk = shrink(victim);
  }
  l->chunks[l->chunk_count++] = chunk;
  return 0;
}

// Algorithm R (Vitter 1985): each of the samples so far is kept with the same probability. A
// reservoir grows only while it holds all of them.
static struct reticle_file_sample *place(struct rrt_store_loop *l) {
  uint64_t kept = l->record.raw_count, seen = l->record.samples; // this one is counted already
  if (seen == kept + 1 &&
      (kept < (uint64_t)l->chunk_count * RRT_CHUNK_SAMPLES || add_chunk(l) == 0))
    return rrt_store_raw(l, (uint32_t)l->record.raw_count++);
  if (!kept)
    return NULL;
  uint64_t at = random_below(seen);
  return at < kept ? rrt_store_raw(l, (uint32_t)at) : NULL;
}

void rrt_store_prefetch(const struct rrt_record *r) {
  if (r->index >= rrt_store.count)
    return;
  const char *l = (const char *)&rrt_store.loops[r->index];
  for (uint32_t line = 64; line < sizeof(struct rrt_store_loop); line += 64)
    __builtin_prefetch(l + line, 1);
}

// --- when ---------------------------------------------------------------------------------------

// A unit of twice the length, for all that is kept.
static void coarsen(void) {
  struct rrt_store *s = &rrt_store;
  for (uint32_t i = 0; i < s->count; i++)
    for (uint64_t k = 0; k < s->loops[i].record.raw_count; k++)
      rrt_store_raw(&s->loops[i], (uint32_t)k)->when >>= 1;
  for (uint32_t i = 0; i < s->chain_count; i++)
    s->chain[i].when >>= 1;
  s->when_shift++;
}

// A record has the low 32 bits of its begin, which start again at 0 after 30 hours (2.6 GHz). It is
// drained soon after its end, so the rest is the clock's; and where that doesn't fit into 32 bits
// the unit grows.
//
// *ticks: what it lasted without the stops in it.
static uint32_t when_of(const struct rrt_record *r, uint64_t *ticks) {
  uint64_t now = rrt_store.now_ticks >> RRT_WHEN_SHIFT;
  uint64_t lasted = r->duration_ticks >> RRT_WHEN_SHIFT;
  uint32_t end = r->when + (uint32_t)lasted, behind = (uint32_t)now - end;
  if (now < behind || now - behind < lasted) // the clock isn't known
    return r->when;
  uint64_t begin = now - behind - lasted;
  if (rrt_stops_count()) {
    const uint64_t unit = UINT64_C(1) << RRT_WHEN_SHIFT;
    uint64_t begin_ticks = rrt_store.start_ticks + begin * unit;
    *ticks -= rrt_stops_between(begin_ticks, begin_ticks + r->duration_ticks, unit);
  }
  while (begin >> (rrt_store.when_shift - RRT_WHEN_SHIFT) > UINT32_MAX)
    coarsen();
  return (uint32_t)(begin >> (rrt_store.when_shift - RRT_WHEN_SHIFT));
}

static void add_chain(const struct rrt_record *r, uint32_t when, uint64_t ticks,
                      uint32_t thread_number) {
  struct rrt_store *s = &rrt_store;
  uint64_t at = s->chain_count < RRT_CHAINS ? s->chain_count++ : random_below(s->chains_seen + 1);
  s->chains_seen++;
  if (at >= RRT_CHAINS)
    return;
  s->chain[at] = (struct reticle_file_chain){.duration_ticks = ticks,
                                             .adds = (uint32_t)r->work,
                                             .when = when,
                                             .thread = thread_number,
                                             .flags = r->flags};
}

// Those of the record that comes behind them in the ring. 1: it is no sample.
static int add_facts(const struct rrt_record *facts, const struct rrt_record *r,
                     struct rrt_store_loop *l, uint32_t when, uint64_t ticks,
                     uint32_t thread_number) {
  random_below(UINT32_MAX);
  rrt_facts_keep(&l->facts, facts, r, (uint64_t)when << rrt_store.when_shift, ticks, thread_number,
                 rrt_store.random >> 32);
  return (facts->flags & RRT_FACTS_ALONE) != 0;
}

void rrt_store_add(const struct rrt_record *r, uint32_t thread_number) {
  if (r->index == RRT_FACTS_INDEX) {
    rrt_store.facts = *r;
    return;
  }
  struct rrt_record facts = rrt_store.facts;
  rrt_store.facts.index = 0;
  uint64_t ticks = r->duration_ticks;
  uint32_t when = when_of(r, &ticks);
  if (r->index == RRT_CHAIN_INDEX)
    add_chain(r, when, ticks, thread_number);
  if (r->index >= rrt_store.count)
    return;
  struct rrt_store_loop *l = &rrt_store.loops[r->index];
  struct reticle_file_loop *f = &l->record;
  if (facts.index && add_facts(&facts, r, l, when, ticks, thread_number))
    return;
  if (!facts.index && rrt_store.slow_least_ticks && ticks >= rrt_store.slow_least_ticks)
    rrt_facts_keep_slow(&l->facts, r, (uint64_t)when << rrt_store.when_shift, ticks, thread_number);
  f->samples++;
  rrt_store.samples++;
  f->weight += r->covered;
  f->sum_ticks = rrt_add(f->sum_ticks, ticks);
  f->weighted_ticks = rrt_add(f->weighted_ticks, rrt_multiply(ticks, r->weight));
  if (ticks < f->min_ticks)
    f->min_ticks = ticks;
  if (ticks > f->max_ticks)
    f->max_ticks = ticks;
  add_hist(l, ticks, r->weight);
  struct reticle_file_sample *raw = place(l);
  if (!raw)
    return;
  raw->duration_ticks = ticks;
  raw->work = r->work;
  raw->when = when;
  raw->weight = r->weight;
  raw->thread = thread_number;
  raw->flags = r->flags;
}

void rrt_store_reset(void) {
  for (uint32_t i = 0; i < rrt_store.count; i++) {
    struct rrt_store_loop *l = &rrt_store.loops[i];
    struct reticle_file_loop *f = &l->record;
    if (l->hist)
      rrt_arena_give(l->hist, hist_bytes(l->octave_capacity));
    l->hist = NULL;
    l->octave_count = l->octave_capacity = 0;
    rrt_zero(l->octave, sizeof l->octave);
    l->chunk_count = 0;
    rrt_facts_forget(&l->facts);
    f->hist_count = 0;
    f->raw_count = f->executions = f->samples = f->weight = f->sum_ticks = f->weighted_ticks = 0;
    f->max_ticks = f->lost = f->abandoned = f->migrated = 0;
    f->min_ticks = UINT64_MAX;
  }
  rrt_store.chunk_next = 0; // what was populated stays so, and is counted
  rrt_store.shrunk = rrt_store.samples = 0;
  rrt_store.facts.index = 0;
  rrt_store.chain_count = 0;
  rrt_store.chains_seen = 0;
  rrt_store.beside_count = 0;
  rrt_store.when_shift = RRT_WHEN_SHIFT;
}
