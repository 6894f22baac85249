// unit_merge.c - merging: sums by hand, and that order and grouping don't matter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/example.h"
#include "tools/profile/merge.h"

static struct profile merge2(const struct profile *a, const struct profile *b) {
  const struct profile *in[] = {a, b};
  struct profile out = {0};
  CHECK_EQUAL(profile_merge(in, 2, &out, NULL), 0);
  return out;
}

static struct profile merge1(const struct profile *a) {
  struct profile out = {0};
  CHECK_EQUAL(profile_merge(&a, 1, &out, NULL), 0);
  return out;
}

/// The example, as another process of the same program wrote it.
static void second_init(struct example *example) {
  example_init(example);
  struct profile_env *env = &example->profile.env;
  env->start_time_s += 10;
  env->pid = 4800;
  env->cpu_ns = 100000000;
  env->timer_hz = 2500000010;
  env->pair_ticks = 90 * 256;
  env->thread_count = 1;
  env->floor_time_s += 5;
  env->floor_t_min_ps = 300000;
  example->profile.health.ended_by = RETICLE_ENDED_ABORT;
  example->profile.health.lost_samples = 41;
  example->modules[0].load_address = 0x1000;
  example->hist[0].bucket = 40; // meets bucket 40 of the first
  example->hist[1].bucket = 41;
  for (int i = 0; i < 4; i++)
    example->raw[i].when += 100;
  example->loops[0].min_ticks = 590;
  example->loops[0].work_class = RETICLE_WORK_CLASS_C;
  example->loops[0].flags |= RETICLE_LOOP_HAS_CALLS;
  example->loops[1].id = 99; // a loop the first did not have
  example->loops[1].function = "other";
}

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
    CHECK_EQUAL(m.loops[0].raw[i].weight, m.loops[0].raw[i].thread == 7 ? 30 : 3);
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

static void test_chain(void) {
  static struct profile_chain many[PROFILE_MERGE_CHAINS];
  struct profile_chain few[2] = {{.duration_ticks = 9, .adds = 64, .when = 7},
                                 {.duration_ticks = 8, .adds = 64, .when = 1}};
  struct example a, b;
  example_init(&a);
  example_init(&b);
  a.profile.chain = few;
  a.profile.chain_count = 2;
  const struct profile *in[] = {&a.profile, &b.profile}, *turned[] = {&b.profile, &a.profile};
  struct profile m, n;
  CHECK_EQUAL(profile_merge(in, 2, &m, NULL), 0);
  CHECK_EQUAL(m.chain_count, 2);
  CHECK_EQUAL(m.chain[0].duration_ticks, 8); // by time
  profile_release(&m);
  // Too many: the same choice in either order, from all of the run.
  for (uint32_t i = 0; i < PROFILE_MERGE_CHAINS; i++)
    many[i] = (struct profile_chain){.duration_ticks = i, .adds = 64, .when = i};
  b.profile.chain = many;
  b.profile.chain_count = PROFILE_MERGE_CHAINS;
  CHECK_EQUAL(profile_merge(in, 2, &m, NULL), 0);
  CHECK_EQUAL(profile_merge(turned, 2, &n, NULL), 0);
  CHECK_EQUAL(m.chain_count, PROFILE_MERGE_CHAINS);
  CHECK(example_are_equal(&m, &n));
  CHECK(m.chain[PROFILE_MERGE_CHAINS - 1].when >= PROFILE_MERGE_CHAINS - 3);
  profile_release(&m);
  profile_release(&n);
  // Two lengths in turn: of both alike, although every second one stays.
  for (uint32_t i = 0; i < PROFILE_MERGE_CHAINS; i++)
    many[i].adds = 64 + i % 2;
  a.profile.chain = many;
  a.profile.chain_count = PROFILE_MERGE_CHAINS;
  CHECK_EQUAL(profile_merge(in, 2, &m, NULL), 0);
  size_t longer = 0;
  for (size_t i = 0; i < m.chain_count; i++)
    longer += m.chain[i].adds == 65;
  CHECK_EQUAL(longer, PROFILE_MERGE_CHAINS / 2);
  profile_release(&m);
}

static void test_blocks(void) {
  // Of one block that both have, the result with the narrower interval counts, in either order.
  struct example a, b;
  struct profile_block of_a[2], of_b[2];
  example_init(&a);
  second_init(&b);
  example_init_blocks(&a.profile, of_a);
  example_init_blocks(&b.profile, of_b);
  of_b[0].cycles = 3001;
  of_b[0].cycles_low = 3000;
  of_b[0].cycles_high = 3002;
  of_b[1].cycles = of_b[1].cycles_low = of_b[1].cycles_high = 500;
  of_b[1].status = "noisy";
  for (int order = 0; order < 2; order++) {
    const struct profile *in[] = {order ? &b.profile : &a.profile, order ? &a.profile : &b.profile};
    struct profile merged;
    CHECK_EQUAL(profile_merge(in, 2, &merged, NULL), 0);
    CHECK_EQUAL(merged.block_count, 2);
    CHECK_EQUAL(merged.blocks[0].cycles, 3001);
    CHECK_EQUAL(merged.blocks[1].cycles, 500);
    CHECK_TEXT(merged.blocks[1].status, "noisy");
    profile_release(&merged);
  }
  // The same code elsewhere is another block.
  of_b[0].address = 0x2000;
  const struct profile *in[] = {&a.profile, &b.profile};
  struct profile merged;
  CHECK_EQUAL(profile_merge(in, 2, &merged, NULL), 0);
  CHECK_EQUAL(merged.block_count, 3);
  profile_release(&merged);
}

static void test_addresses(void) {
  // The same file in another place of the list, and one built again: by path and build id.
  struct example a, b;
  struct profile_sampling of_a, of_b;
  struct profile_loadfile files_a[2], files_b[2];
  struct profile_address at_a[3], at_b[3];
  struct profile all[2];
  example_init(&a);
  second_init(&b);
  example_init_addresses(&a.profile, &of_a, files_a, at_a);
  example_init_addresses(&b.profile, &of_b, files_b, at_b);
  files_b[0] = files_a[1];
  files_b[1] = (struct profile_loadfile){.path = "/app", .build_id = "bb"};
  of_b.period_ns = 1000000; // another rate: a record of its own
  for (int order = 0; order < 2; order++) {
    const struct profile *in[] = {order ? &b.profile : &a.profile, order ? &a.profile : &b.profile};
    CHECK_EQUAL(profile_merge(in, 2, &all[order], NULL), 0);
  }
  CHECK(example_are_equal(&all[0], &all[1]));
  CHECK_EQUAL(all[0].sampling_count, 2);
  CHECK_EQUAL(all[0].loadfile_count, 3);
  CHECK_TEXT(all[0].loadfiles[0].build_id, "aa");
  CHECK_TEXT(all[0].loadfiles[1].build_id, "bb");
  CHECK_EQUAL(all[0].address_count, 5);
  // /lib.so at 0x40: 2 of the first, 7 of the second.
  CHECK_EQUAL(all[0].addresses[3].loadfile, 2);
  CHECK_EQUAL(all[0].addresses[3].samples, 9);
  CHECK_EQUAL(all[0].addresses[3].time_ns, 18036072);
  profile_release(&all[0]);
  profile_release(&all[1]);
  // Twice the same: all counts double.
  of_b.period_ns = of_a.period_ns;
  files_b[0] = files_a[0];
  files_b[1] = files_a[1];
  struct profile twice = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(twice.sampling_count, 1);
  CHECK_EQUAL(twice.sampling[0].samples, 22);
  CHECK_EQUAL(twice.address_count, 3);
  CHECK_EQUAL(twice.addresses[0].samples, 14);
  profile_release(&twice);
}

/// Counts of one loop with one group add up; another group, tree or source of counts stays apart.
static void test_topdown(void) {
  struct example a, b;
  example_init(&a);
  example_init(&b);
  struct profile_topdown of_a[] = {
      {.tree = "zen4/0", .events = "76", .error = 2, .lost = 1},
      {.loop = 7, .tree = "zen4/0", .events = "76", .visits = 5, .count0 = 100, .switched = 1}};
  struct profile_topdown of_b[] = {
      {.tree = "zen4/0", .events = "76", .error = 13},
      {.loop = 7, .tree = "zen4/0", .events = "76", .visits = 2, .count0 = 30, .count11 = 4},
      {.loop = 7, .tree = "zen4/0", .events = "c1", .visits = 3},
      {.loop = 7, .tree = "zen4/0", .events = "76", .visits = 9, .flags = RETICLE_TOPDOWN_FAKE}};
  a.profile.topdown = of_a;
  a.profile.topdown_count = 2;
  b.profile.topdown = of_b;
  b.profile.topdown_count = 4;
  struct profile merged = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(merged.topdown_count, 4);
  CHECK_EQUAL(merged.topdown[0].error, 13);
  CHECK_EQUAL(merged.topdown[0].lost, 1);
  CHECK_EQUAL(merged.topdown[1].visits, 7);
  CHECK_EQUAL(merged.topdown[1].count0, 130);
  CHECK_EQUAL(merged.topdown[1].count11, 4);
  CHECK_EQUAL(merged.topdown[1].switched, 1);
  CHECK(merged.topdown[1].tree != of_a[1].tree); // its own text
  CHECK_TEXT(merged.topdown[1].tree, "zen4/0");
  profile_release(&merged);
}

static void test_epochs(void) {
  // Of one process: two closed epochs, and its own file with the third one's samples.
  struct example own, first, second;
  struct profile_sampling of[3];
  struct profile_loadfile files[3][2];
  struct profile_address at[3][3];
  struct profile_epoch epochs[] = {{100, 3, 0}, {40, 1, 1}, {70, 2, 1}};
  struct example *all[] = {&own, &first, &second};
  for (int i = 0; i < 3; i++) {
    example_init(all[i]);
    example_init_addresses(&all[i]->profile, &of[i], files[i], at[i]);
    all[i]->profile.epochs = &epochs[i];
    all[i]->profile.epoch_count = 1;
    if (!i)
      continue;
    all[i]->profile.env.elapsed_ticks = all[i]->profile.env.cpu_ns = 0;
    all[i]->profile.object_count = all[i]->profile.loop_count = 0;
  }
  CHECK(!profile_is_epochs_alone(&own.profile) && profile_is_epochs_alone(&first.profile));
  const struct profile *in[] = {&second.profile, &own.profile, &first.profile, &second.profile};
  CHECK_EQUAL(profile_drop_repeats(in, 4), 3); // the second epoch twice
  struct profile merged;
  CHECK_EQUAL(profile_merge(in, 3, &merged, NULL), 0);
  CHECK_EQUAL(merged.sampling[0].samples, 33);
  CHECK_EQUAL(merged.epoch_count, 3);
  CHECK_EQUAL(merged.env.elapsed_ticks, own.profile.env.elapsed_ticks);
  CHECK_EQUAL(merged.loop_count, 3);
  CHECK(!profile_is_epochs_alone(&merged));
  profile_release(&merged);
  // Killed behind closing the second one: the own file still has its samples, or some of them.
  epochs[0].number = 2;
  CHECK_EQUAL(profile_merge(in, 3, &merged, NULL), 0);
  CHECK_EQUAL(merged.sampling[0].samples, 22);
  CHECK_EQUAL(merged.loop_count, 3);
  profile_release(&merged);
  // Also where the closed ones were merged before, and not where they are another process's.
  struct profile closed = merge2(&first.profile, &second.profile),
                 whole = merge2(&own.profile, &closed);
  CHECK(profile_is_epochs_alone(&closed));
  CHECK_EQUAL(whole.sampling[0].samples, 22);
  profile_release(&whole);
  closed.env.pid++;
  whole = merge2(&own.profile, &closed);
  CHECK_EQUAL(whole.sampling[0].samples, 33);
  profile_release(&whole);
  profile_release(&closed);
}

int main(void) {
  RUN(test_sums);
  RUN(test_unknown_is_not_least);
  RUN(test_order);
  RUN(test_whole);
  RUN(test_same_id);
  RUN(test_thinning);
  RUN(test_weights);
  RUN(test_saturation);
  RUN(test_objects);
  RUN(test_warnings);
  RUN(test_chain);
  RUN(test_blocks);
  RUN(test_addresses);
  RUN(test_topdown);
  RUN(test_epochs);
  return unit_status();
}
