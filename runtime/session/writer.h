// writer.h - the profile file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_WRITER_H
#define RETICLE_RUNTIME_SESSION_WRITER_H

#include "runtime/feature/feature.h"
#include "runtime/support/path.h"

/// Writes a new file and gives it the path's name, so that the path is whole at any moment; which
/// becomes another one where something else stands there (place.h). Needs the drain lock. Returns 0
/// or -errno; -EEXIST: there is a closed epoch by that name.
int rrt_writer_write(char path[RRT_PATH_BYTES], struct rrt_checkpoint *checkpoint);

#endif
