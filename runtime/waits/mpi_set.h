// mpi_set.h - between the calls that the program binds to and what is done in them for each MPI.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_WAITS_MPI_SET_H
#define RETICLE_RUNTIME_WAITS_MPI_SET_H

enum mpi_call {
#define MPI_CALL(name, n) MPI_CALL_##name,
#include "runtime/waits/mpi_calls.def"
  MPI_CALLS
};

/// What stands behind this library: MPI itself, or the next tool. Set once, by the first call.
extern void *waits_mpi_next[MPI_CALLS];

/// Wrappers compiled with the header of one MPI, whose types have other sizes than another's.
struct mpi_set {
  const char *version;   ///< what MPI_Get_library_version begins with
  void *const *wrappers; ///< [MPI_CALLS]
  /// Looks up what the wrappers call besides. Returns 0 if that isn't there.
  int (*start)(void *(*find)(const char *name));
};

extern const struct mpi_set waits_openmpi, waits_mpich;

#endif
