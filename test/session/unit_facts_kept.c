// unit_facts_kept.c - which executions with facts are kept: sums are right, the slowest stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/account/facts.h"
#include "test/unit.h"

enum { MANY = 20000, MOST = 96 };

static struct reticle_file_fact got[MOST];
static unsigned got_count;

static void visit(const struct reticle_file_fact *record) {
  CHECK(got_count < MOST);
  got[got_count++] = *record;
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 32;
}

// One tick is a nanosecond; the clock says that it is 5 s since the start, 100 s since 1970.
static const struct rrt_facts_clock now = {.when_shift = 16,
                                           .hz = 1000000000,
                                           .now_ticks = UINT64_C(5000000000),
                                           .now_ns = UINT64_C(100000000000)};

static void add(struct rrt_facts_kept **kept, uint64_t begin, uint64_t duration, uint32_t faults,
                uint64_t random) {
  struct rrt_record facts = {.index = RRT_FACTS_INDEX,
                             .duration_ticks = duration - 7,
                             .work = 3,
                             .when = faults,
                             .covered = 2 << 16 | 5};
  struct rrt_record sample = {.duration_ticks = duration, .work = 11, .weight = 2};
  rrt_facts_keep(kept, &facts, &sample, begin, duration, 4, random);
}

static void test_few(void) {
  struct rrt_facts_kept *kept = NULL;
  for (unsigned i = 0; i < 10; i++)
    add(&kept, 1000000000 + i, 50000 + i, i, 0x12345678);
  got_count = 0;
  rrt_facts_visit(kept, 77, &now, visit);
  CHECK_EQUAL(got_count, 10); // the slowest are among them
  for (unsigned i = 0; i < 10; i++) {
    CHECK_EQUAL(got[i].loop, 77);
    CHECK_EQUAL(got[i].stands, 2000);
    CHECK_EQUAL(got[i].at_ns, UINT64_C(96000000000) + i);
    CHECK_EQUAL(got[i].duration_ns, 50000 + i);
    CHECK_EQUAL(got[i].cpu_ns, 50000 + i - 7);
    CHECK_EQUAL(got[i].runnable_ns, 3);
    CHECK_EQUAL(got[i].minor_faults, i);
    CHECK_EQUAL(got[i].waits, 2);
    CHECK_EQUAL(got[i].preemptions, 5);
    CHECK_EQUAL(got[i].thread, 4);
    CHECK_EQUAL(got[i].when, 1000000000u >> 16);
  }
  rrt_facts_forget(&kept);
  CHECK(!kept);
  rrt_facts_visit(kept, 77, &now, visit); // none
  CHECK_EQUAL(got_count, 10);
}

// Of many, one in 500 is slow: what all lost is told to some percent, and so is how many there
// were.
static void test_many(void) {
  struct rrt_facts_kept *kept = NULL;
  uint64_t state = 88172645463325252u, lost = 0;
  unsigned slow = 0;
  for (unsigned i = 0; i < MANY; i++) {
    int is_slow = i % 500 == 250;
    uint64_t duration = 100000 + next_random(&state) % 2000 + (is_slow ? 900000 + i : 0);
    lost += 2 * (duration - 100000);
    slow += is_slow;
    add(&kept, i, duration, (uint32_t)is_slow, next_random(&state));
  }
  got_count = 0;
  rrt_facts_visit(kept, 1, &now, visit);
  double told = 0, stands = 0;
  unsigned kept_slow = 0, longest = 0;
  for (unsigned i = 0; i < got_count; i++) {
    told += (double)got[i].stands / 1000 * (double)(got[i].duration_ns - 100000);
    stands += got[i].minor_faults ? (double)got[i].stands / 1000 : 0;
    kept_slow += got[i].minor_faults;
    longest += got[i].duration_ns > 1000000 + MANY - 1500;
  }
  CHECK(told > 0.8 * (double)lost && told < 1.2 * (double)lost);
  CHECK(stands > 1.6 * slow && stands < 2.4 * slow);
  CHECK(kept_slow >= 20);
  CHECK(longest >= 3); // the last three slow ones
  rrt_facts_forget(&kept);
}

int main(void) {
  RUN(test_few);
  RUN(test_many);
  return unit_status();
}
