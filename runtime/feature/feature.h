// feature.h - what is measured, as the session sees it: one list of descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session knows when something is due; what, a feature says: it sets the hooks that it needs in
// a descriptor of its own, rrt_feature_WORD. Each hook is called for all features in the list's
// order, which is that of their chunks in a profile.
#ifndef RETICLE_RUNTIME_FEATURE_FEATURE_H
#define RETICLE_RUNTIME_FEATURE_FEATURE_H

#include "include/reticle/abi.h"
#include "runtime/probe/thread.h"

/// Every feature, in order.
#define RRT_FEATURE_LIST(X)                                                                        \
  X(loop) X(field) X(topdown) X(account) X(rank) X(wait) X(sample) X(shadow) X(chain) X(bound)

/// A checkpoint. Strings are offsets into the string table.
struct rrt_checkpoint {
  struct reticle_file_env env;
  struct reticle_file_health health;
  const struct reticle_file_module *modules; ///< [module_count]
  uint32_t module_count;
  int force_live_scan; ///< living heap objects are looked at even if the budget of that is spent
  int is_child;        ///< loops that it didn't execute are its parent's matter: they are left out
  struct reticle_file_epoch epoch; ///< number 0: none. A closed one: samples alone are written
};

/// Hooks of a feature; null: nothing to do. Those that are marked (L) are called with the drain
/// lock.
struct rrt_feature {
  // --- the process

  /// Once, before all others: takes memory. 0; else nothing is measured.
  int (*open)(void);
  /// Once, before the first thread enters. ticks_per_us  of the timer, about
  void (*start)(uint64_t ticks_per_us);
  /// Once, when all have started and before any loop is registered: what measuring costs here.
  void (*calibrate)(void);
  /// The process begins, a forked one too: what it used before doesn't count. Async-signal-safe.
  void (*begin)(void);
  /// In a forked child, behind `begin`: what isn't just zero (support/fork.h). The threads' records
  /// are those of the one that lives on. Nothing here allocates or takes a lock of libc's: the
  /// parent's other threads may have held them.
  void (*forked)(void);
  /// (L) In the parent: a fork took the caller so long.
  void (*has_forked)(uint64_t ns);
  /// At the end, in front of the last checkpoint.
  void (*finish)(void);
  /// Behind the last checkpoint of a library that may be unloaded: nobody is asked any more.
  void (*stop)(void);
  /// The library that carries the runtime is unloaded: what it took from the process goes.
  void (*unload)(void);

  // --- a thread

  /// The calling thread, whose record this is, becomes known. Async-signal-safe.
  void (*enter)(struct rrt_thread *thread);
  /// The calling thread ends: what it measured is final.
  void (*leave)(struct rrt_thread *thread);
  /// The same, now that no handler measures for this record any more.
  void (*left)(struct rrt_thread *thread);
  /// (L) Takes what is in the thread's ring. By the thread itself, too.
  void (*drain)(struct rrt_thread *thread);
  /// (L) Behind that, of a thread that lives; not by itself.
  void (*look)(struct rrt_thread *thread);
  /// (L) Behind that, of a thread that has ended: its record is about to be free.
  void (*fold)(struct rrt_thread *thread);

  // --- the sideline

  /// As it starts; the program waits for that.
  void (*watch)(void);
  /// (L) Behind that, when the program doesn't wait any more.
  void (*look_first)(void);
  /// Once, after its first nap: a program of a millisecond doesn't pay for it.
  void (*settle)(void);
  /// Whether it is to be woken for `sample`, and when: rrt_stops_run_ns, UINT64_MAX: not now.
  int (*wakes)(uint64_t *due_ns);
  /// Takes a sample if one is due. now_ns  rrt_stops_run_ns
  void (*sample)(uint64_t now_ns);
  /// (L) Now and then, behind a drain.
  void (*beside)(uint64_t now_ns);
  /// (L) What came into the threads' rings since the last call, in records of the fullest.
  uint64_t (*news)(void);
  /// (L) Takes what came to others than the threads' rings, in checkpoints too. How full the
  /// fullest was, in records of a thread's ring.
  uint64_t (*gather)(void);
  /// What was taken so far; from any thread.
  uint64_t (*count)(void);
  /// Whether it counts without that `count` grows.
  int (*moves)(void);

  // --- a checkpoint: all of it (L)

  /// What is to be known of the process even if it can't be found out any more when it is written:
  /// in front of a fork, too. Once a process. env  without what moves
  void (*know)(const struct reticle_file_env *env);
  /// Brings up to date what must be of one moment, `env` of that moment.
  void (*read)(struct rrt_checkpoint *checkpoint);
  /// Adds what was lost.
  void (*health)(struct reticle_file_health *health);
  /// Memory that is in use.
  uint64_t (*bytes)(void);
  /// Whether anything was measured.
  int (*any)(void);
  /// Writes its chunks (support/chunk.h); `health` is written behind them.
  void (*write)(struct rrt_checkpoint *checkpoint);

  // --- an epoch of continuous use that is over, in a file of its own (L)

  /// Whether there are epochs, and what was taken in this one.
  int (*epoch_count)(uint64_t *count);
  /// Writes the whole file.
  void (*epoch_write)(const struct rrt_checkpoint *checkpoint);
  /// The next one begins.
  void (*epoch_next)(void);
};

#define RRT_FEATURE_DECLARE(word) extern const struct rrt_feature rrt_feature_##word;
RRT_FEATURE_LIST(RRT_FEATURE_DECLARE)
#undef RRT_FEATURE_DECLARE

/// The list; null behind the last.
extern const struct rrt_feature *const rrt_features[];

#define RRT_FEATURES_WITH(feature, hook)                                                           \
  for (const struct rrt_feature *const *feature = rrt_features; *feature; feature++)               \
    if ((*feature)->hook)
/// Calls a hook, which returns nothing, of all features that have it.
#define RRT_FEATURES_CALL(hook, ...)                                                               \
  do {                                                                                             \
    RRT_FEATURES_WITH(feature_, hook)(*feature_)->hook(__VA_ARGS__);                               \
  } while (0)

/// The first one's that isn't 0.
int rrt_features_open(void);
/// Whether one of them wakes the sideline, and when the first does.
int rrt_features_wake(uint64_t *due_ns);
/// The largest of them.
uint64_t rrt_features_news(void);
uint64_t rrt_features_gather(void);
/// Sums.
uint64_t rrt_features_count(void);
uint64_t rrt_features_bytes(void);
/// 1 if it is so for one of them.
int rrt_features_move(void);
int rrt_features_any(void);
int rrt_features_epoch_count(uint64_t *count);

#endif
