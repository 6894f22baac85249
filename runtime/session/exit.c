// exit.c - ways to end a process that no exit handler sees: _exit, _Exit, abort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weak, so that a program's own definition wins. libc's own calls (a failed assertion, exit
// itself) don't come here; what they leave is the last checkpoint.
#include "runtime/session/session.h"
#include "runtime/sys/sys.h"

#include <stdlib.h>
#include <unistd.h>

#define EXPORTED __attribute__((weak, visibility("default"))) _Noreturn

EXPORTED void _exit(int status) {
  rrt_session_finish(RETICLE_ENDED__EXIT);
  rrt_sys_exit_group(status);
}

EXPORTED void _Exit(int status) {
  rrt_session_finish(RETICLE_ENDED__EXIT);
  rrt_sys_exit_group(status);
}

// A handler of the program may leave by siglongjmp: so measuring goes on.
EXPORTED void abort(void) {
  rrt_session_save(RETICLE_ENDED_ABORT);
  rrt_sys_abort();
}
