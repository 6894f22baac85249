// block_tracee.h - a program that runs to places in its code, to be looked at there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program, its threads and the processes that it starts are traced; a breakpoint stands at each
// place. x86-64 only.
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_TRACEE_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_TRACEE_H

#include "runtime/harness/block/block_measure.h"
#include "tools/support/problem.h"

#include <sys/types.h>

/// A place to stop at.
struct block_site {
  const char *module; ///< the file that holds the code
  uint64_t address;   ///< link-time
  uint64_t bias;      ///< from there to where it is loaded
  uint64_t hits;      ///< how often the program came there
  uint8_t byte;       ///< of the code, under the breakpoint
  bool is_loaded;
  bool is_done; ///< no breakpoint any more
};

/// What the program held when it came to a place.
struct block_tracee_state {
  struct harness_state state; ///< reads from the process while it is stopped
  int memory;                 ///< /proc/PID/mem
};

/// Starts the command and lets it run. At each arrival at a site that is not done, `arrived` is
/// called with the process stopped; the site is done when it returns true, and once all are, the
/// program is ended. The command's standard output goes to /dev/null.
///
/// Returns 0, or after saying why the program could not be traced, -1.
int block_tracee_run(char *const *command, struct block_site *sites, size_t count,
                     bool (*arrived)(size_t site, const struct harness_state *state, void *context),
                     void *context, struct problems *problems);

#endif
