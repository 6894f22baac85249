// run_family.h - profiles of forked children that have ended become one file for each program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_RUN_FAMILY_H
#define RETICLE_TOOLS_RUN_CHILD_RUN_FAMILY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/// A process and what it forked, directly or not.
struct run_family {
  struct problems *problems; ///< get what can't be read or written
  const char *pattern;       ///< of the profiles' names, as the runtime's option `out`
  struct timespec since;     ///< files of before aren't its
  pid_t root;
  uint64_t *children; ///< [count] process ids that were met
  size_t count;
};

/// Adds profiles of children that have ended up, and removes them: where a name has the process id
/// the file of all has "children". What can't be read or written stays, with a message.
void run_family_fold(struct run_family *family);
void run_family_release(struct run_family *family);

#endif
