// environment.c - keeps the pointer to the variables, and finds one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/environment.h"

#include "runtime/sys/sys.h"

enum { BYTES_MAX = 256 << 10 };

static int starts_with(const char *text, const char *start) {
  while (*start && *text == *start) {
    text++;
    start++;
  }
  return !*start;
}

static int is_needed(const char *variable) {
  static const char *const names[] = {"RETICLE_",
                                      "HOME=",
                                      "XDG_CACHE_HOME=",
                                      "PATH=",
                                      "LD_LIB",
                                      "PMI_",
                                      "PMIX_RANK=",
                                      "PMIX_NAMESPACE=",
                                      "MPI_LOCALRANKID=",
                                      "OMPI_COMM_",
                                      "SLURM_PROCID=",
                                      "SLURM_STEP_",
                                      "SLURM_LOCALID=",
                                      "SLURM_JOB_ID=",
                                      "PBS_JOBID=",
                                      "LSB_JOBID=",
                                      "TERM=",
                                      "NO_COLOR=",
                                      "COLUMNS=",
                                      "LC_",
                                      "LANG="};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (starts_with(variable, names[i]))
      return 1;
  return 0;
}

static size_t bytes_of(const char *variable) { return sizeof(char *) + rrt_length(variable) + 1; }

struct copy {
  char **next; // of the pointers, which lie in front of the texts
  char *text;
  size_t left; // bytes
};

static void add(struct copy *c, const char *variable) {
  size_t bytes = bytes_of(variable);
  if (bytes > c->left)
    return;
  c->left -= bytes;
  *c->next++ = c->text;
  rrt_copy(c->text, variable, bytes - sizeof(char *));
  c->text += bytes - sizeof(char *);
}

static struct {
  char guard[sizeof RRT_ENVIRONMENT_GUARD "=1"]; // in front of the copy
  int is_copy;
} state = {.guard = RRT_ENVIRONMENT_GUARD "=1"};

char *const *rrt_environment_copy(char *const *environment) {
  size_t bytes = 0, count = 0;
  for (; environment && environment[count]; count++)
    bytes += bytes_of(environment[count]);
  int is_whole = bytes <= BYTES_MAX;
  bytes = is_whole ? bytes : BYTES_MAX;
  // A pointer takes more than the texts it could be for, so there is room for that many.
  size_t most = is_whole ? count : BYTES_MAX / sizeof(char *);
  char **copy = rrt_sys_map((most + 2) * sizeof *copy + bytes);
  if (!copy)
    return environment;
  *copy++ = state.guard;
  state.is_copy = 1;
  struct copy c = {copy, (char *)(copy + most + 1), bytes};
  for (size_t i = 0; i < count; i++)
    if (is_whole || is_needed(environment[i]))
      add(&c, environment[i]);
  for (size_t i = 0; i < count && !is_whole; i++)
    if (!is_needed(environment[i]))
      add(&c, environment[i]);
  *c.next = NULL;
  return copy;
}

char *const *rrt_environment_of_tool(char *const *copy) { return state.is_copy ? copy - 1 : copy; }

const char *rrt_environment_get(char *const *environment, const char *name) {
  size_t n = rrt_length(name);
  for (; environment && *environment; environment++) {
    size_t i = 0;
    while (i < n && (*environment)[i] == name[i])
      i++;
    if (i == n && (*environment)[n] == '=')
      return *environment + n + 1;
  }
  return NULL;
}
