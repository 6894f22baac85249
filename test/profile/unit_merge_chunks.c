// unit_merge_chunks.c - merging of chunks but loops: chains, blocks, addresses, counters, epochs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/merged.h"

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

static void test_account(void) {
  // Sums; what one of them doesn't know isn't known of both.
  struct example a, b;
  struct profile merged;
  example_init(&a);
  second_init(&b);
  struct profile_account of_a = {.wall_ticks = 10, .user_ns = 5, .runnable_ns = 7},
                         of_b = {.wall_ticks = 20,
                                 .user_ns = 6,
                                 .runnable_ns = UINT64_MAX,
                                 .runnable_error = 2};
  a.profile.account = &of_a;
  b.profile.account = &of_b;
  a.profile.account_count = b.profile.account_count = 1;
  const struct profile *in[] = {&a.profile, &b.profile};
  CHECK_EQUAL(profile_merge(in, 2, &merged, NULL), 0);
  CHECK_EQUAL(merged.account_count, 1);
  CHECK_EQUAL(merged.account->wall_ticks, 30);
  CHECK_EQUAL(merged.account->user_ns, 11);
  CHECK_EQUAL(merged.account->runnable_ns, UINT64_MAX);
  CHECK_EQUAL(merged.account->runnable_error, 2);
  profile_release(&merged);
}

static void test_facts(void) {
  // By loop, the slowest first, in either order; threads are numbered in a row; too many: those
  // left stand for as many as before, and the slowest stay.
  static struct profile_fact many[2 * PROFILE_MERGE_FACTS];
  struct profile_fact few[2] = {{.loop = 9, .duration_ns = 5, .stands = 1000},
                                {.loop = 7, .duration_ns = 6, .stands = 2000}};
  struct example a, b;
  struct profile m, n;
  uint64_t stands = 0;
  example_init(&a);
  second_init(&b);
  for (uint32_t i = 0; i < 2 * PROFILE_MERGE_FACTS; i++)
    many[i] = (struct profile_fact){.loop = 9, .at_ns = i, .duration_ns = 10 + i, .stands = 1000};
  a.profile.facts = few;
  a.profile.fact_count = 2;
  b.profile.facts = many;
  b.profile.fact_count = 2 * PROFILE_MERGE_FACTS;
  const struct profile *in[] = {&a.profile, &b.profile}, *turned[] = {&b.profile, &a.profile};
  CHECK_EQUAL(profile_merge(in, 2, &m, NULL), 0);
  CHECK_EQUAL(profile_merge(turned, 2, &n, NULL), 0);
  CHECK(example_are_equal(&m, &n));
  CHECK_EQUAL(m.facts[0].loop, 7);
  CHECK_EQUAL(m.facts[1].duration_ns, 10 + 2 * PROFILE_MERGE_FACTS - 1);
  CHECK(m.fact_count <= 1 + PROFILE_MERGE_FACTS);
  for (size_t i = 1; i < m.fact_count; i++)
    stands += m.facts[i].stands;
  CHECK_EQUAL(stands, 1000 * (2 * PROFILE_MERGE_FACTS + 1));
  profile_release(&m);
  profile_release(&n);
}

/// Numbers and addresses are of one process: those with most visits are taken whole.
static void test_visits(void) {
  struct profile_visit few[1] = {{.bytes_0 = 1}}, many[2] = {{.bytes_0 = 2}, {.bytes_0 = 3}};
  struct profile_visitsite one[1] = {{.id = 1, .number = 1, .function = "f"}},
                           other[1] = {{.id = 2, .number = 1, .function = "g"}};
  struct profile_visitwindow first[1] = {{.bytes = 64}}, second[1] = {{.bytes = 128}};
  struct example a, b;
  struct profile m, n;
  example_init(&a);
  example_init(&b);
  a.profile.visits = few, a.profile.visit_count = 1;
  a.profile.visitsites = one, a.profile.visitsite_count = 1;
  a.profile.visitwindows = first, a.profile.visitwindow_count = 1;
  b.profile.visits = many, b.profile.visit_count = 2;
  b.profile.visitsites = other, b.profile.visitsite_count = 1;
  b.profile.visitwindows = second, b.profile.visitwindow_count = 1;
  const struct profile *in[] = {&a.profile, &b.profile}, *turned[] = {&b.profile, &a.profile};
  CHECK_EQUAL(profile_merge(in, 2, &m, NULL), 0);
  CHECK_EQUAL(profile_merge(turned, 2, &n, NULL), 0);
  CHECK_EQUAL(m.visit_count, 2);
  CHECK_EQUAL(m.visitwindows[0].bytes, 128);
  CHECK_TEXT(m.visitsites[0].function, "g");
  CHECK_EQUAL(n.visitsites[0].id, 2);
  profile_release(&m);
  profile_release(&n);
}

int main(void) {
  RUN(test_visits);
  RUN(test_facts);
  RUN(test_account);
  RUN(test_chain);
  RUN(test_blocks);
  RUN(test_addresses);
  RUN(test_topdown);
  RUN(test_epochs);
  return unit_status();
}
