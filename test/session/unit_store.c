// unit_store.c - what the store keeps of samples: sums, buckets in order, raw samples
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/loop/store.h"
#include "test/unit.h"

enum { SAMPLES = 20000, THREAD = 7, LOOP = 1, OTHER, COUNT };

static void test_open(void) {
  CHECK_EQUAL(rrt_store_open(1 << 20), 0);
  CHECK_EQUAL(rrt_store_add_loops(COUNT - LOOP), (uint32_t)LOOP);
}

static uint64_t random_state = 88172645463325252u;
static uint64_t random_next(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static void add(uint32_t index, uint64_t ticks, uint32_t weight) {
  struct rrt_record r = {.duration_ticks = ticks,
                         .work = ticks + 1,
                         .when = 3,
                         .weight = weight,
                         .covered = weight + 1};
  r.index = index;
  rrt_store_prefetch(&r);
  rrt_store_add(&r, THREAD);
}

// Durations from all octaves, in no order: the buckets hold them as counted one by one.
static void test_buckets(void) {
  static struct reticle_file_hist expected[RETICLE_HIST_BUCKETS];
  const struct rrt_store_loop *l = &rrt_store.loops[LOOP];
  uint64_t sum = 0;
  for (int i = 0; i < SAMPLES; i++) {
    uint64_t ticks = random_next() >> (random_next() % 64);
    uint32_t weight = 1 + random_next() % 1000, bucket = reticle_hist_bucket(ticks);
    expected[bucket].samples++;
    expected[bucket].weight += weight;
    sum = sum <= UINT64_MAX - ticks ? sum + ticks : UINT64_MAX;
    add(LOOP, ticks, weight);
  }
  uint32_t used = 0;
  for (uint32_t b = 0; b < RETICLE_HIST_BUCKETS; b++) {
    const struct reticle_file_hist *h = rrt_store_octave(l, b / RRT_OCTAVE_BUCKETS);
    used += expected[b].samples != 0;
    CHECK_EQUAL(h ? h[b % RRT_OCTAVE_BUCKETS].samples : 0, expected[b].samples);
    CHECK_EQUAL(h ? h[b % RRT_OCTAVE_BUCKETS].weight : 0, expected[b].weight);
    if (h)
      CHECK_EQUAL(h[b % RRT_OCTAVE_BUCKETS].bucket, b);
  }
  CHECK_EQUAL(l->record.hist_count, used);
  CHECK_EQUAL(l->record.samples, (uint64_t)SAMPLES);
  CHECK_EQUAL(l->record.sum_ticks, sum);
}

// All samples while there is room, then a choice of them in which early and late ones are alike.
static void test_raw(void) {
  const struct rrt_store_loop *l = &rrt_store.loops[OTHER];
  const uint32_t room = RRT_CHUNK_SAMPLES * RRT_RESERVOIR_CHUNKS;
  for (uint32_t i = 0; i < room; i++)
    add(OTHER, 1000 + i, 1);
  CHECK_EQUAL(l->record.raw_count, (uint64_t)room);
  for (uint32_t i = 0; i < room; i++) {
    CHECK_EQUAL(rrt_store_raw(l, i)->duration_ticks, 1000u + i);
    CHECK_EQUAL(rrt_store_raw(l, i)->work, 1001u + i);
    CHECK_EQUAL(rrt_store_raw(l, i)->thread, (uint32_t)THREAD);
  }
  for (uint32_t i = room; i < 4 * room; i++)
    add(OTHER, 1000 + i, 1);
  CHECK_EQUAL(l->record.raw_count, (uint64_t)room);
  uint32_t quarter[4] = {0};
  for (uint32_t i = 0; i < room; i++)
    quarter[(rrt_store_raw(l, i)->duration_ticks - 1000) / room]++;
  for (int q = 0; q < 4; q++) // 512 each, with a deviation of 20
    CHECK(quarter[q] > room / 4 - 120 && quarter[q] < room / 4 + 120);
}

static void test_other_indexes(void) {
  uint64_t samples = rrt_store.samples;
  add(COUNT, 5, 1); // unknown
  CHECK_EQUAL(rrt_store.samples, samples);
  add(RRT_CHAIN_INDEX, 48, 1);
  CHECK_EQUAL(rrt_store.samples, samples);
  CHECK_EQUAL(rrt_store.chain_count, 1u);
  CHECK_EQUAL(rrt_store.chain[0].duration_ticks, 48u);
  CHECK_EQUAL(rrt_store.chain[0].adds, 49u);
  CHECK_EQUAL(rrt_store.chain[0].when, 3u);
}

// A record's `when` has 32 bits, in units of 65536 ticks: it begins anew after 2^48 ticks.
static void test_long_run(void) {
  const uint64_t day = UINT64_C(86400) * 2600000000, ten_years = 3653 * day, unit = 1 << 16;
  const uint64_t at[] = {day, 2 * day, 9 * day, ten_years};
  rrt_store_reset();
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    // Begun a third of that time ago, drained a second behind its end.
    uint64_t begin = at[i] - at[i] / 3, lasted = at[i] / 3 - 2600000000;
    struct rrt_record r = {
        .duration_ticks = lasted, .when = (uint32_t)(begin / unit), .weight = 1, .covered = 1};
    rrt_store.now_ticks = at[i];
    r.index = LOOP;
    rrt_store_add(&r, THREAD);
    r.index = RRT_CHAIN_INDEX;
    rrt_store_add(&r, THREAD);
    for (size_t k = 0; k <= i; k++) { // the earlier ones in the unit of now
      uint64_t expected = (at[k] - at[k] / 3) >> rrt_store.when_shift;
      uint32_t when = rrt_store_raw(&rrt_store.loops[LOOP], (uint32_t)k)->when;
      CHECK(when >= expected - 1 && when <= expected + 1);
      CHECK_EQUAL(rrt_store.chain[k].when, when);
    }
  }
  CHECK(ten_years * 2 / 3 >> rrt_store.when_shift > UINT32_MAX / 2);
  rrt_store_reset();
  CHECK_EQUAL(rrt_store.when_shift, (uint32_t)RRT_WHEN_SHIFT);
  rrt_store.now_ticks = 0;
}

// 2^32 samples in a bucket, and a sum without room, stay where they are.
static void test_saturated(void) {
  rrt_store_reset();
  const struct reticle_file_loop *f = &rrt_store.loops[LOOP].record;
  add(LOOP, 9, 1);
  rrt_store_octave(&rrt_store.loops[LOOP], 1)[1].samples = UINT32_MAX;
  add(LOOP, 9, 2);
  CHECK_EQUAL(rrt_store_octave(&rrt_store.loops[LOOP], 1)[1].samples, UINT32_MAX);
  CHECK_EQUAL(rrt_store_octave(&rrt_store.loops[LOOP], 1)[1].weight, 3u);
  add(LOOP, UINT64_MAX / 2, 3);
  CHECK_EQUAL(f->weighted_ticks, UINT64_MAX);
  add(LOOP, UINT64_MAX / 2, 1);
  add(LOOP, UINT64_MAX / 2, 1);
  CHECK_EQUAL(f->sum_ticks, UINT64_MAX);
  CHECK_EQUAL(f->max_ticks, UINT64_MAX / 2);
}

// The pool's memory stays, and a forked child's samples take no more of it.
static void test_memory(void) {
  uint64_t before = rrt_store.memory_bytes;
  for (int round = 0; round < 3; round++) {
    rrt_store_reset();
    for (uint32_t i = 0; i < RRT_CHUNK_SAMPLES * RRT_RESERVOIR_CHUNKS; i++) {
      add(LOOP, 100, 1);
      add(OTHER, 100, 1);
    }
    CHECK_EQUAL(rrt_store.memory_bytes, before);
  }
}

static void test_reset(void) {
  rrt_store_reset();
  CHECK_EQUAL(rrt_store.loops[LOOP].record.hist_count, 0u);
  for (uint32_t o = 0; o < RRT_OCTAVES; o++)
    CHECK(!rrt_store_octave(&rrt_store.loops[LOOP], o));
  add(LOOP, 9, 2);
  CHECK_EQUAL(rrt_store.loops[LOOP].record.hist_count, 1u);
  CHECK_EQUAL(rrt_store_octave(&rrt_store.loops[LOOP], 1)[1].weight, 2u);
}

int main(void) {
  RUN(test_open);
  RUN(test_buckets);
  RUN(test_raw);
  RUN(test_other_indexes);
  RUN(test_long_run);
  RUN(test_saturated);
  RUN(test_memory);
  RUN(test_reset);
  return unit_status();
}
