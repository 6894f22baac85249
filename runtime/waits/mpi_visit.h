// mpi_visit.h - what all wrappers of MPI calls do before and behind the call; for one MPI.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_WAITS_MPI_VISIT_H
#define RETICLE_RUNTIME_WAITS_MPI_VISIT_H

#include "runtime/waits/mpi_peers.h"
#include "runtime/waits/mpi_set.h"

#define NEXT(name) ((__typeof__(&MPI_##name))waits_mpi_next[MPI_CALL_##name])

enum { MPI_NOT_YET, MPI_IS_UP, MPI_IS_OVER };

static int mpi_state; // what is asked of MPI before its start or behind its end is an error
static __thread int is_inside __attribute__((tls_model("initial-exec")));

/// Whether the call is to be counted: not one that a call of MPI makes.
static int enter(struct waits_call *call, const char *operation, const void *address) {
  if (is_inside)
    return 0;
  if (mpi_state != MPI_IS_UP) {
    int is_up = 0, is_over = 0;
    if (mpi_state == MPI_IS_OVER || ask.Initialized(&is_up) != MPI_SUCCESS || !is_up ||
        ask.Finalized(&is_over) != MPI_SUCCESS || is_over)
      return 0;
    mpi_state = MPI_IS_UP; // by a binding that these wrappers aren't in the way of
  }
  is_inside = 1;
  *call = (struct waits_call){.address = address,
                              .operation = operation,
                              .thread = RETICLE_WAIT_NO_THREAD,
                              .source = RETICLE_WAIT_MPI,
                              .start_ns = waits_now_ns()};
  return 1;
}

static void end(struct waits_call *call, enum reticle_wait_kind kind) {
  call->time_ns = waits_now_ns() - call->start_ns;
  call->kind = kind;
  is_inside = 0;
}

/// A call with nobody behind it, or that failed.
static void leave(struct waits_call *call) {
  waits_lock();
  waits_add(call);
  waits_unlock();
}

// Those below are for calls that `end` has been called for and that succeeded: what MPI is asked
// then has proved to be valid.

/// rank  in the communicator
static void leave_peer(struct waits_call *call, uint64_t bytes, MPI_Comm comm, int rank) {
  call->bytes = bytes;
  waits_lock();
  uint32_t site = waits_add(call);
  waits_add_peer(site, comm_world_rank(comm_find(comm), rank), call->time_ns);
  waits_unlock();
}

/// root  in the communicator; -1: there is none
static void leave_collective(struct waits_call *call, uint64_t bytes, MPI_Comm handle, int root) {
  call->bytes = bytes;
  waits_lock();
  uint32_t site = waits_add(call);
  struct comm *comm = comm_find(handle);
  if (comm)
    waits_add_arrival(call, site, comm_group(comm), comm->number++, comm_world_rank(comm, root));
  waits_unlock();
}

/// A request was made.
static void leave_start(struct waits_call *call, uint64_t bytes, MPI_Request request, MPI_Comm comm,
                        int rank, int flags) {
  call->bytes = bytes;
  waits_lock();
  waits_add(call);
  request_track(request, comm, rank, flags);
  waits_unlock();
}

/// A request was made that has no single peer.
static void leave_start_all(struct waits_call *call, uint64_t bytes, MPI_Request request) {
  call->bytes = bytes;
  waits_lock();
  waits_add(call);
  request_forget(request);
  waits_unlock();
}

/// Requests have ended: the time was for their senders in equal parts; where none was a receive,
/// for their receivers.
///
/// ended     [count] as request_take gave them
/// statuses  [count] or null
static void leave_ended(struct waits_call *call, const struct tracked *ended, int count,
                        const MPI_Status *statuses) {
  int receives = 0, sends = 0;
  waits_lock();
  uint32_t site = waits_add(call);
  for (int i = 0; i < count; i++) {
    int is_known = ended[i].flags & TRACK_ANY || ended[i].rank != RETICLE_WAIT_NOBODY;
    receives += is_known && (ended[i].flags & TRACK_RECEIVE);
    sends += is_known && !(ended[i].flags & TRACK_RECEIVE);
  }
  int parts = receives ? receives : sends;
  for (int i = 0; i < count && parts; i++)
    if (!receives || (ended[i].flags & TRACK_RECEIVE))
      waits_add_peer(site, request_peer(&ended[i], statuses ? &statuses[i] : NULL),
                     call->time_ns / (uint64_t)parts);
  waits_unlock();
}

#endif
