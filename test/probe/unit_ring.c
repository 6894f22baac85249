// unit_ring.c - a ring loses nothing, keeps the order, and begins anew while it is drained in time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/facts.h"
#include "runtime/probe/rate.h"
#include "runtime/probe/record.h"
#include "runtime/probe/thread.h"
#include "test/unit.h"

#include <string.h>

struct rrt_probe_control rrt_probe;
static struct rrt_thread thread;
static uint64_t put_count, drained_count;

int rrt_rate_allows_facts(const struct rrt_thread *t, uint32_t duration_ticks) {
  (void)t;
  return duration_ticks > 0;
}

static int put(int with_facts) {
  struct rrt_record facts = {.duration_ticks = put_count},
                    record = {.duration_ticks = put_count + (with_facts != 0)};
  int is_put = rrt_record_put(&thread, &record, with_facts ? &facts : NULL);
  put_count += is_put ? 1 + (uint64_t)(with_facts != 0) : 0;
  return is_put;
}

static void drain(uint64_t most) {
  for (; most && thread.ring_tail != thread.ring_head; most--, thread.ring_tail++)
    CHECK_EQUAL(rrt_ring_at(&thread, thread.ring_tail)->duration_ticks, drained_count++);
}

static void begin(uint32_t head) {
  memset(&thread, 0, sizeof thread);
  thread.ring_head = thread.ring_tail = head;
  put_count = drained_count = 0;
}

static void test_begins_anew(void) {
  begin(UINT32_MAX - 100); // the counters wrap
  for (int i = 0; i < 5000; i++) {
    for (int k = 0; k <= i % 3; k++)
      CHECK(put(k & 1));
    drain(UINT64_MAX);
  }
  CHECK_EQUAL(drained_count, put_count);
  for (size_t i = 4; i < RRT_RING_RECORDS; i++)
    CHECK_EQUAL(thread.ring[i].duration_ticks, 0); // memory that was never touched
}

static void test_full(void) {
  begin(7);
  for (int i = 0; i < RRT_RING_RECORDS - 1; i++)
    CHECK(put(0));
  CHECK(!put(1)); // no room for both
  CHECK(put(0));
  CHECK(!put(0));
  drain(RRT_RING_RECORDS / 2);
  for (int i = 0; i < RRT_RING_RECORDS / 4; i++)
    CHECK(put(1));
  CHECK(!put(0));
  drain(UINT64_MAX);
  CHECK_EQUAL(drained_count, put_count);
}

int main(void) {
  RUN(test_begins_anew);
  RUN(test_full);
  return unit_status();
}
