// fork.c - what a fork asks for: the parent's locks, and in the child the state of a new process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/fork.h"

#include "runtime/feature/feature.h"
#include "runtime/probe/loop.h"
#include "runtime/session/children.h"
#include "runtime/session/drain.h"
#include "runtime/session/out.h"
#include "runtime/session/place.h"
#include "runtime/session/session.h"
#include "runtime/session/sideline.h"
#include "runtime/session/threads.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

#include <pthread.h>

// Most forked children call exec soon: they shall leave no file.
enum { CHILD_CHECKPOINT_MS = 30 };

static uint64_t fork_start_ns RRT_PER_PROCESS; // under the drain lock

// A child may no longer be able to read its facts when it writes them (chroot, setuid).
static void before_fork(void) {
  rrt_drain_lock();
  rrt_session_know_facts();
  rrt_children_begin();
  fork_start_ns = rrt_sys_monotonic_raw_ns();
}

static void after_fork_parent(void) {
  RRT_FEATURES_CALL(has_forked, rrt_sys_monotonic_raw_ns() - fork_start_ns);
  rrt_drain_unlock();
}

static void choose_path(struct rrt_session *s) {
  if (rrt_path_has_pid(rrt_options.out)) {
    rrt_out_start();
    return;
  }
  rrt_place_start(1);
  rrt_path_append_pid(s->path);
  rrt_path_make_new(s->path);
}

static void after_fork_child(void) {
  struct rrt_session *s = &rrt_session;
  rrt_fork_clear();
  if (s->state == RRT_SESSION_NONE || s->state == RRT_SESSION_OFF)
    return;
  s->parent_pid = s->pid;
  s->pid = rrt_sys_pid();
  s->is_child = 1;
  s->state = RRT_SESSION_ON; // the parent may have been at its end
  s->start_time_s = rrt_sys_time_s();
  s->start_cost_ns = 0;
  rrt_session_set_start();
  rrt_probe.unmeasured = 0;
  // What isn't just zero in a child. The threads first: features go through those that are left.
  rrt_threads_forked();
  RRT_FEATURES_CALL(forked);
  if (!rrt_children_are_measured()) {
    s->state = RRT_SESSION_FINISHED;
    rrt_probe.on = 0;
    rrt_threads_close();
    return;
  }
  choose_path(s);
  rrt_sideline_start(CHILD_CHECKPOINT_MS);
}

void rrt_session_watch_fork(void) {
  pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}
