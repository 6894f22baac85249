// mpi_shapes.h - wrappers of calls that are measured alike: the clock, the call, whom it was with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_WAITS_MPI_SHAPES_H
#define RETICLE_RUNTIME_WAITS_MPI_SHAPES_H

#include "runtime/waits/mpi_visit.h"

#define HERE __builtin_return_address(0)
#define ENTER(name)                                                                                \
  struct waits_call call;                                                                          \
  int is_counted = enter(&call, "MPI_" #name, HERE)
/// The clock first; then what MPI is asked, if the call succeeded.
#define LEAVE(kind, what)                                                                          \
  do {                                                                                             \
    if (!is_counted)                                                                               \
      break;                                                                                       \
    end(&call, kind);                                                                              \
    if (result == MPI_SUCCESS)                                                                     \
      what;                                                                                        \
    else                                                                                           \
      leave(&call);                                                                                \
  } while (0)

#define PEER(name, kind, bytes, peer, parameters, arguments)                                       \
  static int wrap_##name parameters {                                                              \
    ENTER(name);                                                                                   \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(kind, leave_peer(&call, bytes, comm, peer));                                             \
    return result;                                                                                 \
  }

/// A receive: the status tells who sent, and the caller may not want it.
#define RECEIVE(name, bytes, parameters, arguments)                                                \
  static int wrap_##name parameters {                                                              \
    MPI_Status own;                                                                                \
    ENTER(name);                                                                                   \
    if (is_counted && status == MPI_STATUS_IGNORE && source == MPI_ANY_SOURCE)                     \
      status = &own;                                                                               \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(RETICLE_WAIT_RECEIVE,                                                                    \
          leave_peer(&call, bytes, comm, source == MPI_ANY_SOURCE ? status->MPI_SOURCE : source)); \
    return result;                                                                                 \
  }

#define START(name, flags, peer, parameters, arguments)                                            \
  static int wrap_##name parameters {                                                              \
    ENTER(name);                                                                                   \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(RETICLE_WAIT_NOTHING,                                                                    \
          leave_start(&call, bytes_to(peer, n, type), *request, comm, peer, flags));               \
    return result;                                                                                 \
  }

#define START_ALL(name, bytes, parameters, arguments)                                              \
  static int wrap_##name parameters {                                                              \
    ENTER(name);                                                                                   \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(RETICLE_WAIT_NOTHING, leave_start_all(&call, bytes, *request));                          \
    return result;                                                                                 \
  }

#define COLLECTIVE(name, kind, bytes, root, parameters, arguments)                                 \
  static int wrap_##name parameters {                                                              \
    ENTER(name);                                                                                   \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(kind, leave_collective(&call, bytes, comm, root));                                       \
    return result;                                                                                 \
  }

#define OTHER(name, parameters, arguments)                                                         \
  static int wrap_##name parameters {                                                              \
    ENTER(name);                                                                                   \
    int result = NEXT(name) arguments;                                                             \
    LEAVE(RETICLE_WAIT_NOTHING, leave(&call));                                                     \
    return result;                                                                                 \
  }

#define ALL(name, bytes, parameters, arguments)                                                    \
  COLLECTIVE(name, RETICLE_WAIT_ALL, bytes, -1, parameters, arguments)

/// Types beside a peer that is MPI_PROC_NULL, or a buffer that is MPI_IN_PLACE, may be no types.
static uint64_t bytes_to(int peer, int n, MPI_Datatype type) {
  return peer == MPI_PROC_NULL ? 0 : bytes_of(n, type);
}

static uint64_t bytes_from(const void *buffer, int n, MPI_Datatype type) {
  return buffer == MPI_IN_PLACE ? 0 : bytes_of(n, type);
}

#endif
