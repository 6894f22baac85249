// account_write.c - the feature `account` in a profile: where time went, pressure, facts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/account/account.h"
#include "runtime/feature/account/facts.h"
#include "runtime/feature/account/pressure.h"
#include "runtime/feature/loop/store.h"
#include "runtime/probe/rate.h"
#include "runtime/support/chunk.h"
#include "runtime/sys/sys.h"

static struct {
  struct reticle_file_account account;
  struct reticle_file_pressure pressure;
  struct rrt_facts_clock clock;
  uint64_t asking_ns; // what it takes to read what a thread waited (atomic), 0: not known
} state;

// Behind its end: what it waited. To ask the kernel takes as long as a short thread lives: of the
// threads behind the first ones it is one in so many that it takes 1/400 of their CPU time, and
// each stands for as many.
static void ask_runnable(struct rrt_thread *t) {
  enum { ASKED_EACH = 64, PART = 400, WEIGHT_MOST = 256 };
  uint64_t took_ns = __atomic_load_n(&state.asking_ns, __ATOMIC_RELAXED);
  uint64_t weight = t->number < ASKED_EACH ? 1 : took_ns * PART / (t->end_cpu_ns + 1) + 1;
  weight = weight < WEIGHT_MOST ? weight : WEIGHT_MOST;
  t->end_runnable_weight = rrt_rate_below(t, (uint32_t)weight) ? 0 : (uint32_t)weight;
  if (!t->end_runnable_weight) {
    t->end_runnable_ns = 0;
    return;
  }
  uint64_t start_ns = rrt_sys_monotonic_raw_ns();
  t->end_runnable_ns = rrt_account_own_runnable_ns();
  uint64_t now_ns = rrt_sys_monotonic_raw_ns() - start_ns;
  if (!took_ns || now_ns < 2 * took_ns) // else it was interrupted
    __atomic_store_n(&state.asking_ns, took_ns ? (7 * took_ns + now_ns) / 8 : now_ns,
                     __ATOMIC_RELAXED);
}

static void left(struct rrt_thread *t) {
  rrt_facts_leave(t);
  ask_runnable(t);
}

static void fold(struct rrt_thread *t) {
  rrt_account_ended(t->tid, t->start_ticks, t->end_ticks, t->end_cpu_ns, t->end_runnable_ns,
                    t->end_runnable_weight);
}

static void read(struct rrt_checkpoint *c) {
  state.clock = (struct rrt_facts_clock){.hz = c->env.timer_hz,
                                         .when_shift = c->env.when_shift,
                                         .now_ticks = c->env.elapsed_ticks,
                                         .now_ns = rrt_sys_time_ns()};
  rrt_facts_look();
  rrt_pressure_read(c->env.elapsed_ticks, &state.pressure);
  rrt_account_read(&c->env, c->env.hypervisor != 0, &state.account);
}

static void write_fact(const struct reticle_file_fact *record) {
  rrt_chunk_add_copy(record, sizeof *record);
}

static void write(struct rrt_checkpoint *c) {
  (void)c;
  rrt_chunk_write("account", &state.account, sizeof state.account, 1);
  rrt_chunk_write("pressure", &state.pressure, sizeof state.pressure, 1);
  rrt_chunk_begin("facts", sizeof(struct reticle_file_fact));
  for (uint32_t i = 1; i < rrt_store.count; i++)
    rrt_facts_visit(rrt_store.loops[i].facts, rrt_store.loops[i].record.id, &state.clock,
                    write_fact);
  rrt_chunk_end();
}

const struct rrt_feature rrt_feature_account = {.start = rrt_facts_start,
                                                .begin = rrt_account_start,
                                                .forked = rrt_facts_forked,
                                                .has_forked = rrt_account_forked,
                                                .stop = rrt_facts_close,
                                                .left = left,
                                                .fold = fold,
                                                .look_first = rrt_account_watch,
                                                .read = read,
                                                .write = write};
