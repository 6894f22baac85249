// session.h - start, checkpoint and end of measuring in this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_SESSION_H
#define RETICLE_RUNTIME_SESSION_SESSION_H

#include "include/reticle/abi.h"

#include "runtime/session/moment.h"
#include "runtime/support/path.h"
#include "runtime/support/rank.h"
#include "runtime/sys/sys.h"

enum rrt_session_state { RRT_SESSION_NONE, RRT_SESSION_ON, RRT_SESSION_OFF, RRT_SESSION_FINISHED };

struct rrt_session {
  uint32_t state; ///< enum rrt_session_state
  uint32_t pid;   ///< a process with another pid (vfork, raw clone) must not write our file
  int privileged;
  int is_child; ///< forked from a process that Reticle measures
  uint64_t start_time_s, start_ticks, start_raw_ns;
  uint64_t start_cost_ns;   ///< CPU time of the start, 0 in a forked child
  struct rrt_moment first;  ///< start of the first process, not moved by fork: for the timer's rate
  char *const *environment; ///< as it was at start
  uint32_t executable, arguments; ///< strings, as they were at start
  uint32_t parent_pid;
  struct rrt_rank rank;              ///< as the environment had it at start
  uint32_t is_started, has_sideline; ///< once in a run
  uint64_t step_ticks;               ///< the timer's
  uint64_t pair_ticks256;            ///< 256 times an empty pair's
  uint32_t burst_flags;        ///< RETICLE_TIMER_BURST and RETICLE_TIMER_BURST_IDLE, as they are
  struct rrt_sys_file_id root; ///< at start
  void *before_heap;           ///< option heap_offset: kept, so that nobody calls it a leak
  char path[RRT_PATH_BYTES];
};
extern struct rrt_session rrt_session;

/// Starts measuring at the first call, does nothing at later ones.
void rrt_session_start(void);

/// Starts the sideline, at the first call. Once a module has registered.
void rrt_session_start_sideline(void);

/// Writes the profile as it stands. Called by the sideline, and by a thread of the program at the
/// end; a call of the sideline's after that does nothing. Returns 0 or -errno.
///
/// force_live_scan  living heap objects are looked at even if the budget of that is spent
int rrt_session_checkpoint(uint32_t ended_by, int force_live_scan);

/// Reads what a profile says of machine and process, unless it is known. The caller has the drain's
/// lock.
void rrt_session_know_facts(void);

/// Ends measuring: last checkpoint, report. Only the first call of the right process does it.
void rrt_session_finish(uint32_t ended_by);

/// A checkpoint by the calling thread, if the session is this process's own; measuring goes on.
void rrt_session_save(uint32_t ended_by);
/// The same, and runs the report where options ask for one at exit. 0, or -errno.
int rrt_session_report(void);

/// Finishes at quick_exit, too. Once, at the start.
void rrt_session_watch_quick_exit(void);

/// Forked children are measured from their start, or not at all (option children). Once, at the
/// start.
void rrt_session_watch_fork(void);
/// Of the process that we are in: when it began.
void rrt_session_set_start(void);
/// Ticks of the timer a second; 0: not yet known. Needs the drain lock.
uint64_t rrt_session_hz(void);

/// Has the tool measure the hottest blocks of the profile and keep them in it, or says how to.
void rrt_report_blocks(void);
/// Runs `reticle report` on the profile, or says where it is.
void rrt_report_run(void);

#endif
