// run_profile.h - the profiles that a program just run has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_RUN_PROFILE_H
#define RETICLE_TOOLS_RUN_CHILD_RUN_PROFILE_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct run_profiles {
  char **paths; ///< [count] by name
  size_t count;
  size_t others; ///< how many more there are
};

/// Finds the profiles written since the start under names of the pattern (%p and so on, as in the
/// option `out` of the runtime), and beside them where the runtime found the name taken: the
/// process's own; or, where it only started the instrumented program, all of the one that wrote
/// last, as of the ranks of an MPI job.
///
/// since  by CLOCK_REALTIME_COARSE, the clock of the file system
/// out    none if there is none; to be released
void run_profile_find(const char *pattern, pid_t pid, struct timespec since,
                      struct run_profiles *out);
/// The same of a process that this one ran in its own folder; first where the runtime puts what it
/// can't write there: that is newer.
void run_profile_of_child(const char *pattern, pid_t pid, struct timespec since,
                          struct run_profiles *out);
/// All profiles written since under names of the pattern, whatever their process.
void run_profile_all(const char *pattern, struct timespec since, struct run_profiles *out);
void run_profiles_release(struct run_profiles *profiles);

#endif
