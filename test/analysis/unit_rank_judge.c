// unit_rank_judge.c - cells by hand: which rank is named, of which kind, and what imbalance costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/rank_judge.h"

#include "test/unit.h"

enum { RANKS = 8, LOOPS = 3, SLOW = 5 };

/// A job: every loop of every rank takes 1 s, 1000 iterations of 1 ms, all CPU time.
struct job {
  struct rank_cell cells[LOOPS][RANKS];
  struct rank_facts ranks[RANKS];
};

static struct job job_make(void) {
  struct job job;
  for (int r = 0; r < RANKS; r++) {
    double some = 0.002 * (r % 3); // they differ a little
    job.ranks[r] = (struct rank_facts){.queued_log = 0.05 + some,
                                       .waited = {0.02 + some, 0.003},
                                       .cycle_ns = 0.4 * (1 + some),
                                       .run_ns = 4e9};
    for (int l = 0; l < LOOPS; l++)
      job.cells[l][r] = (struct rank_cell){.executions = 100,
                                           .samples = 100,
                                           .total_ns = 1e9,
                                           .work = 1000,
                                           .asked = {log(1e6) + some, 0.005},
                                           .waited = {0.02 + some, 0.005},
                                           .timed = {NAN, NAN}};
  }
  return job;
}

static struct rank_judged judge(struct job *job, size_t loops) {
  const struct rank_cell *cells[LOOPS] = {job->cells[0], job->cells[1], job->cells[2]};
  struct rank_judged judged;
  rank_judge(cells, loops, job->ranks, RANKS, &judged);
  return judged;
}

/// The job has one finding, of the slow rank in loop 0, of that kind and factor.
static void check_one(struct job *job, size_t loops, enum rank_kind kind, double factor) {
  struct rank_judged judged = judge(job, loops);
  CHECK(judged.count == 1);
  if (judged.count) {
    CHECK_EQUAL(judged.findings[0].rank, SLOW);
    CHECK_EQUAL(judged.findings[0].loop, 0);
    CHECK_TEXT(rank_kind_name(judged.findings[0].kind), rank_kind_name(kind));
    CHECK_NEAR(judged.findings[0].factor.value, factor, 0.02 * factor);
    CHECK(judged.findings[0].factor.low < factor && judged.findings[0].factor.high > factor);
  }
  rank_judged_release(&judged);
}

static void test_alike(void) {
  struct job job = job_make();
  struct rank_judged judged = judge(&job, LOOPS);
  CHECK_EQUAL(judged.count, 0);
  CHECK_EQUAL(judged.tests, 2 * LOOPS + 1); // waiting is compared once
  CHECK_NEAR(judged.loops[0].imbalance.value, 1, 1e-9);
  CHECK_NEAR(judged.loops[0].lost_ns.value, 0, 1);
  CHECK_NEAR(judged.loops[0].total_ns.value, 8e9, 1);
  rank_judged_release(&judged);
}

/// Three times the iterations: 3 s, and the mean of all is 1.25 s.
static void test_work(void) {
  struct job job = job_make();
  job.cells[0][SLOW].work = 3000;
  job.cells[0][SLOW].total_ns = 3e9;
  check_one(&job, LOOPS, RANK_WORK, 3);
  struct rank_judged judged = judge(&job, LOOPS);
  CHECK_NEAR(judged.loops[0].imbalance.value, 3 / 1.25, 1e-9);
  CHECK_NEAR(judged.loops[0].lost_ns.value, 1.75e9, 1);
  CHECK_NEAR(judged.findings[0].excess_ns.value, 2e9, 1e7);
  rank_judged_release(&judged);
}

/// A loop inside has the work: the one around it isn't called slow memory.
static void test_work_inside(void) {
  struct job job = job_make();
  for (int r = 0; r < RANKS; r++)
    job.cells[1][r].total_ns = 1.1e9; // around loop 0
  job.cells[0][SLOW].work = 3000;
  job.cells[0][SLOW].total_ns = 3e9;
  job.cells[1][SLOW].total_ns = 3.1e9;
  job.cells[1][SLOW].asked.log += log(3.1 / 1.1);
  struct rank_judged judged = judge(&job, 2);
  CHECK_EQUAL(judged.count, 2);
  for (size_t i = 0; i < judged.count; i++)
    CHECK_EQUAL(judged.findings[i].kind, RANK_WORK);
  rank_judged_release(&judged);
}

static void test_waits(void) {
  struct job job = job_make();
  job.cells[0][SLOW].waited.log += log(2);
  job.cells[0][SLOW].total_ns = 2e9;
  struct rank_judged judged = judge(&job, LOOPS); // the rank as a whole doesn't wait
  CHECK_EQUAL(judged.count, 0);
  rank_judged_release(&judged);
  job.ranks[SLOW].queued_log += log(1.5);
  judged = judge(&job, LOOPS); // it waits elsewhere: in MPI, as it has little to do
  CHECK_EQUAL(judged.count, 0);
  rank_judged_release(&judged);
  for (int l = 0; l < LOOPS; l++) // with little to do: also by loops that are unsure
    job.cells[l][SLOW].work = 100;
  job.ranks[SLOW].waited = (struct rank_level){0.02 + log(1.5), 0.2};
  judged = judge(&job, LOOPS);
  CHECK_EQUAL(judged.count, 0);
  rank_judged_release(&judged);
  for (int l = 0; l < LOOPS; l++) // with as much as the others
    job.cells[l][SLOW].work = 1000;
  check_one(&job, LOOPS, RANK_NODE, 2);
}

/// The same iterations, more CPU time: the memory, unless the core or the build is another.
static void test_cpu_time(void) {
  struct job job = job_make();
  job.cells[0][SLOW].asked.log += log(2);
  job.cells[0][SLOW].total_ns = 2e9;
  check_one(&job, LOOPS, RANK_MEMORY, 2);
  job.ranks[SLOW].cycle_ns = 0.8;
  check_one(&job, LOOPS, RANK_NODE, 2);
  job.ranks[SLOW].is_odd = true;
  check_one(&job, LOOPS, RANK_CODE, 2);
}

/// All loops slower alike: the whole rank is.
static void test_all_loops(void) {
  struct job job = job_make();
  for (int l = 0; l < LOOPS; l++) {
    job.cells[l][SLOW].asked.log += log(1.5);
    job.cells[l][SLOW].total_ns = 1.5e9;
  }
  struct rank_judged judged = judge(&job, LOOPS);
  CHECK_EQUAL(judged.count, LOOPS);
  for (size_t i = 0; i < judged.count; i++)
    CHECK(judged.findings[i].rank == SLOW && judged.findings[i].kind == RANK_NODE);
  rank_judged_release(&judged);
}

/// What costs under 1 % of the rank's time, and what isn't known, names nobody.
static void test_not_named(void) {
  struct job job = job_make();
  job.cells[0][SLOW].work = 3000;
  for (int r = 0; r < RANKS; r++)
    job.cells[0][r].total_ns = 1e7;
  struct rank_judged judged = judge(&job, LOOPS);
  CHECK_EQUAL(judged.count, 0);
  rank_judged_release(&judged);
  job = job_make();
  for (int r = 0; r < RANKS; r++) // iterations that nobody counted
    job.cells[0][r].work = job.cells[0][r].asked.log = job.cells[0][r].waited.log = NAN;
  job.cells[0][SLOW].total_ns = 5e9;
  judged = judge(&job, 1);
  CHECK_EQUAL(judged.count, 0);
  CHECK_EQUAL(judged.tests, 1);
  CHECK_EQUAL(judged.loops[0].compared[RANK_BY_CPU], 0);
  CHECK(judged.loops[0].imbalance.value > 3);
  rank_judged_release(&judged);
  for (int r = 0; r < RANKS; r++)
    job.cells[0][r] = (struct rank_cell){0};
  judged = judge(&job, 1);
  CHECK_EQUAL(judged.loops[0].entered, 0);
  CHECK(judged.loops[0].imbalance.status == QUANTITY_TOO_FEW);
  rank_judged_release(&judged);
}

/// Many small loops: each costs little, and all together much.
static void test_small_loops(void) {
  enum { SMALL = 100 };
  struct job job = job_make();
  const struct rank_cell *cells[SMALL];
  for (int r = 0; r < RANKS; r++) {
    job.cells[0][r].total_ns = 3e7; // of 4 s: 0.75 %
    job.cells[0][r].work = 1000;
  }
  job.cells[0][SLOW].total_ns = 6e7;
  job.cells[0][SLOW].asked.log += log(2);
  for (size_t l = 0; l < SMALL; l++)
    cells[l] = job.cells[0];
  struct rank_judged judged;
  rank_judge(cells, SMALL, job.ranks, RANKS, &judged);
  CHECK_EQUAL(judged.count, SMALL);
  CHECK(judged.count && judged.findings[0].kind == RANK_NODE); // all of them are slower alike
  rank_judged_release(&judged);
  rank_judge(cells, 6, job.ranks, RANKS, &judged); // 4.5 %
  CHECK_EQUAL(judged.count, 0);
  rank_judged_release(&judged);
}

/// Half of the ranks, but all of one host.
static void test_host(void) {
  struct job job = job_make();
  for (int r = 0; r < RANKS / 2; r++) {
    job.ranks[r].host = 1;
    for (int l = 0; l < LOOPS; l++) {
      job.cells[l][r].asked.log += log(1.4);
      job.cells[l][r].total_ns = 1.4e9;
    }
  }
  struct rank_judged judged = judge(&job, LOOPS);
  CHECK_EQUAL(judged.count, LOOPS * RANKS / 2);
  for (size_t i = 0; i < judged.count; i++) {
    CHECK(judged.findings[i].rank < RANKS / 2 && judged.findings[i].by_host);
    CHECK_NEAR(judged.findings[i].factor.value, 1.4, 0.05);
  }
  rank_judged_release(&judged);
}

/// Without the kernel's answers the median durations are compared.
static void test_timed(void) {
  struct job job = job_make();
  for (int r = 0; r < RANKS; r++) {
    job.cells[0][r].asked.log = job.cells[0][r].waited.log = NAN;
    job.cells[0][r].timed = (struct rank_level){log(1e6) + 0.002 * r, 0.003};
  }
  job.cells[0][SLOW].timed.log += log(2);
  job.cells[0][SLOW].total_ns = 2e9;
  check_one(&job, LOOPS, RANK_MEMORY, 2);
}

int main(void) {
  RUN(test_alike);
  RUN(test_work);
  RUN(test_work_inside);
  RUN(test_waits);
  RUN(test_cpu_time);
  RUN(test_all_loops);
  RUN(test_not_named);
  RUN(test_small_loops);
  RUN(test_host);
  RUN(test_timed);
  return unit_status();
}
