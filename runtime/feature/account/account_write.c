// account_write.c - the feature `account` in a profile: where time went, pressure, facts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/account/account.h"
#include "runtime/feature/account/facts.h"
#include "runtime/feature/account/pressure.h"
#include "runtime/feature/loop/store.h"
#include "runtime/support/chunk.h"
#include "runtime/sys/sys.h"

static struct {
  struct reticle_file_account account;
  struct reticle_file_pressure pressure;
  struct rrt_facts_clock clock;
} state;

// Behind its end: what it waited.
static void left(struct rrt_thread *t) {
  rrt_facts_leave(t);
  t->end_runnable_ns = rrt_account_own_runnable_ns();
}

static void fold(struct rrt_thread *t) {
  rrt_account_ended(t->tid, t->start_ticks, t->end_ticks, t->end_cpu_ns, t->end_runnable_ns);
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
