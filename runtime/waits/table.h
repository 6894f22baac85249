// table.h - what the preloaded library counts: call sites, peers, arrivals at collectives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-safe; not async-signal-safe, as neither MPI nor OpenMP's callbacks are called in handlers.
#ifndef RETICLE_RUNTIME_WAITS_TABLE_H
#define RETICLE_RUNTIME_WAITS_TABLE_H

#include "include/reticle/waits.h"

#include <stddef.h>
#include <time.h>

/// A call that has ended.
struct waits_call {
  const void *address;
  const char *operation; ///< constant
  uint32_t thread, kind, source;
  uint64_t bytes, start_ns, time_ns;
};

/// Looks for the runtime in the program, and offers it the tables. Returns 1 if they are wanted;
/// also before a fork and after it.
int waits_attach(void);

/// Says where waits of a source come from.
///
/// name  is copied, at most 127 bytes of its first line
void waits_set_source(uint32_t source, const char *name, uint32_t state);

static inline uint64_t waits_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/// For everything below.
void waits_lock(void);
void waits_unlock(void);

/// Adds the call. Returns its site, or UINT32_MAX when the table is full.
uint32_t waits_add(const struct waits_call *call);
/// Adds the call, as waits_add, of a site and source that nothing else adds to, without waits_lock:
/// its thread has locks of the program's, for which one that forks may wait meanwhile.
void waits_add_atomic(const struct waits_call *call);
/// A part of a call's time was for that rank.
void waits_add_peer(uint32_t site, uint32_t rank, uint64_t time_ns);
/// Keeps the call's arrival if it is one of those that all ranks choose.
void waits_add_arrival(const struct waits_call *call, uint32_t site, uint64_t group,
                       uint64_t number, uint32_t root);
/// A request that is not known by its peer.
void waits_add_untracked(void);

/// Memory that stays; null if there is none. Not from malloc, which the program may count.
void *waits_map(size_t bytes);

#endif
