// fork.c - clears the state that a forked child doesn't take over from its parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/fork.h"

#include "runtime/sys/sys.h"

#include <stddef.h>

// By the linker, of the one file that it makes: hidden, so that no other copy's are meant.
extern char __start_rrt_per_process[] __attribute__((visibility("hidden")));
extern char __stop_rrt_per_process[] __attribute__((visibility("hidden")));

void rrt_fork_clear(void) {
  rrt_zero(__start_rrt_per_process, (size_t)(__stop_rrt_per_process - __start_rrt_per_process));
}
