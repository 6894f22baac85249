// loop.h - the cold calls behind gates and exits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_LOOP_H
#define RETICLE_RUNTIME_PROBE_LOOP_H

#include "runtime/probe/thread.h"

/// Cells that units in shared libraries can have in one process.
extern int32_t rrt_boot_cells[RRT_BOOT_CELLS];

/// __reticle_loop_begin without the saving of registers; frame: as the entry point works it out,
/// never null.
///
/// Returns the sample that was opened and of which the entry point shall read begin_ticks and cpu,
/// null if none was or it is read already (rrt_clock_in_entry).
struct rrt_open *rrt_loop_begin(const struct reticle_site *site, const char *frame);
/// __reticle_loop_end, likewise.
///
/// end, cpu, readings  as the entry point read them; not looked at without rrt_clock_in_entry. With
///                     bursts `readings` counts, else `end`
void rrt_loop_end(const struct reticle_site *site, const char *frame, uint64_t end, uint32_t cpu,
                  const uint64_t readings[RETICLE_BURST_READS]);

/// The unit of the two below, whose cells lie in the table.
extern struct reticle_unit_desc rrt_calibration_unit;
/// The cold calls of a gate and of an exit, as compiled code makes them, of the unit's first loop.
///
/// cell, loop  of it; on x86-64 they are found by the unit
void rrt_gate(int32_t *cell, const struct reticle_loop_desc *loop);
void rrt_exit(int32_t *cell, const struct reticle_loop_desc *loop);

/// Drops all open samples of a thread that ends.
void rrt_loops_abandon_all(struct rrt_thread *thread);

#endif
