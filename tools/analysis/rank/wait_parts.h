// wait_parts.h - between the parts of wait_tally.h: arrivals at collective calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RANK_WAIT_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_RANK_WAIT_PARTS_H

#include "tools/analysis/rank/wait_tally.h"

struct wait_arrival {
  size_t host; ///< a number for each: clocks of several hosts don't agree
  uint64_t group, number, at_ns, time_ns;
  size_t site, process; ///< positions
  uint32_t root;
};

/// Room for one more in an array of the tally, zeroed.
///
/// which  of tally->capacities
void *wait_grow(struct wait_tally *tally, int which, void **array, size_t *count, size_t bytes);
enum {
  WAIT_PROCESSES,
  WAIT_SITES,
  WAIT_SOURCES,
  WAIT_CELLS,
  WAIT_BLAMES,
  WAIT_ARRIVALS,
};

/// Adds a blame.
void wait_add_blame(struct wait_tally *tally, size_t site, size_t process, uint32_t rank,
                    double time_ns);

/// Adds an arrival, or not, where there are more than can be kept.
void wait_add_arrival(struct wait_tally *tally, const struct wait_arrival *arrival);

/// Compares arrivals at the same collective call: late_ns of cells and sites, compared, and blames.
/// Cells are by site, process and thread then.
void wait_compare_arrivals(struct wait_tally *tally);

/// The cell of MPI of a site and a process, of cells in their order; null: none.
struct wait_cell *wait_find_cell(const struct wait_tally *tally, size_t site, size_t process);

#endif
