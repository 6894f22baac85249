// measurement.h - everything that report and show print: profile, floor, analysis, coverage, notes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_MEASUREMENT_MEASUREMENT_H
#define RETICLE_TOOLS_MODEL_MEASUREMENT_MEASUREMENT_H

#include "tools/analysis/block/block_count.h"
#include "tools/analysis/block/block_cycles.h"
#include "tools/analysis/heap/sharing.h"
#include "tools/analysis/heap/site_use.h"
#include "tools/analysis/loop/loop.h"
#include "tools/analysis/run/account.h"
#include "tools/analysis/run/floor.h"
#include "tools/analysis/run/overview.h"
#include "tools/analysis/run/pressure.h"
#include "tools/analysis/stall/stall_cause.h"
#include "tools/analysis/struct/struct_use.h"
#include "tools/model/sample/samples.h"
#include "tools/model/sample/site_names.h"
#include "tools/program/laid_counts.h"
#include "tools/program/program.h"
#include "tools/program/program_files.h"
#include "tools/store/floor_find.h"
#include "tools/store/input.h"
#include "tools/support/notes.h"

#include <stddef.h>

/// One loop as reports name it.
struct measured_loop {
  const struct profile_loop *loop; ///< of the merged profile
  struct loop_stats stats;
  struct quantity share; ///< shown: of CPU time, or of wall-clock time as measurement.shares_wall
  struct quantity cpu_share; ///< of the CPU time of all threads
  char *function;            ///< demangled and short: the function its source belongs to
  const char *region;        ///< its name, of a region by hand; null for a loop. Not owned
  char *inlined_into;        ///< the function that holds the machine code; null when it is the same
  bool is_iteration;         ///< executions are iterations of a loop, whose own are too few
  size_t rank;               ///< 1 for L1
};

/// How often a machine block ran, and its cycles there.
struct block_in_place {
  const char *reason; ///< why executions aren't known; null where they are
  enum block_count_status status;
  uint64_t executions;
  bool shared; ///< may be too low
  struct block_cycles cycles;
};

/// A machine block that was measured in isolation.
struct measured_block {
  const struct profile_block *block; ///< of the merged profile
  const struct measured_loop *loop;  ///< it was chosen for; null where the profile lacks it
  struct quantity cycles;            ///< of one execution
  bool is_sampled;                   ///< the two below are known
  uint64_t samples;                  ///< of the program counter, in the whole block
  uint64_t sampled_ns;               ///< CPU time that they stand for
  struct block_in_place place;
  struct stall_tally tally;    ///< ns; time 0: not known
  const char *no_stall_causes; ///< why; null where they are known
  size_t rank;                 ///< 1 for B1
};

/// Start with measurement_load (measurement_load.h), end with measurement_release.
struct measurement {
  struct input input;
  struct timing_floor floor;
  enum floor_source floor_source;
  struct overview overview;
  struct account account;
  struct pressure pressure;
  struct control control;
  struct program program;
  struct program_files *files; ///< what of them was opened
  struct notes notes;
  struct measured_loop *loops; ///< [loop_count] by time lost: loops[0] is L1
  size_t loop_count;
  bool shares_wall;              ///< shares are of the time that threads lived
  struct quantity outside_loops; ///< shown: share that no loop explains
  struct quantity outside_cpu;   ///< of CPU time
  struct quantity outside_wall;
  struct struct_uses structs; ///< most accesses first: structs.structs[0] is S1
  struct lazy *lazy;          ///< lazy.h
  struct samples samples;     ///< of the program counter
  struct site_uses sites;     ///< most wasted bytes first: sites.sites[0] is A1
  struct sharing sharing;     ///< lines that several threads use
  struct site_names site_names;
  struct measured_block *blocks; ///< [block_count] those of the hottest loop first: blocks[0] is B1
  size_t block_count;
  struct quantity core_rate; ///< core cycles in a nanosecond
  struct quantity dilation;  ///< share of the CPU time that taking samples took
  struct quantity skid;      ///< see skid.h
  uint64_t hot_code_bytes;   ///< of the functions that take most of the CPU time
  struct laid_counts laid;   ///< counts of another run; functions 0: they are the run's own
};

void measurement_release(struct measurement *measurement);

/// The loop that a record of the profile is about.
const struct measured_loop *measurement_of(const struct measurement *m,
                                           const struct profile_loop *loop);
/// The loop itself; of iterations their loop, which has the same code.
const struct measured_loop *measurement_whole_loop(const struct measurement *m,
                                                   const struct measured_loop *loop);
/// The nearest loop around it in its function that the profile has; null: none.
const struct measured_loop *measurement_outer_loop(const struct measurement *m,
                                                   const struct measured_loop *loop);

/// Whether the plug-in compiled any of the executable or library.
bool measurement_is_instrumented(const struct measurement *m, const char *path);

/// Shows shares of the wall-clock time that threads lived, in place of CPU time.
void measurement_share_wall(struct measurement *measurement);
/// After shares_wall or a share has changed.
void measurement_show_shares(struct measurement *measurement);

struct text;
/// What it is called: its function, "iteration main", or "region parse".
void measurement_add_name(const struct measured_loop *loop, struct text *out);
/// File and line as short as it is clear: "book.c:8:61", "?" without debug information.
void measurement_add_place(const struct profile_loop *loop, struct text *out);

#endif
