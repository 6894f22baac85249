// sampled_runtime.c - tells libraries of MPI and OpenMP by their names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/sampled_runtime.h"

#include "tools/support/names.h"

#include <stddef.h>
#include <string.h>

/// What names begin with: of Open MPI, MPICH, Intel MPI with their transports (UCX, libfabric,
/// PSM); of gcc's, LLVM's and Intel's OpenMP.
static const struct {
  const char *begin;
  enum sampled_runtime runtime;
} names[] = {
    {"libmpi.so", SAMPLED_MPI},    {"libmpi_", SAMPLED_MPI},    {"libmpich", SAMPLED_MPI},
    {"libmpicxx", SAMPLED_MPI},    {"libmpifort", SAMPLED_MPI}, {"libopen-pal", SAMPLED_MPI},
    {"libopen-rte", SAMPLED_MPI},  {"libpmix", SAMPLED_MPI},    {"mca_", SAMPLED_MPI},
    {"libucp.so", SAMPLED_MPI},    {"libuct.so", SAMPLED_MPI},  {"libuct_", SAMPLED_MPI},
    {"libucs.so", SAMPLED_MPI},    {"libucm.so", SAMPLED_MPI},  {"libfabric.so", SAMPLED_MPI},
    {"libpsm2.so", SAMPLED_MPI},   {"libpsm_", SAMPLED_MPI},    {"libgomp", SAMPLED_OPENMP},
    {"libomp.so", SAMPLED_OPENMP}, {"libomp-", SAMPLED_OPENMP}, {"libomp5", SAMPLED_OPENMP},
    {"libiomp5", SAMPLED_OPENMP},
};

enum sampled_runtime sampled_runtime_of(const char *path) {
  const char *name = base_name(path);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i].begin, strlen(names[i].begin)) == 0)
      return names[i].runtime;
  return SAMPLED_PROGRAM;
}

const char *sampled_runtime_name(enum sampled_runtime runtime) {
  return runtime == SAMPLED_MPI ? "MPI" : runtime == SAMPLED_OPENMP ? "OpenMP" : "";
}

const char *sampled_runtime_words(enum sampled_runtime runtime) {
  return runtime == SAMPLED_MPI      ? "(in MPI: waiting, or passing messages)"
         : runtime == SAMPLED_OPENMP ? "(in OpenMP: waiting, or sharing out work)"
                                     : "";
}
