// frames.h - return addresses as places in files, while the files are still mapped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_FRAMES_H
#define RETICLE_RUNTIME_HEAP_FRAMES_H

#include "runtime/heap/site.h"

/// Fills in the frames of sites that are new. Needs the drain lock.
void rrt_frames_name(void);
/// The site's stable id, once its frames are filled in.
uint64_t rrt_frames_id(struct rrt_site *site);

#endif
