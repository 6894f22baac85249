// store.h - what is known of each loop: executions, histogram, raw samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here is guarded by the drain lock (drain.h). Index 0 is the empty pair that the
// calibration times; it is never written to a file.
#ifndef RETICLE_RUNTIME_FEATURE_LOOP_STORE_H
#define RETICLE_RUNTIME_FEATURE_LOOP_STORE_H

#include "include/reticle/abi.h"
#include "include/reticle/hist.h"
#include "runtime/probe/thread.h"

enum {
  RRT_CHUNK_SAMPLES = 32,    ///< raw samples in one chunk of the pool: 1 KiB
  RRT_RESERVOIR_CHUNKS = 64, ///< so a reservoir holds at most 2,048 samples
  RRT_CHAINS = 4096,         ///< timed chains kept
  RRT_OCTAVE_BUCKETS = 8,    ///< of hist.h, for a factor of two in duration
  RRT_OCTAVES = RETICLE_HIST_BUCKETS / RRT_OCTAVE_BUCKETS,
};

/// What a sample touches of its loop lies in the second and third cache line, and where its raw
/// sample goes in those behind.
struct __attribute__((aligned(64))) rrt_store_loop {
  struct reticle_file_loop record; ///< descriptor part and sums; executions of ended threads alone
  /// [octave_capacity][RRT_OCTAVE_BUCKETS], octaves in order of appearance; weight 0: not counted
  /// in record.hist_count
  struct reticle_file_hist *hist;
  uint16_t chunk_count;
  uint8_t octave_count, octave_capacity;
  uint8_t octave[RRT_OCTAVES];           ///< 1 + where the octave is in hist, 0: nowhere
  uint32_t module;                       ///< number of the module that registered it
  uint16_t chunks[RRT_RESERVOIR_CHUNKS]; ///< numbers in the pool
  struct rrt_facts_kept *facts;          ///< null: none
};
RETICLE_STATIC_ASSERT(offsetof(struct rrt_store_loop, record.samples) / 64 ==
                          offsetof(struct rrt_store_loop, record.max_ticks) / 64,
                      "the sums of a loop share a cache line");

struct rrt_store {
  struct rrt_store_loop *loops; ///< [capacity]
  uint32_t count;               ///< in use, the calibration's included
  uint32_t capacity;
  struct reticle_file_sample *pool; ///< [chunk_total * RRT_CHUNK_SAMPLES]
  uint32_t chunk_total;
  uint32_t chunk_next;   ///< chunks handed out from the start of the pool
  uint32_t populated;    ///< of the pool, from its start: with memory, for good
  uint64_t samples;      ///< added so far, all loops
  uint64_t shrunk;       ///< reservoirs that gave samples away
  uint64_t memory_bytes; ///< touched, by our own count
  uint64_t chains_seen;
  uint64_t random;           ///< state of the generator
  uint64_t start_ticks;      ///< clock at the start of the session
  uint64_t now_ticks;        ///< since then, behind all records that are added
  uint32_t when_shift;       ///< samples and chains have their begin in units of 2^when_shift ticks
  uint32_t chain_count;      ///< kept, a uniform choice
  struct rrt_record facts;   ///< of the record that comes next; index 0: it has none
  uint64_t slow_least_ticks; ///< the slowest of executions as long as this are kept; 0: none
  uint32_t beside_count;     ///< pairs of chains timed beside the program
  struct reticle_file_chain chain[RRT_CHAINS]; ///< [chain_count]
};
extern struct rrt_store rrt_store;

/// Makes the pool and room for loops. Returns 0, or -1 without memory.
int rrt_store_open(uint64_t pool_bytes);

/// Room for `count` more loops, zeroed: the number of the first, or 0 without memory.
uint32_t rrt_store_add_loops(uint32_t count);

/// Adds a finished sample of a thread.
void rrt_store_add(const struct rrt_record *record, uint32_t thread_number);

/// Fetches into the cache what adding this sample will touch first.
void rrt_store_prefetch(const struct rrt_record *record);

/// The loop's buckets of an octave, [RRT_OCTAVE_BUCKETS], ascending; null if it has none there.
struct reticle_file_hist *rrt_store_octave(const struct rrt_store_loop *loop, uint32_t octave);

/// Raw sample `i` of a loop.
struct reticle_file_sample *rrt_store_raw(const struct rrt_store_loop *loop, uint32_t i);

/// Forgets all measurements but keeps the loops (a forked child starts from nothing).
void rrt_store_reset(void);

#endif
