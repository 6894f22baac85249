// unit_facts.c - facts of executions one within the other, by a clock that the test advances.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/facts.h"
#include "runtime/probe/rate.h"
#include "runtime/probe/thread.h"
#include "test/unit.h"

#include <string.h>

enum { LEAST_TICKS = 50000, READ_TICKS = 500, SWITCH_TICKS = 10000000, LONG_TICKS = 1000000 };

struct rrt_probe_control rrt_probe;

static struct rrt_thread thread;
static unsigned reads, preemptions, pending;

int rrt_rate_allows_facts(const struct rrt_thread *t, uint32_t duration_ticks) {
  (void)t;
  return duration_ticks > 0;
}

// A thread whose turn is over is switched out on its way back from a system call: the count that
// it brings is the one before.
static int read_kernel(struct rrt_facts *out) {
  reads++;
  *out = (struct rrt_facts){.preemptions = (uint16_t)preemptions};
  rrt_scripted_ticks += READ_TICKS;
  if (pending) {
    pending = 0;
    preemptions++;
    rrt_scripted_ticks += SWITCH_TICKS;
  }
  return 0;
}

static uint64_t read_runnable(struct rrt_thread *t) {
  (void)t;
  return (uint64_t)preemptions * 1000;
}

static void begin(struct rrt_open *o) {
  *o = (struct rrt_open){0};
  thread.open[thread.open_count++] = *o;
  rrt_facts_begin(&thread, &thread.open[thread.open_count - 1], 10, LONG_TICKS);
  *o = thread.open[thread.open_count - 1];
}

static unsigned preemptions_at_end(struct rrt_open *o) {
  struct rrt_record record = {0};
  uint64_t cost;
  CHECK_EQUAL(rrt_facts_end(&thread, o, &record, &cost), 1);
  thread.open_count--;
  return record.covered & 0xffff;
}

static void start(void) {
  memset(&thread, 0, sizeof thread);
  rrt_probe = (struct rrt_probe_control){.facts = read_kernel,
                                         .runnable = read_runnable,
                                         .facts_least_ticks = LEAST_TICKS,
                                         .budget_permille = 8};
  rrt_scripted_ticks += LONG_TICKS;
  reads = preemptions = pending = 0;
}

// One execution within the other, both long.
static void begin_both(struct rrt_open *outer, struct rrt_open *inner) {
  start();
  begin(outer);
  rrt_scripted_ticks += LONG_TICKS;
  begin(inner);
  rrt_scripted_ticks += LONG_TICKS;
}

// What was just read serves for the loop around that ends at once.
static void test_fresh(void) {
  struct rrt_open outer, inner;
  begin_both(&outer, &inner);
  CHECK_EQUAL(preemptions_at_end(&inner), 0);
  CHECK_EQUAL(reads, 3);
  CHECK_EQUAL(preemptions_at_end(&outer), 0);
  CHECK_EQUAL(reads, 3);
}

// The thread is switched out while the inner one's facts are read, which is time of the outer one.
static void test_switched_out_within(void) {
  struct rrt_open outer, inner;
  begin_both(&outer, &inner);
  pending = 1;
  CHECK_EQUAL(preemptions_at_end(&inner), 0);
  CHECK(inner.facts.delay_units > 0);
  CHECK_EQUAL(preemptions_at_end(&outer), 1);
}

int main(void) {
  RUN(test_fresh);
  RUN(test_switched_out_within);
  return unit_status();
}
