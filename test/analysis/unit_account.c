// unit_account.c - where the time of a run went: parts that make all of it, and what isn't known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/run/account.h"

#include <errno.h>
#include <string.h>

struct made {
  struct profile profile;
  struct profile_account account;
  struct overview overview;
};

// 3 threads: 10 s of life.
static void begin(struct made *made) {
  *made = (struct made){.account = {.wall_ticks = 4000000000,
                                    .threads_ns = 10000000000,
                                    .user_ns = 5000000000,
                                    .system_ns = 1000000000,
                                    .runnable_ns = 2500000000,
                                    .stopped_ns = 500000000,
                                    .stolen_ns = 30000000,
                                    .minor_faults = 70,
                                    .major_faults = 7,
                                    .waits = 11,
                                    .preemptions = 5,
                                    .migrations = 3}};
  made->profile.env.elapsed_ticks = 4000000000;
  made->profile.env.timer_hz = 1000000000;
  made->profile.env.stop_watch = 1;
  made->profile.account = &made->account;
  made->profile.account_count = 1;
  made->overview = overview_of(&made->profile);
}

static struct account of(const struct made *made) {
  return account_of(&made->profile, &made->overview);
}

static void test_parts(void) {
  struct made made;
  begin(&made);
  struct account a = of(&made);
  CHECK(!a.no_counts);
  CHECK_NEAR(a.blocked_ns.value, 1e9, 1e-3);
  CHECK_NEAR(a.stolen_ns.value, 3e7, 1e-3);
  CHECK_EQUAL(a.switches, 16);
  CHECK_EQUAL(a.migrations, 3);
  begin(&made);
  made.profile.env.stop_watch = 0;
  a = of(&made);
  CHECK(a.stopped_ns.status != QUANTITY_OK);
  CHECK_NEAR(a.blocked_ns.value, 1.5e9, 1e-3);
  CHECK(strstr(a.blocked_ns.reason, "stopped") != NULL);
}

static double sum_of(const struct account *a) {
  return a->user_ns.value + a->system_ns.value + a->runnable_ns.value + a->blocked_ns.value +
         a->stopped_ns.value;
}

/// As of an interval: `reticle top` said "waited for a CPU 3.39 s (109 %)" of one thread.
static void test_no_room(void) {
  struct made made;
  begin(&made);
  made.account.runnable_ns = 9000000000;
  struct account a = of(&made);
  CHECK_NEAR(a.runnable_ns.value, 3.5e9, 1e-3);
  CHECK_NEAR(a.blocked_ns.value, 0, 0);
  CHECK_NEAR(sum_of(&a), a.threads_ns.value, 1e-3);
  begin(&made);
  made.account.threads_ns = 6000000000; // CPU time and stops were read a little later
  a = of(&made);
  CHECK_NEAR(a.threads_ns.value, 6.5e9, 1e-3);
  CHECK_NEAR(a.runnable_ns.value, 0, 0);
  CHECK_NEAR(sum_of(&a), a.threads_ns.value, 1e-3);
}

/// Whatever is read, no part is more than the whole.
static void test_parts_of_all(void) {
  uint64_t state = 5;
  for (int i = 0; i < 2000; i++) {
    struct made made;
    begin(&made);
    uint64_t *const parts[] = {&made.account.threads_ns, &made.account.user_ns,
                               &made.account.system_ns, &made.account.runnable_ns,
                               &made.account.stopped_ns};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
      *parts[k] = (uint64_t)(1e10 * unit_uniform(&state));
    struct account a = of(&made);
    CHECK_NEAR(sum_of(&a), a.threads_ns.value, 1);
    CHECK(a.blocked_ns.value >= 0 && a.runnable_ns.value >= 0);
  }
}

static void test_not_measured(void) {
  struct made made;
  begin(&made);
  made.account.runnable_ns = made.account.threads_ns = made.account.migrations = UINT64_MAX;
  made.account.runnable_error = ENOTSUP;
  struct account a = of(&made);
  CHECK(a.runnable_ns.status != QUANTITY_OK && a.blocked_ns.status != QUANTITY_OK);
  CHECK_TEXT(a.runnable_ns.reason, "the kernel keeps no such times");
  CHECK(!a.has_migrations && !a.no_counts);
  CHECK_NEAR(a.user_ns.value, 5e9, 1e-3);
  begin(&made);
  made.account.stolen_ns = UINT64_MAX;
  made.account.stolen_error = ENOTSUP;
  CHECK_TEXT(of(&made).stolen_ns.reason, "the hypervisor tells none");
  begin(&made); // an older runtime
  made.profile.account_count = 0;
  a = of(&made);
  CHECK(a.no_counts && a.user_ns.status != QUANTITY_OK && a.blocked_ns.status != QUANTITY_OK);
  begin(&made); // merged with one
  made.profile.env.elapsed_ticks += 1;
  CHECK_TEXT(of(&made).no_counts, "not measured in all of the merged runs");
}

int main(void) {
  RUN(test_parts);
  RUN(test_no_room);
  RUN(test_parts_of_all);
  RUN(test_not_measured);
  return unit_status();
}
