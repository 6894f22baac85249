// unit_merge_processes.c - whose samples a merged profile has: threads, rates, units of when
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/merged.h"
#include "tools/profile/rank.h"

/// A process with two threads, of its own pid; samples and a chain of both.
static void process_init(struct example *example, struct profile_chain *chain, unsigned i) {
  example_init(example);
  struct profile_env *env = &example->profile.env;
  env->pid = 100 + i;
  env->start_time_s += i;
  env->thread_count = 2;
  for (uint32_t k = 0; k < 4; k++)
    example->raw[k] = (struct profile_sample){
        .duration_ticks = 1000 * i + k, .work = i, .when = 5 + k, .weight = 10, .thread = k % 2};
  chain[0] = (struct profile_chain){.duration_ticks = 50 + i, .adds = 64 + i, .thread = 1};
  example->profile.chain = chain;
  example->profile.chain_count = 1;
}

/// No number is of threads of two processes. `work` says whose a sample is.
static void check_distinct(const struct profile *m) {
  for (size_t l = 0; l < m->loop_count; l++)
    for (uint64_t i = 0; i < m->loops[l].raw_count; i++)
      for (uint64_t k = 0; k < m->loops[l].raw_count; k++) {
        const struct profile_sample *a = &m->loops[l].raw[i], *b = &m->loops[l].raw[k];
        bool is_one = a->work == b->work && a->duration_ticks % 2 == b->duration_ticks % 2;
        CHECK_EQUAL(a->thread == b->thread, is_one);
      }
  for (size_t i = 0; i < m->chain_count; i++)
    for (uint64_t k = 0; k < m->loops[0].raw_count; k++) {
      const struct profile_sample *a = &m->loops[0].raw[k];
      bool is_one = a->work == m->chain[i].adds - 64 && a->duration_ticks % 2 == 1;
      CHECK_EQUAL(a->thread == m->chain[i].thread, is_one);
    }
}

static void test_threads(void) {
  struct example of[4];
  struct profile_chain chains[4][1];
  for (unsigned i = 0; i < 4; i++)
    process_init(&of[i], chains[i], i);
  const struct profile *p[] = {&of[0].profile, &of[1].profile, &of[2].profile, &of[3].profile};
  const struct profile *turned[] = {p[2], p[0], p[3], p[1]};
  struct profile all, again;
  CHECK_EQUAL(profile_merge(p, 4, &all, NULL), 0);
  CHECK_EQUAL(profile_merge(turned, 4, &again, NULL), 0);
  check_distinct(&all);
  CHECK_EQUAL(all.process_count, 4);
  CHECK_EQUAL(all.processes[3].thread_first, 6);
  CHECK(example_are_equal(&all, &again));
  // By steps, with other processes between those that were merged before.
  struct profile one = merge2(p[1], p[3]), two = merge2(p[2], p[0]), three = merge2(&one, p[2]);
  struct profile pairs = merge2(&one, &two), steps = merge2(&three, p[0]);
  check_distinct(&one);
  check_distinct(&three);
  CHECK(example_are_equal(&pairs, &all));
  CHECK(example_are_equal(&steps, &all));
  struct profile *results[] = {&all, &again, &one, &two, &three, &pairs, &steps};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    profile_release(results[i]);
}

/// Two files of one process: its threads are the same.
static void test_one_process(void) {
  struct example a, b;
  struct profile_chain chains[2][1];
  process_init(&a, chains[0], 1);
  process_init(&b, chains[1], 1);
  b.raw[0].thread = 7;
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.process_count, 1);
  CHECK_EQUAL(m.processes[0].thread_first, 0);
  CHECK_EQUAL(m.processes[0].thread_count, 8);
  profile_release(&m);
}

/// Ranks stay with their processes, whatever the order; a process with no rank has none.
static void test_ranks(void) {
  struct example of[3];
  struct profile_chain chains[3][1];
  struct profile_rank ranks[3];
  for (unsigned i = 0; i < 3; i++) {
    process_init(&of[i], chains[i], i);
    const struct profile_env *env = &of[i].profile.env;
    ranks[i] = (struct profile_rank){.start_time_s = env->start_time_s,
                                     .pid = env->pid,
                                     .host = env->host,
                                     .rank = 7 - i,
                                     .size = 8,
                                     .local_rank = PROFILE_RANK_UNKNOWN,
                                     .launcher = "PMI",
                                     .job = ""};
    of[i].profile.ranks = i == 1 ? NULL : &ranks[i];
    of[i].profile.rank_count = i != 1;
  }
  struct profile one = merge2(&of[2].profile, &of[1].profile), all = merge2(&one, &of[0].profile);
  CHECK(profile_rank_only(&of[0].profile)->rank == 7 && !profile_rank_only(&all));
  CHECK_EQUAL(all.rank_count, 2);
  CHECK_EQUAL(profile_rank_of(&all, &all.processes[0])->rank, 7);
  CHECK(!profile_rank_of(&all, &all.processes[1]));
  CHECK_EQUAL(profile_rank_of(&all, &all.processes[2])->rank, 5);
  CHECK_EQUAL(profile_rank_size(&all), 8);
  CHECK_EQUAL(profile_process_of(&all, 5)->pid, 102);
  CHECK_EQUAL(profile_process_of(&all, 1)->pid, 100);
  CHECK(!profile_process_of(&of[0].profile, 0));
  // Two containers of a host may have one number at one time.
  struct example twin = of[0];
  struct profile_rank other = ranks[0];
  other.rank = 3;
  twin.profile.ranks = &other;
  const struct profile *in[] = {&of[0].profile, &twin.profile};
  CHECK_EQUAL(profile_drop_repeats(in, 2), 2);
  profile_release(&one);
  profile_release(&all);
}

static bool warns(const struct profile *m) {
  for (size_t i = 0; i < m->warning_count; i++)
    if (strcmp(m->warnings[i].code, "different_timers") == 0)
      return true;
  return false;
}

/// A server of an hour at 2.6 GHz, and a process of so many ticks and that rate. The merged rate.
static uint64_t rate_of(uint64_t elapsed_ticks, uint64_t hz, bool *warned) {
  struct example a, b;
  struct profile_chain chains[2][1];
  process_init(&a, chains[0], 0);
  process_init(&b, chains[1], 1);
  a.profile.env.timer_hz = 2600000000;
  a.profile.env.elapsed_ticks = 3600 * UINT64_C(2600000000);
  b.profile.env.timer_hz = hz;
  b.profile.env.elapsed_ticks = elapsed_ticks;
  struct profile m = merge2(&a.profile, &b.profile), n = merge2(&b.profile, &a.profile);
  *warned = warns(&m);
  CHECK_EQUAL(warns(&n), *warned);
  CHECK_EQUAL(n.env.timer_hz, m.env.timer_hz);
  uint64_t rate = m.env.timer_hz;
  profile_release(&m);
  profile_release(&n);
  return rate;
}

static void test_rates(void) {
  bool warned;
  CHECK_EQUAL(rate_of(1000000000000, 2600010000, &warned), 2600000000);
  CHECK(!warned);
  // A child of 0.4 ms knows its rate to 5 %, one of 0.4 s better.
  CHECK_EQUAL(rate_of(1000000, 2500000000, &warned), 2600000000);
  CHECK(!warned);
  CHECK_EQUAL(rate_of(1000000000, 2500000000, &warned), 2600000000);
  CHECK(warned);
  rate_of(1000000, 1300000000, &warned);
  CHECK(warned);
  CHECK_EQUAL(rate_of(1000, 0, &warned), 2600000000); // too short to say
  CHECK(!warned);
}

static void test_when(void) {
  struct example a, b;
  struct profile_chain chains[2][1];
  process_init(&a, chains[0], 0);
  process_init(&b, chains[1], 1);
  chains[0][0].when = 4000;
  b.profile.env.when_shift = 20; // 16 times as long
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.env.when_shift, 20);
  CHECK_EQUAL(m.loops[0].raw[0].when, 0); // of a: 5 and 6 of 16
  CHECK_EQUAL(m.loops[0].raw[m.loops[0].raw_count - 1].when, 7);
  CHECK_EQUAL(m.chain[m.chain_count - 1].when, 4000 / 16);
  profile_release(&m);
  b.profile.env.when_shift = UINT32_MAX; // damaged
  m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.loops[0].raw_count, 6);
  profile_release(&m);
}

/// Records that say nonsense: any number is some thread.
static void test_damaged(void) {
  struct example a, b;
  struct profile_chain chains[2][1];
  struct profile_process processes[2] = {
      {.host = "", .executable = "", .thread_first = 9, .thread_count = UINT32_MAX},
      {.host = "", .executable = "", .pid = 1, .thread_first = 9, .thread_count = UINT32_MAX}};
  process_init(&a, chains[0], 0);
  process_init(&b, chains[1], 1);
  a.profile.processes = processes;
  a.profile.process_count = 2;
  b.raw[2].thread = UINT32_MAX;
  struct profile m = merge2(&a.profile, &b.profile);
  CHECK_EQUAL(m.loops[0].raw_count, 6);
  profile_release(&m);
}

int main(void) {
  RUN(test_threads);
  RUN(test_one_process);
  RUN(test_ranks);
  RUN(test_rates);
  RUN(test_when);
  RUN(test_damaged);
  return unit_status();
}
