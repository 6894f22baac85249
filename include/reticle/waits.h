// waits.h - what libreticle_waits.so, which is preloaded, hands to the runtime in the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library sees calls of MPI, waits of OpenMP and locks that are taken, and adds them up in
// memory of its own; the runtime reads that at each checkpoint and writes it into the profile.
// Either may be of another version: `version` and the sizes of the records say so. Why two parts:
// docs/decisions/0050.
#ifndef RETICLE_WAITS_H
#define RETICLE_WAITS_H

#include <stdint.h>

#define RETICLE_WAITS_VERSION 2

/// Files of the program that aren't OpenMP's have no number of a thread.
#define RETICLE_WAIT_NO_THREAD UINT32_MAX
/// A peer, or a root, that isn't known.
#define RETICLE_WAIT_NOBODY UINT32_MAX

/// What a call waits for.
enum reticle_wait_kind {
  RETICLE_WAIT_NOTHING,    ///< starts an operation, tests one, or nobody knows what it waits for
  RETICLE_WAIT_SEND,       ///< until the receiver takes it, or until it is copied
  RETICLE_WAIT_RECEIVE,    ///< for the sender
  RETICLE_WAIT_REQUEST,    ///< for requests that were started before: their peers
  RETICLE_WAIT_ALL,        ///< collective: for the last one that arrives
  RETICLE_WAIT_ROOT,       ///< collective: all wait for the root (a broadcast)
  RETICLE_WAIT_FOR_OTHERS, ///< collective: the root waits for the last one (a reduction to it)
  RETICLE_WAIT_THREADS,    ///< OpenMP barrier: for the team's last thread
  RETICLE_WAIT_LOCK,       ///< for the thread that has the lock, or is in the critical section
  RETICLE_WAIT_TASKS,      ///< OpenMP taskwait, taskgroup: for child tasks
  RETICLE_WAIT_KINDS,
};

/// How a source of waits works.
enum reticle_wait_state {
  RETICLE_WAITS_MEASURED,
  RETICLE_WAITS_OTHER_TOOL, ///< another tool stands before ours: some calls, or all, are not seen
  RETICLE_WAITS_NOT_BUILT,  ///< the library was built without the headers of this MPI
  RETICLE_WAITS_STATES,
};

/// All calls of one operation at one place by one thread; of locks of pthreads those that found it
/// taken, by all threads. Numbers grow while they are read.
struct reticle_wait_site {
  uint64_t address;      ///< that the call returns to; 0: unknown
  const char *operation; ///< "MPI_Recv", "barrier"; never freed
  uint32_t thread;       ///< OpenMP's number of the thread; RETICLE_WAIT_NO_THREAD
  uint32_t kind;         ///< enum reticle_wait_kind
  uint64_t calls, bytes, time_ns, longest_ns;
};

/// What calls of a site waited for one rank.
struct reticle_wait_peer {
  uint32_t site; ///< index
  uint32_t rank; ///< in the world
  uint64_t calls, time_ns;
};

/// One collective call, of those that were chosen.
struct reticle_wait_arrival {
  uint64_t group;  ///< names the communicator, alike in all its ranks
  uint64_t number; ///< of the collective in that communicator, from 0; alike in all its ranks
  uint64_t at_ns;  ///< CLOCK_MONOTONIC when it was entered
  uint64_t time_ns;
  uint32_t site; ///< index
  uint32_t root; ///< in the world; RETICLE_WAIT_NOBODY: there is none
};

/// Where waits come from: MPI, OpenMP, locks of pthreads.
struct reticle_wait_source {
  const char
      *name; ///< "Open MPI v4.1.4", "LLVM OMP version: 5.0.20140926", "pthreads"; null: not used
  uint32_t state; ///< enum reticle_wait_state
  uint32_t reserved;
  uint64_t lost;      ///< calls without a place in a full table
  uint64_t untracked; ///< requests whose peer isn't known, as the table was full
};

enum {
  RETICLE_WAIT_MPI,
  RETICLE_WAIT_OPENMP,
  RETICLE_WAIT_PTHREADS,
  RETICLE_WAIT_SOURCES,
};

/// Records are added behind the others; a count is written after its record. `shuffles` is odd
/// while arrivals change their places, and another number afterwards.
struct reticle_waits {
  uint32_t version;
  uint32_t site_bytes, peer_bytes, arrival_bytes; ///< of a record
  const struct reticle_wait_site *sites;
  const struct reticle_wait_peer *peers;
  const struct reticle_wait_arrival *arrivals;
  uint32_t site_count, peer_count, arrival_count;
  uint32_t shuffles;
  struct reticle_wait_source sources[RETICLE_WAIT_SOURCES];
};

#define RETICLE_WAITS_ATTACH __reticle_waits_attach
#define RETICLE_WAITS_ATTACH_NAME "__reticle_waits_attach"

/// The library offers its memory, which stays until the process ends. Returns 1 if waits are
/// wanted, else 0, and nothing is read then. Several times is fine.
int RETICLE_WAITS_ATTACH(const struct reticle_waits *waits);

#define RETICLE_WAITS_ENTER __reticle_waits_enter
#define RETICLE_WAITS_ENTER_NAME "__reticle_waits_enter"

/// The calling thread waits: how long it lives is kept from then on, also where it runs no loop.
void RETICLE_WAITS_ENTER(void);

#endif
