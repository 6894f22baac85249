// thread.h - what a thread keeps for its loops: cells, open samples, ring, rate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written by its thread alone, read by whoever drains (runtime/session/drain.c). The thread's part
// of the ring is `head`, the drain's `tail`.
#ifndef RETICLE_RUNTIME_PROBE_THREAD_H
#define RETICLE_RUNTIME_PROBE_THREAD_H

#include "include/reticle/abi.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/facts.h"
#include "runtime/probe/thread_local.h"

/// Value of a cell while a sample of its loop is open: every entry is a cold call.
#define RRT_CELL_OPEN (INT32_MIN / 2)
/// Value of a cell that shall not call for a long time.
#define RRT_CELL_OFF INT32_MAX

enum { RRT_OPEN_MAX = 16, RRT_RING_RECORDS = 2048, RRT_FIELD_MODULES = 64 };
/// So many threads may spend before time has passed, and ask for facts of a loop's first execution:
/// a server's are thousands.
enum { RRT_CREDITED = 8 };
enum { RRT_BOOT_CELLS = 65536 }; ///< and so loops of a process
/// In a record: a timed chain (chain.h), no loop.
#define RRT_CHAIN_INDEX ((1u << RRT_INDEX_BITS) - 1)
/// In a record: facts of the execution whose record comes next. cpu_ns as duration, runnable_ns as
/// work, minor and major faults as when and weight; waits << 16 | preemptions as covered.
#define RRT_FACTS_ALONE 1u ///< its flags: the execution is no sample
#define RRT_FACTS_INDEX ((1u << RRT_INDEX_BITS) - 2)
enum { RRT_INDEX_BITS = 28, RRT_WHEN_SHIFT = 16 };

/// One loop in one thread that has entered it. 64 bytes, one cache line.
struct __attribute__((aligned(64))) rrt_loop_state {
  int32_t *cell;
  uint64_t base;                      ///< executions up to and including the last cold one
  uint64_t sampled_base;              ///< base when the last kept sample began
  uint64_t sampled_ticks;             ///< clock at the last sample's end
  uint32_t armed;                     ///< executions that the cell was set to count without a call
  uint32_t sequence;                  ///< odd while base, armed and cell change
  uint32_t samples;                   ///< kept, saturated
  uint32_t index;                     ///< number of the loop in the process
  uint32_t planned;                   ///< what armed was to be when last set by the rate
  uint32_t sampled_duration;          ///< ticks that the last sample took, saturated
  uint8_t open;                       ///< 1 while a sample of this loop is open
  uint8_t resting : 1;                ///< its countdown is a back-off after abandoned samples
  uint8_t postponed : 1;              ///< known (known.h), but not timed at its first entry
  uint8_t consecutive_abandoned : 6;  ///< samples in a row that were abandoned, saturated
  uint16_t lost, abandoned, migrated; ///< since the last drain, saturated
};
RETICLE_STATIC_ASSERT(sizeof(struct rrt_loop_state) == 64, "one cache line");

/// A sample that was begun and not yet ended.
struct __attribute__((aligned(64))) rrt_open {
  struct rrt_loop_state *state;
  const char *frame; ///< stack address of the frame that opened it
  uint64_t begin_ticks;
  uint64_t nested_ticks; ///< cost of probes inside it
  uint64_t work;
  uint32_t index;
  uint32_t cpu;
  uint32_t recursions; ///< entries of the same loop from deeper frames meanwhile
  uint32_t counted;    ///< its place with the thread's counters (topdown.h), 0: they aren't read
  uint64_t readings[RETICLE_BURST_READS]; ///< a burst's, of which begin_ticks is the first
  struct rrt_facts facts;                 ///< at its begin
  uint64_t tags;                          ///< the thread's at its begin
};
RETICLE_STATIC_ASSERT(sizeof(struct rrt_open) == 128, "two cache lines");
RETICLE_STATIC_ASSERT(offsetof(struct rrt_open, begin_ticks) == 16, "entry_x86_64.S");
RETICLE_STATIC_ASSERT(offsetof(struct rrt_open, cpu) == 44, "entry_x86_64.S");
RETICLE_STATIC_ASSERT(offsetof(struct rrt_open, readings) == 56, "entry_x86_64.S");
RETICLE_STATIC_ASSERT(RETICLE_BURST_READS == 4, "entry_x86_64.S");

/// A finished sample on its way to the store. 32 bytes: never in two cache lines.
struct rrt_record {
  uint64_t duration_ticks;
  uint64_t work;
  uint32_t when; ///< its begin, see rrt_record_when
  uint32_t weight;
  uint32_t covered; ///< as weight, with the executions nested in the sample
  uint32_t index : RRT_INDEX_BITS;
  uint32_t flags : 32 - RRT_INDEX_BITS; ///< enum reticle_sample_flags
};
RETICLE_STATIC_ASSERT(sizeof(struct rrt_record) == 32, "two records in a cache line");

enum rrt_thread_life {
  RRT_THREAD_FREE = 0, ///< may be taken by a new thread (compare and swap to LIVE)
  RRT_THREAD_LIVE = 1,
  RRT_THREAD_EXITED = 2, ///< executions are final; to be folded into the store, then FREE
};

// Cold calls are rare, so most of what they touch is out of the cache: it lies together.
struct rrt_thread {
  struct rrt_loop_state *loops; ///< [entered_count], in the order of their first entries
  uint16_t *slots; ///< [capacity] by number: 1 + where the loop is in `loops`, 0: not entered
  const char *volatile busy; ///< frame of the cold call that runs, null if none
  uint32_t capacity;
  uint32_t open_count;
  uint32_t ring_head;   ///< next record to write, modulo RRT_RING_RECORDS; release on store
  uint32_t ring_tail;   ///< next record to drain; release on store by the drain
  uint32_t ring_base;   ///< number of the record at the ring's begin; see rrt_ring_next
  uint32_t known_phase; ///< of what its cells were set by (known.h)
  uint64_t random;
  uint64_t glance_ticks; ///< newest clock value seen in this thread
  uint64_t spent_ticks;  ///< CPU time of cold calls so far (estimate), without reading facts
  uint64_t start_ticks;
  uint64_t pair_cost_ticks;    ///< whole cost of a sampled execution, running mean of measured ones
  uint64_t window_ticks;       ///< clock at the start of the rate window
  uint64_t window_spent;       ///< spent_ticks then
  uint64_t allowed_ticks;      ///< what the budget allowed until then
  uint64_t interval_ticks;     ///< aimed-at time between two samples of one loop
  uint64_t chain_due_ticks;    ///< clock from which the next chain is timed
  struct rrt_topdown *topdown; ///< groups of counters, null without the feature
  struct rrt_open open[RRT_OPEN_MAX];

  struct rrt_thread *next;    ///< all threads ever made; never unlinked
  int32_t *cells;             ///< [capacity], for units with RETICLE_UNIT_CELLS_IN_TABLE
  uint32_t life;              ///< enum rrt_thread_life; release on store, acquire on load
  uint32_t number;            ///< from 0, in order of appearance; a reused record gets a new number
  uint32_t entered_count;     ///< release on store
  uint32_t seen_head;         ///< ring_head when the sideline last looked
  uint32_t has_losses;        ///< a loop's lost, abandoned or migrated changed; the drain clears it
  uint32_t tid;               ///< the kernel's number
  int facts_fd;               ///< 1 + descriptor; 0: not yet open, negative: it can't be
  uint64_t facts_spent_ticks; ///< CPU time of reading facts, and of loops that are timed each time
  uint64_t facts_seen_ns;     ///< newest that it told, UINT64_MAX where it can't: it never falls
  struct rrt_facts facts;     ///< newest ones
  uint64_t facts_ticks;       ///< clock behind reading them, 0: never
  uint32_t facts_blocked;     ///< it waited in the last execution that they were read of
  uint64_t end_ticks;         ///< set when the thread ends, as the two below
  uint64_t end_cpu_ns, end_runnable_ns; ///< of its life; see rrt_account_ended
  uint64_t unmeasured;                  ///< executions that could not be counted for their loop
  uint32_t chain_turn;                  ///< chains timed so far
  uint64_t tags;                        ///< see rrt_tags_add
  uint64_t full;                        ///< loops beyond the table
  /// For each module with counters of fields: the thread's copy (kept when the record is reused),
  /// and the module's thread-local word while the thread lives; null if it has none.
  uint64_t *field_copies[RRT_FIELD_MODULES];
  uint64_t *field_words[RRT_FIELD_MODULES];
  struct rrt_visit_buffer *visits; ///< null: it has noted none; kept when the record is reused
  const struct rrt_known *known;   ///< what its cells were set by (known.h), null: not yet
  char *thread_pointer;
  uint32_t cpu_permille; ///< part of its time that it ran lately; the sideline's (atomic)
  int is_cpu_known;      ///< it is the thread's own (atomic)
  uint64_t looked_ns, looked_cpu_ns, looked_ticks; ///< the sideline's: wall, CPU, glance; 0: never
  uint32_t end_runnable_weight;                    ///< threads that end_runnable_ns stands for
  uint64_t setup_ticks; ///< CPU time of its begin and end, and of its loops' first entries

  struct rrt_record ring[RRT_RING_RECORDS]; ///< last: a short thread touches few of its pages
};

/// Record n of the ring, modulo its length.
static inline struct rrt_record *rrt_ring_at(struct rrt_thread *t, uint32_t n) {
  return &t->ring[(n - __atomic_load_n(&t->ring_base, __ATOMIC_RELAXED)) % RRT_RING_RECORDS];
}

/// Where the owner writes next: into an empty ring from its begin on. It is mostly drained long
/// before it is full, and went through all of its 64 KB in turn. The drain sees the base with the
/// head that is stored behind it.
static inline struct rrt_record *rrt_ring_next(struct rrt_thread *t) {
  if (t->ring_head == __atomic_load_n(&t->ring_tail, __ATOMIC_ACQUIRE))
    __atomic_store_n(&t->ring_base, t->ring_head, __ATOMIC_RELAXED);
  return rrt_ring_at(t, t->ring_head);
}

/// The calling thread's record, null before its first cold call and after its exit.
extern __thread struct rrt_thread *rrt_thread_self RRT_THREAD_LOCAL(thread_self);

/// What the hot zone needs from the session, so that it includes nothing of it.
struct __attribute__((aligned(64))) rrt_probe_control {
  uint32_t on;     ///< 0: gates are set to RRT_CELL_OFF
  uint32_t period; ///< > 0: sample every period-th execution
  uint32_t target_samples;
  uint32_t budget_permille;
  uint32_t burst;        ///< 1: the mean of a burst of readings at each end of a sample
  uint32_t burst_pad;    ///< rrt_burst.pad
  uint32_t cpu_permille; ///< as rrt_thread's, of all: what a new one begins with
  uint32_t chain;        ///< 1: time chains
  uint32_t mask_ticks;   ///< test aid: readings as of a clock with steps of so many ticks; 0: none
  uint64_t nested_after_ticks;
  uint64_t topdown_turn_ticks; ///< time that visits read the same group of counters
  uint64_t credit_ticks;       ///< probe time that is allowed before any time has passed
  uint64_t pair_cost_ticks;    ///< whole cost of a sampled execution, measured at start
  uint64_t burst_half_ticks;   ///< from the mean of a burst to its end, 0 without bursts
  uint64_t refusal_cost_ticks; ///< cost of a cold call without a sample
  uint64_t start_ticks;        ///< clock at the start of the session
  /// Makes the calling thread known; null if there is no memory. Async-signal-safe.
  struct rrt_thread *(*enter)(void);
  /// What the kernel tells of the calling thread; null: it isn't asked. 0 or -1. Async-signal-safe.
  int (*facts)(struct rrt_facts *out);
  /// What the calling thread has waited for a processor so far, ns; UINT64_MAX: not known.
  uint64_t (*runnable)(struct rrt_thread *thread);
  uint64_t facts_least_ticks; ///< of executions as long as this
  /// The thread counts by the newest table of known loops from now on, if nobody adds up.
  void (*renew)(struct rrt_thread *thread);
  /// Has the thread's visits read another group of counters from now on. Async-signal-safe.
  void (*turn)(struct rrt_thread *thread);
  /// Empties the ring if nobody else is draining; never waits. Async-signal-safe.
  void (*drain)(struct rrt_thread *thread);
  /// Gives the calling thread its counters of fields; null before the start. Async-signal-safe.
  void (*enter_fields)(const struct reticle_field_site *site);
  uint64_t unmeasured; ///< executions before registration or without thread memory (atomic)
  const struct rrt_known *known; ///< newest table, null: none (atomic)
  int64_t first_ticks;           ///< probe time left for first samples of short loops (atomic)
};
extern struct rrt_probe_control rrt_probe;
RETICLE_STATIC_ASSERT(offsetof(struct rrt_probe_control, burst) == 16, "entry_x86_64.S");

/// A loop in a thread, null: it hasn't entered it. index < thread->capacity
static inline struct rrt_loop_state *rrt_loop_state(const struct rrt_thread *t, uint32_t index) {
  uint32_t slot = __atomic_load_n(&t->slots[index], __ATOMIC_ACQUIRE);
  return slot ? &t->loops[slot - 1] : NULL;
}

/// Time since the start of the session in units of 65536 ticks, the low 32 bits: the drain knows
/// the others.
static inline uint32_t rrt_record_when(uint64_t ticks) {
  return (uint32_t)(rrt_timer_between(rrt_probe.start_ticks, ticks) >> RRT_WHEN_SHIFT);
}

/// Executions of the loop in this thread so far. May be called by another thread: a consistent
/// value, or after a few failed tries one that lacks the countdown in progress.
static inline uint64_t rrt_loop_executions(const struct rrt_loop_state *s) {
  for (int tries = 0; tries < 16; tries++) {
    uint32_t before = __atomic_load_n(&s->sequence, __ATOMIC_ACQUIRE);
    uint64_t base = __atomic_load_n(&s->base, __ATOMIC_RELAXED);
    uint32_t armed = __atomic_load_n(&s->armed, __ATOMIC_RELAXED);
    int32_t left = __atomic_load_n(s->cell, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!(before & 1) && before == __atomic_load_n(&s->sequence, __ATOMIC_RELAXED))
      return base + (left < 0 ? armed : armed - (uint32_t)left);
  }
  return __atomic_load_n(&s->base, __ATOMIC_RELAXED);
}

#endif
