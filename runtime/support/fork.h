// fork.h - the state that a forked child doesn't take over from its parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each mutable variable of the runtime is one of three kinds; lit/rules/fork_state.py asks which:
//
//   RRT_PER_PROCESS   zero in the child: locks, counts, what is open
//   set by a step     of runtime/session/fork.c or a feature's `forked`, where zero would be wrong
//   inherited         the child goes on with it, as that rule's list says why
//
// A module has its variables in one struct `state`, and in one more, `process`, those of the first
// kind.
#ifndef RETICLE_RUNTIME_SUPPORT_FORK_H
#define RETICLE_RUNTIME_SUPPORT_FORK_H

/// Behind a variable that starts as zero and is zero again in a forked child. All of them lie in
/// one section of the program or library that the runtime is linked into, so each copy of the
/// runtime clears its own. Small ones: the section takes room in the file and, at a fork, memory.
#define RRT_PER_PROCESS __attribute__((section("rrt_per_process")))

/// In the child, before anything else of the runtime runs. Async-signal-safe.
void rrt_fork_clear(void);

#endif
