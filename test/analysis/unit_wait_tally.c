// unit_wait_tally.c - who was waited for, with arrivals and messages worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/rank/wait_tally.h"
#include "tools/profile/rank.h"

#include <math.h>

enum { RANKS = 3, BARRIER = 100, BCAST = 101, REDUCE = 102, RECV = 103 };

/// A profile of one rank.
struct made {
  struct profile profile;
  struct profile_rank rank;
  struct profile_wait waits[4];
  struct profile_waitpeer peers[2];
  struct profile_arrival arrivals[8];
  struct profile_waitsource source;
};

static void begin(struct made *made, uint32_t rank) {
  *made = (struct made){.rank = {.start_time_s = 5, .pid = 10 + rank, .host = "n1", .rank = rank},
                        .source = {.pid = 10 + rank, .host = "n1", .name = "MPICH"}};
  made->profile.env.start_time_s = 5;
  made->profile.env.pid = 10 + rank;
  made->profile.env.host = "n1";
  made->profile.env.elapsed_ticks = 1000;
  made->profile.env.timer_hz = 1000000000;
  made->profile.ranks = &made->rank;
  made->profile.rank_count = 1;
  made->profile.waits = made->waits;
  made->profile.waitpeers = made->peers;
  made->profile.arrivals = made->arrivals;
  made->profile.waitsources = &made->source;
  made->profile.waitsource_count = 1;
}

static void add_wait(struct made *made, uint64_t id, uint32_t kind, uint64_t calls, uint64_t ns) {
  made->waits[made->profile.wait_count++] = (struct profile_wait){.start_time_s = 5,
                                                                  .pid = made->rank.pid,
                                                                  .id = id,
                                                                  .calls = calls,
                                                                  .time_ns = ns,
                                                                  .longest_ns = ns,
                                                                  .host = "n1",
                                                                  .module = "",
                                                                  .build_id = "",
                                                                  .operation = "op",
                                                                  .thread = RETICLE_WAIT_NO_THREAD,
                                                                  .kind = kind};
}

static void add_arrival(struct made *made, uint64_t id, uint64_t number, uint64_t at, uint64_t ns,
                        uint32_t root) {
  made->arrivals[made->profile.arrival_count++] = (struct profile_arrival){.start_time_s = 5,
                                                                           .pid = made->rank.pid,
                                                                           .wait = id,
                                                                           .group = 7,
                                                                           .number = number,
                                                                           .at_ns = at,
                                                                           .time_ns = ns,
                                                                           .host = "n1",
                                                                           .root = root};
}

static void add_to(struct wait_tally *tally, const struct made *made) {
  wait_tally_add(tally, &made->profile);
}

static const struct wait_site *site_of(const struct wait_tally *tally, uint64_t id) {
  for (size_t i = 0; i < tally->site_count; i++)
    if (tally->sites[i].id == id)
      return &tally->sites[i];
  return NULL;
}

// A barrier: ranks come at 0, 40, 100 and all leave at 105. They wait 100 and 60 for rank 2.
static void test_barrier(void) {
  static const uint64_t at[RANKS] = {0, 40, 100};
  struct wait_tally tally = {0};
  for (uint32_t r = 0; r < RANKS; r++) {
    struct made made;
    begin(&made, r);
    add_wait(&made, BARRIER, RETICLE_WAIT_ALL, 1, 105 - at[r]);
    add_arrival(&made, BARRIER, 0, at[r], 105 - at[r], RETICLE_WAIT_NOBODY);
    add_to(&tally, &made);
  }
  wait_tally_finish(&tally);
  const struct wait_site *site = site_of(&tally, BARRIER);
  CHECK_EQUAL(site->time_ns, 105 + 65 + 5);
  CHECK_NEAR(site->late_ns, 160, 1e-9);
  CHECK_EQUAL(site->blamed_count, 1);
  CHECK_EQUAL(site->blamed[0].rank, 2);
  CHECK_NEAR(site->blamed[0].time_ns, 160, 1e-9);
  CHECK_EQUAL(site->cells[site->least].time_ns, 5);
  CHECK_EQUAL(tally.processes[site->cells[site->most].process].rank, 0);
  CHECK_NEAR(site->run_ns, 3000, 1e-9);
  wait_tally_release(&tally);
}

// A broadcast from rank 1, which comes at 50: rank 0 waits for it, rank 2 comes later and waits for
// nobody. A reduction to rank 0, which comes first: it alone waits, for rank 2.
static void test_roots(void) {
  static const uint64_t at[RANKS] = {0, 50, 80};
  struct wait_tally tally = {0};
  for (uint32_t r = 0; r < RANKS; r++) {
    struct made made;
    begin(&made, r);
    add_wait(&made, BCAST, RETICLE_WAIT_ROOT, 1, 100);
    add_wait(&made, REDUCE, RETICLE_WAIT_FOR_OTHERS, 1, 100);
    add_arrival(&made, BCAST, 0, at[r], 100, 1);
    add_arrival(&made, REDUCE, 1, at[r], 100, 0);
    add_to(&tally, &made);
  }
  wait_tally_finish(&tally);
  CHECK_NEAR(site_of(&tally, BCAST)->late_ns, 50, 1e-9);
  CHECK_EQUAL(site_of(&tally, BCAST)->blamed[0].rank, 1);
  CHECK_NEAR(site_of(&tally, REDUCE)->late_ns, 80, 1e-9);
  CHECK_EQUAL(site_of(&tally, REDUCE)->blamed[0].rank, 2);
  wait_tally_release(&tally);
}

// Of two barriers the second lacks an arrival: the first alone is compared, and stands for both.
// Nobody waits longer than its call took.
static void test_part(void) {
  static const uint64_t at[RANKS] = {0, 100, 100};
  struct wait_tally tally = {0};
  for (uint32_t r = 0; r < RANKS; r++) {
    struct made made;
    begin(&made, r);
    add_wait(&made, BARRIER, RETICLE_WAIT_ALL, 2, 200);
    add_arrival(&made, BARRIER, 0, at[r], r ? 5 : 30, RETICLE_WAIT_NOBODY);
    if (r != 1)
      add_arrival(&made, BARRIER, 1, 500 + at[r], 100, RETICLE_WAIT_NOBODY);
    add_to(&tally, &made);
  }
  wait_tally_finish(&tally);
  CHECK_EQUAL(site_of(&tally, BARRIER)->compared, 3);
  CHECK_NEAR(site_of(&tally, BARRIER)->late_ns, 60, 1e-9);
  wait_tally_release(&tally);
}

// Two receives of rank 0 waited for ranks 1 and 2; a later checkpoint of it takes the place.
static void test_peers(void) {
  struct wait_tally tally = {0};
  for (uint64_t time = 1; time <= 2; time++) {
    struct made made;
    begin(&made, 0);
    add_wait(&made, RECV, RETICLE_WAIT_RECEIVE, 2, 40 * time);
    if (time == 1) // in the checkpoint that is forgotten alone: sorts before what took no time
      add_wait(&made, BCAST, RETICLE_WAIT_ROOT, 1, 5);
    add_wait(&made, BARRIER + 50, RETICLE_WAIT_ALL, 1, 0);
    made.peers[0] = (struct profile_waitpeer){5, 10, RECV, 1, 10 * time, "n1", 1};
    made.peers[1] = (struct profile_waitpeer){5, 10, RECV, 1, 30 * time, "n1", 2};
    made.profile.waitpeer_count = 2;
    if (time == 2)
      wait_tally_forget(&tally, &made.profile);
    add_to(&tally, &made);
  }
  wait_tally_finish(&tally);
  const struct wait_site *site = site_of(&tally, RECV);
  CHECK_EQUAL(tally.site_count, 2);
  CHECK_EQUAL(site->time_ns, 80);
  CHECK_EQUAL(site->process_count, 1);
  CHECK_EQUAL(site->blamed[0].rank, 2);
  CHECK(isnan(site->late_ns));
  CHECK_NEAR(site->blamed_ns, 80, 1e-9);
  wait_tally_release(&tally);
}

// A lock of pthreads: of the time of all threads, also of a process in which nobody waits, and no
// time in MPI. A later checkpoint takes the place of one before.
static void test_locks(void) {
  struct wait_tally tally = {0};
  struct profile_account account = {.threads_ns = 9000};
  struct made made;
  for (uint32_t round = 0; round < 2; round++) {
    begin(&made, 0);
    add_wait(&made, BARRIER, RETICLE_WAIT_LOCK, 2, round ? 1000 : 500);
    made.profile.account = &account;
    made.profile.account_count = 1;
    if (round)
      wait_tally_forget(&tally, &made.profile);
    add_to(&tally, &made);
    account.threads_ns = 4000;
  }
  begin(&made, 1);
  account.threads_ns = 1000;
  made.profile.account = &account;
  made.profile.account_count = 1;
  add_to(&tally, &made);
  wait_tally_finish(&tally);
  const struct wait_site *site = site_of(&tally, BARRIER);
  CHECK_EQUAL(site->time_ns, 1000);
  CHECK_NEAR(site->run_ns, 5000, 1e-9);
  for (size_t i = 0; i < tally.process_count; i++)
    CHECK_EQUAL(tally.processes[i].mpi_ns, 0);
  wait_tally_release(&tally);
}

// Where no profile says how long threads lived, no share is told.
static void test_locks_alone(void) {
  struct wait_tally tally = {0};
  struct made made;
  begin(&made, 0);
  add_wait(&made, BARRIER, RETICLE_WAIT_LOCK, 2, 1000);
  add_to(&tally, &made);
  wait_tally_finish(&tally);
  CHECK(isnan(site_of(&tally, BARRIER)->run_ns));
  wait_tally_release(&tally);
}

int main(void) {
  RUN(test_barrier);
  RUN(test_roots);
  RUN(test_part);
  RUN(test_peers);
  RUN(test_locks);
  RUN(test_locks_alone);
  return unit_status();
}
