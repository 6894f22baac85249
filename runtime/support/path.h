// path.h - file names with %p %e %h %r.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_PATH_H
#define RETICLE_RUNTIME_SUPPORT_PATH_H

#include <stddef.h>

enum { RRT_PATH_BYTES = 4096 };

/// Replaces %p (process id), %e (name of the executable; +NAME of the library behind
/// it where the runtime is in a library), %h (host), %r (MPI rank, 0 if none) and
/// %% in `pattern`; a relative result is put behind the current folder, as the program may change
/// it. Returns 0, or -1 when it doesn't fit.
int rrt_path_expand(const char *pattern, char *const *environment, char out[RRT_PATH_BYTES]);

/// The first letter behind a % that stands for nothing, and so stays as it is; 0 if there is none.
char rrt_path_unknown(const char *pattern);

/// 1 if the pattern names the process, so that no two processes share a file.
int rrt_path_has_pid(const char *pattern);

/// Appends .PID, or -N with the smallest N from 2 where the file exists already.
void rrt_path_append_pid(char path[RRT_PATH_BYTES]);
void rrt_path_make_new(char path[RRT_PATH_BYTES]);

#endif
