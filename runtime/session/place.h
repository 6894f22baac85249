// place.h - how a profile comes to its place: whole, and over nothing that isn't this process's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new file is written without a name where the file system can, else by one that nobody can
// guess, and gets the profile's name in one step. What stands there is replaced only if this
// process wrote it, if it is empty, or a first checkpoint of a process that has ended; see
// docs/decisions/0025-files-of-a-run.md. All calls need the drain lock but for the last two.
#ifndef RETICLE_RUNTIME_SESSION_PLACE_H
#define RETICLE_RUNTIME_SESSION_PLACE_H

#include "include/reticle/abi.h"
#include "runtime/support/path.h"

/// A file on its way to its place.
struct rrt_place {
  int folder;
  int fd; ///< for writing; -1: nowhere (/dev/null)
  int has_name;
  char name[48]; ///< in the folder, while it isn't in its place
};

/// Opens a new file in the path's folder, which is made unless there was a profile in it. 0 or
/// -errno.
///
/// named  not one without a name, as giving it one has failed
int rrt_place_open(struct rrt_place *place, const char *path, int named);

/// Gives the file its name, and closes it. The path becomes another one if what stands there must
/// stay; a message says so. 0 or -errno; -EXDEV: try again with a named one.
///
/// env  of what was written, by which it is told again
int rrt_place_put(struct rrt_place *place, char path[RRT_PATH_BYTES],
                  const struct reticle_file_env *env);
/// As above, only where nothing is by that name. -EEXIST if there is something.
int rrt_place_put_new(struct rrt_place *place, const char *path);

/// Closes it, and takes it away.
void rrt_place_drop(struct rrt_place *place);

/// Names that hold the process's number are never another process's.
///
/// has_pid  whether the path does
void rrt_place_start(int has_pid);

/// Says what rrt_place_put had to say; for a thread that has the program's descriptors.
void rrt_place_say(void);

/// Removes what killed processes left in the path's folder on their way.
void rrt_place_clean(const char *path);

#endif
