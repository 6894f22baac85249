// loop.h - the cold calls behind gates and exits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_LOOP_H
#define RETICLE_RUNTIME_PROBE_LOOP_H

#include "runtime/probe/thread.h"

/// Cells that units in shared libraries can have in one process.
enum { RRT_BOOT_CELLS = 65536 };
extern int32_t rrt_boot_cells[RRT_BOOT_CELLS];

/// __reticle_cells of this copy of the runtime, without the dynamic linker's say.
extern __thread char *rrt_cells __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// __reticle_loop_begin without the saving of registers; frame as entry.S works it out, never null.
void rrt_loop_begin(int32_t *cell, struct reticle_loop_desc *loop, uint64_t work,
                    const char *frame);
/// __reticle_loop_end, likewise.
void rrt_loop_end(int32_t *cell, struct reticle_loop_desc *loop, const char *frame);

/// Drops all open samples of a thread that ends.
void rrt_loops_abandon_all(struct rrt_thread *thread);

#endif
