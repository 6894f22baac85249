// unit_rank.c - the rank that launchers name in the environment, and what none of them said.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/rank.h"

#include "test/unit.h"

#include <stddef.h>

static struct rrt_rank read_rank(char *const *environment) {
  struct rrt_rank rank;
  rrt_rank_read(environment, &rank);
  return rank;
}
#define READ(...) read_rank((char *const[]){"HOME=/", __VA_ARGS__, NULL})

static void test_launchers(void) {
  struct rrt_rank r = READ("OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8",
                           "OMPI_COMM_WORLD_LOCAL_RANK=1", "PMIX_NAMESPACE=4711", "PMIX_RANK=3");
  CHECK_TEXT(r.launcher, "Open MPI");
  CHECK_TEXT(r.text, "3");
  CHECK_TEXT(r.job, "4711");
  CHECK_EQUAL(r.rank, 3);
  CHECK_EQUAL(r.size, 8);
  CHECK_EQUAL(r.local_rank, 1);
  r = READ("PMI_RANK=0", "PMI_SIZE=2", "MPI_LOCALRANKID=0");
  CHECK_TEXT(r.launcher, "PMI");
  CHECK_EQUAL(r.rank, 0);
  CHECK_EQUAL(r.size, 2);
  CHECK_EQUAL(r.local_rank, 0);
  CHECK_TEXT(r.job, "");
  r = READ("SLURM_PROCID=5", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=16", "SLURM_LOCALID=2",
           "SLURM_JOB_ID=99");
  CHECK_TEXT(r.launcher, "Slurm");
  CHECK_EQUAL(r.rank, 5);
  CHECK_EQUAL(r.size, 16);
  CHECK_EQUAL(r.local_rank, 2);
  CHECK_TEXT(r.job, "99");
}

/// What isn't told is unknown, never 0.
static void test_unknown(void) {
  struct rrt_rank r = READ("USER=x");
  CHECK(!r.text);
  CHECK_EQUAL(r.rank, RRT_RANK_UNKNOWN);
  r = READ("PMIX_RANK=7");
  CHECK_EQUAL(r.rank, 7);
  CHECK_EQUAL(r.size, RRT_RANK_UNKNOWN);
  CHECK_EQUAL(r.local_rank, RRT_RANK_UNKNOWN);
  // No numbers, and those of another job.
  CHECK(!READ("PMI_RANK=").text);
  CHECK(!READ("PMI_RANK=-1").text);
  CHECK(!READ("PMI_RANK=3x").text);
  CHECK(!READ("PMI_RANK=4294967295").text);
  CHECK_EQUAL(READ("PMI_RANK=3", "PMI_SIZE=2").size, RRT_RANK_UNKNOWN);
}

/// A batch script and all that it starts have Slurm's variables of rank 0, but are no step.
static void test_slurm(void) {
  CHECK(!READ("SLURM_PROCID=0", "SLURM_JOB_ID=99", "SLURM_NTASKS=8").text);
  CHECK(!READ("SLURM_PROCID=0", "SLURM_STEP_ID=4294967291").text);
  CHECK(!READ("SLURM_PROCID=0", "SLURM_STEP_ID=4294967290").text);
  // mpirun within a job: its own numbers count, Slurm's job.
  struct rrt_rank r =
      READ("SLURM_PROCID=0", "SLURM_JOB_ID=99", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=1",
           "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4", "PMIX_NAMESPACE=5");
  CHECK_EQUAL(r.rank, 3);
  CHECK_EQUAL(r.size, 4);
  CHECK_TEXT(r.job, "99");
  // srun with PMIx: that has no size, and the step has.
  r = READ("PMIX_RANK=2", "SLURM_PROCID=2", "SLURM_STEP_ID=1", "SLURM_STEP_NUM_TASKS=4",
           "SLURM_LOCALID=0");
  CHECK_TEXT(r.launcher, "PMIx");
  CHECK_EQUAL(r.size, 4);
  CHECK_EQUAL(r.local_rank, 0);
}

int main(void) {
  RUN(test_launchers);
  RUN(test_unknown);
  RUN(test_slurm);
  return unit_status();
}
