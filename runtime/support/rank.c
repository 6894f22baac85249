// rank.c - reads the rank from variables of Open MPI, PMIx, PMI (MPICH) and Slurm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/rank.h"

#include "runtime/support/environment.h"
#include "runtime/support/text.h"

// Steps that Slurm numbers itself have numbers from here on: 0xfffffffb is the batch script,
// 0xfffffffa an interactive shell (slurm/slurm.h, SLURM_MAX_NORMAL_STEP_ID).
#define SLURM_STEPS_MOST UINT32_C(0xfffffff0)

/// Variables of a launcher; null: it has none for that.
struct launcher {
  const char *name, *rank, *size, *local_rank;
};

// The nearest to the program first: mpirun within a step of Slurm sets its own beside Slurm's.
static const struct launcher launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMIx", "PMIX_RANK", 0, 0},
    {"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
};
enum { SLURM = sizeof launchers / sizeof launchers[0] - 1 };

static uint32_t read_number(char *const *environment, const char *name) {
  const char *text = name ? rrt_environment_get(environment, name) : 0;
  uint64_t value;
  size_t digits = text ? rrt_parse_number(text, &value) : 0;
  return digits && !text[digits] && value < RRT_RANK_UNKNOWN ? (uint32_t)value : RRT_RANK_UNKNOWN;
}

static int is_slurm_step(char *const *environment) {
  return read_number(environment, "SLURM_STEP_ID") < SLURM_STEPS_MOST;
}

static void read_numbers(char *const *environment, const struct launcher *from,
                         struct rrt_rank *out) {
  if (out->size == RRT_RANK_UNKNOWN)
    out->size = read_number(environment, from->size);
  if (out->size <= out->rank) // another job's
    out->size = RRT_RANK_UNKNOWN;
  if (out->local_rank == RRT_RANK_UNKNOWN)
    out->local_rank = read_number(environment, from->local_rank);
}

static const char *find_job(char *const *environment) {
  static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PMIX_NAMESPACE"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *value = rrt_environment_get(environment, names[i]);
    if (value && *value)
      return value;
  }
  return "";
}

void rrt_rank_read(char *const *environment, struct rrt_rank *out) {
  int has_step = is_slurm_step(environment);
  *out = (struct rrt_rank){
      .rank = RRT_RANK_UNKNOWN, .size = RRT_RANK_UNKNOWN, .local_rank = RRT_RANK_UNKNOWN};
  for (unsigned i = 0; i <= SLURM; i++) {
    uint32_t rank = read_number(environment, launchers[i].rank);
    if (rank == RRT_RANK_UNKNOWN || (i == SLURM && !has_step))
      continue;
    out->rank = rank;
    out->text = rrt_environment_get(environment, launchers[i].rank);
    out->launcher = launchers[i].name;
    out->job = find_job(environment);
    read_numbers(environment, &launchers[i], out);
    // Started by srun through PMIx or PMI: the numbers are Slurm's.
    if (has_step && read_number(environment, launchers[SLURM].rank) == rank)
      read_numbers(environment, &launchers[SLURM], out);
    return;
  }
}
