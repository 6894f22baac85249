// unit_merge.c - merging: sums by hand, and that order and grouping don't matter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/merged.h"

static void test_sums(void) {
  struct example a, b;
  example_init(&a);
  second_init(&b);
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.merged_count, 2);
  CHECK_EQUAL(m.env.pid, 4711);
  CHECK_EQUAL(m.env.cpu_ns, 1000000000);
  CHECK_EQUAL(m.env.elapsed_ticks, 5000000000);
  CHECK_EQUAL(m.env.probe_ticks, 40000000);
  CHECK_EQUAL(m.env.thread_count, 3);
  CHECK_EQUAL(m.env.thread_ticks, 8000000000);
  CHECK_EQUAL(m.env.timer_hz, 2500000000);
  CHECK_EQUAL(m.env.pair_ticks, 90 * 256);
  CHECK_EQUAL(m.env.floor_time_s, 1690000005);
  CHECK_EQUAL(m.env.floor_t_min_ps, 300000);
  CHECK_EQUAL(m.health.lost_samples, 42);
  CHECK_EQUAL(m.health.ended_by, RETICLE_ENDED_ABORT);
  CHECK_EQUAL(m.object_count, 2);
  CHECK_EQUAL(m.module_count, 2);
  CHECK_EQUAL(m.loop_count, 4);
  CHECK_EQUAL(m.warning_count, 0);
  const struct profile_loop *loop = &m.loops[0]; // book.c:8
  CHECK_EQUAL(loop->line, 8);
  CHECK_EQUAL(loop->executions, 60);
  CHECK_EQUAL(loop->samples, 6);
  CHECK_EQUAL(loop->weighted_ticks, 37500);
  CHECK_EQUAL(loop->min_ticks, 590);
  CHECK_EQUAL(loop->max_ticks, 650);
  CHECK_EQUAL(loop->work_class, RETICLE_WORK_CLASS_C);
  CHECK_EQUAL(loop->flags, RETICLE_LOOP_HAS_TRIP_COUNT | RETICLE_LOOP_HAS_CALLS);
  CHECK_EQUAL(loop->raw_count, 6);
  CHECK_EQUAL(loop->raw[3].when, 105);
  CHECK_EQUAL(loop->hist_count, 3);
  CHECK_EQUAL(loop->hist[0].weight, 10); // bucket 8
  CHECK_EQUAL(loop->hist[1].samples, 3); // bucket 40
  CHECK_EQUAL(loop->hist[1].weight, 30);
  CHECK_EQUAL(loop->hist[2].weight, 20); // bucket 41
  profile_release(&m);
}

static void test_unknown_is_not_least(void) {
  // A checkpoint so early that nothing was measured yet does not make the rate unknown.
  struct example a, b;
  example_init(&a);
  second_init(&b);
  a.profile.env.timer_hz = b.profile.env.step_ticks = 0;
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.env.timer_hz, 2500000010);
  CHECK_EQUAL(m.env.step_ticks, 25);
  profile_release(&m);
}

/// Flags of a loop whose two copies have those besides.
static uint32_t merged_flags(uint32_t one, uint32_t other) {
  struct example a, b;
  example_init(&a);
  second_init(&b);
  a.loops[0].flags |= one;
  b.loops[0].flags |= other;
  struct profile m = merge2(&a.profile, &b.profile);
  uint32_t flags = m.loops[0].flags;
  profile_release(&m);
  return flags;
}

/// Which loop is around, of copies in one loop, and in two.
static void test_outer(void) {
  const uint32_t outer = 5u << RETICLE_LOOP_OUTER_SHIFT, other = 6u << RETICLE_LOOP_OUTER_SHIFT;
  const uint32_t mask = ~(uint32_t)(RETICLE_LOOP_OUTERS - 1);
  CHECK_EQUAL(merged_flags(outer, outer) & mask, outer);
  CHECK_EQUAL(merged_flags(outer, other) & mask, RETICLE_LOOP_OUTERS);
}

/// What the vectoriser said of copies: a number, and known where both say the same.
static void test_vectoriser(void) {
  const uint32_t alias = RETICLE_VECTOR_ALIAS << RETICLE_LOOP_VECTOR_SHIFT;
  const uint32_t done = RETICLE_VECTOR_DONE << RETICLE_LOOP_VECTOR_SHIFT;
  const uint32_t mask = RETICLE_LOOP_VECTOR_MASK << RETICLE_LOOP_VECTOR_SHIFT;
  CHECK_EQUAL(merged_flags(alias, alias) & mask, alias);
  CHECK_EQUAL(merged_flags(alias, done) & mask, RETICLE_VECTOR_UNKNOWN);
}

static void test_order(void) {
  struct example a, b, c;
  example_init(&a);
  second_init(&b);
  example_init(&c);
  c.profile.env.start_time_s -= 3;
  c.profile.env.pid = 12;
  c.loops[0].executions = 1000;
  struct profile ab = merge2(&a.profile, &b.profile), ba = merge2(&b.profile, &a.profile);
  CHECK(example_are_equal(&ab, &ba));
  struct profile bc = merge2(&b.profile, &c.profile);
  struct profile left = merge2(&ab, &c.profile), right = merge2(&a.profile, &bc);
  CHECK(example_are_equal(&left, &right));
  CHECK_EQUAL(left.merged_count, 3);
  CHECK_EQUAL(left.env.pid, 12);
  const struct profile *in[] = {&c.profile, &a.profile, &b.profile};
  struct profile all;
  CHECK_EQUAL(profile_merge(in, 3, &all, NULL), 0);
  CHECK(example_are_equal(&left, &all));
  struct profile again = merge1(&all);
  CHECK(example_are_equal(&again, &all));
  struct profile *results[] = {&ab, &ba, &bc, &left, &right, &all, &again};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    profile_release(results[i]);
}

/// A loop with n samples, each of weight w, written into room.
static void fill_loop(struct profile_loop *loop, struct profile_sample *room, size_t n, uint32_t w,
                      uint64_t *state) {
  loop->raw = room;
  loop->raw_count = n;
  loop->samples = n;
  loop->weight = n * w;
  loop->executions = n * w;
  loop->hist_count = 0;
  for (size_t i = 0; i < n; i++)
    room[i] = (struct profile_sample){.duration_ticks = 1000 + unit_random(state) % 100,
                                      .work = 5,
                                      .when = (uint32_t)(unit_random(state) % 100000),
                                      .weight = w};
}

static void test_whole(void) {
  // One profile, and the same cut in two.
  static struct profile_sample room[1000];
  uint64_t state = 3;
  struct example whole, first, second;
  example_init(&whole);
  fill_loop(&whole.loops[0], room, 1000, 4, &state);
  whole.profile.loop_count = 1;
  first = whole;
  second = whole;
  first.profile.loops = first.loops;
  second.profile.loops = second.loops;
  first.profile.env.cpu_ns = 300000000;
  second.profile.env.cpu_ns = 600000000;
  first.profile.env.elapsed_ticks = second.profile.env.elapsed_ticks = 1250000000;
  first.profile.env.probe_ticks = second.profile.env.probe_ticks = 10000000;
  first.profile.env.thread_ticks = second.profile.env.thread_ticks = 2000000000;
  first.profile.env.thread_count = second.profile.env.thread_count = 1;
  second.profile.health = (struct profile_health){.ended_by = RETICLE_ENDED_EXIT, .sideline = 1};
  struct profile_loop *a = &first.loops[0], *b = &second.loops[0];
  a->raw_count = a->samples = 400;
  a->weight = a->executions = 1600;
  b->raw += 400;
  b->raw_count = b->samples = 600;
  b->weight = b->executions = 2400;
  a->sum_ticks = 875;
  b->sum_ticks = 1000;
  a->weighted_ticks = 8750;
  b->weighted_ticks = 10000;
  struct profile one = merge1(&whole.profile), two = merge2(&first.profile, &second.profile);
  CHECK_EQUAL(one.process_count, 1);
  CHECK_EQUAL(two.process_count, 1);
  two.processes[0].elapsed_ticks *= 2; // of the longer one
  two.processes[0].thread_count = one.processes[0].thread_count;
  CHECK(example_are_equal(&one, &two));
  CHECK_EQUAL(two.loops[0].raw_count, 1000);
  profile_release(&one);
  profile_release(&two);
}

static void test_same_id(void) {
  struct example a;
  example_init(&a);
  a.loops[2].id = a.loops[0].id; // a copy made by the optimiser, of another object
  a.loops[2].line = a.loops[0].line;
  struct profile m = merge1(&a.profile);
  CHECK_EQUAL(m.loop_count, 2);
  CHECK_EQUAL(m.loops[0].executions, 35);
  CHECK_EQUAL(m.loops[0].samples, 4);
  CHECK_EQUAL(m.loops[0].raw_count, 4);
  CHECK_EQUAL(m.loops[0].hist_count, 3);
  CHECK_TEXT(m.objects[m.loops[0].object].source, "book.c");
  CHECK_EQUAL(m.loops[1].executions, 0);
  CHECK_EQUAL(m.loops[1].min_ticks, UINT64_MAX);
  profile_release(&m);
}

static void test_thinning(void) {
  static struct profile_sample room[2][2000];
  uint64_t state = 11;
  struct example a, b;
  example_init(&a);
  second_init(&b);
  fill_loop(&a.loops[0], room[0], 2000, 1, &state);
  fill_loop(&b.loops[0], room[1], 2000, 1, &state);
  struct profile ab = merge2(&a.profile, &b.profile), ba = merge2(&b.profile, &a.profile);
  CHECK_EQUAL(ab.loops[0].raw_count, PROFILE_MERGE_RAW);
  CHECK_EQUAL(ab.loops[0].samples, 4000);
  CHECK(example_are_equal(&ab, &ba));
  // A fair choice: the mean of 1000..1099 within 5 standard errors of 28.9 / sqrt(2048).
  double sum = 0;
  for (size_t i = 0; i < ab.loops[0].raw_count; i++)
    sum += (double)ab.loops[0].raw[i].duration_ticks;
  CHECK_NEAR(sum / PROFILE_MERGE_RAW, 1049.5, 3.2);
  profile_release(&ab);
  profile_release(&ba);
}

static void test_weights(void) {
  // The second kept 100 of its 1000 samples: each of them stands for ten times as many.
  static struct profile_sample room[2][1000];
  uint64_t state = 17;
  struct example a, b;
  example_init(&a);
  second_init(&b);
  fill_loop(&a.loops[0], room[0], 1000, 3, &state);
  fill_loop(&b.loops[0], room[1], 100, 3, &state);
  for (int i = 0; i < 100; i++)
    room[1][i].thread = 7;
  b.loops[0].samples = 1000;
  b.loops[0].weight = 3000;
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.loops[0].raw_count, 1100);
  for (size_t i = 0; i < m.loops[0].raw_count; i++)
    CHECK_EQUAL(m.loops[0].raw[i].weight, m.loops[0].raw[i].thread == 2 + 7 ? 30 : 3);
  profile_release(&m);
  // A ratio of 1.5 on weights of 1: right in the mean.
  fill_loop(&b.loops[0], room[1], 1000, 1, &state);
  fill_loop(&a.loops[0], room[0], 1000, 1, &state);
  b.loops[0].weight = 1500;
  m = merge2(&a.profile, &b.profile);
  double sum = 0;
  for (size_t i = 0; i < m.loops[0].raw_count; i++)
    sum += m.loops[0].raw[i].weight;
  CHECK_NEAR(sum, 2500, 80); // 5 standard deviations of sqrt(1000 / 4)
  profile_release(&m);
}

static void test_saturation(void) {
  struct example a, b;
  example_init(&a);
  second_init(&b);
  a.loops[0].executions = UINT64_MAX - 5;
  a.hist[1].samples = UINT32_MAX;
  b.hist[0].weight = UINT64_MAX;
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK(m.loops[0].executions == UINT64_MAX);
  CHECK_EQUAL(m.loops[0].hist[1].samples, UINT32_MAX);
  CHECK(m.loops[0].hist[1].weight == UINT64_MAX);
  profile_release(&m);
}

static void test_objects(void) {
  // The same source compiled twice alike in one program stays two objects; across programs it is
  // one each.
  struct example a, b;
  example_init(&a);
  second_init(&b);
  a.objects[1] = a.objects[0];
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.object_count, 3); // book.c twice, in.c
  for (size_t i = 0; i < m.loop_count; i++)
    CHECK(m.loops[i].object < m.object_count);
  CHECK_EQUAL(m.modules[0].load_address, 0x1000);
  profile_release(&m);
}

static void test_warnings(void) {
  struct example a, b;
  example_init(&a);
  second_init(&b);
  b.profile.env.executable = "/other";
  b.profile.env.cpu_model = "other CPU";
  b.profile.env.timer_hz = 3000000000;
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.warning_count, 3);
  CHECK_TEXT(m.warnings[0].code, "different_executables");
  CHECK_CONTAINS(m.warnings[0].text, "/other");
  CHECK_TEXT(m.warnings[1].code, "different_machines");
  CHECK_TEXT(m.warnings[2].code, "different_timers");
  struct profile again = merge1(&m);
  CHECK_EQUAL(again.warning_count, 3); // kept
  profile_release(&m);
  profile_release(&again);
}

int main(void) {
  RUN(test_sums);
  RUN(test_unknown_is_not_least);
  RUN(test_outer);
  RUN(test_vectoriser);
  RUN(test_order);
  RUN(test_whole);
  RUN(test_same_id);
  RUN(test_thinning);
  RUN(test_weights);
  RUN(test_saturation);
  RUN(test_objects);
  RUN(test_warnings);
  return unit_status();
}
