// visits.h - the elements of a struct that a run visited, in order, as its bursts noted them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   windows   |--- 16,000 visits ---|        |---------------|      of one thread each
//   visit     element (address of its first byte), place (in the code)
//   place     loop, and which fields a visit there reads and writes
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_VISITS_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_VISITS_H

#include "tools/analysis/struct/element_cost.h"
#include "tools/analysis/struct/struct_use.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A place in the code that visits elements of the struct.
struct visit_place {
  const struct profile_visitsite **touches; ///< [touch_count] fields, in the profile
  size_t touch_count;
  uint64_t loop;        ///< stable id; 0: none
  const char *function; ///< linkage name
  uint32_t line;        ///< of the loop's start
  uint32_t number;      ///< in the windows' bytes
  uint32_t back_bytes;  ///< from the address noted to the element, in two's complement
  enum exposure exposure;
  bool is_vague;   ///< a field that is an array: which of its elements isn't known
  uint64_t visits; ///< noted
  uint64_t jumps;  ///< of these: not the element behind the one that it visited before
};

/// Whether a visit waits for what the one before has read.
enum visit_wait {
  VISIT_FREE,
  VISIT_BY_DATA,   ///< its address is made of that, or a search decides by it
  VISIT_BY_BRANCH, ///< no branch predicts which code is next; it may ask other data
  VISIT_BY_TRIPS,  ///< no branch predicts how often a loop goes round; it may as well
};

struct visit {
  uint64_t element;
  uint32_t place;
  enum visit_wait wait;
};

struct visit_window {
  const struct visit *visits; ///< [count]
  size_t count;
  uint64_t begin_ticks;
  uint32_t thread;
};

/// Start with visits_make, end with visits_release.
struct visits {
  struct visit_place *places; ///< [place_count]
  size_t place_count;
  struct visit *all; ///< [count]
  size_t count;
  struct visit_window *windows; ///< [window_count] by time; those without visits are left out
  size_t window_count;
  uint64_t *elements; ///< [element_count] that were visited, ascending, each once
  size_t element_count;
  uint64_t noted;                           ///< visits of all structs
  bool is_damaged;                          ///< some bytes were no visits
  const struct profile_visitsite **touches; ///< of the places
};

/// record  the struct, of this profile
void visits_make(const struct profile *profile, const struct profile_struct *record,
                 struct visits *out);
/// Fills in `wait` and `jumps`.
void visits_predict(struct visits *visits, uint32_t size_bytes);
void visits_release(struct visits *visits);

/// How many visits of the run each one noted stands for, by the counts of its loop; outside of
/// loops by its function's.
///
/// loops    [count] of struct_loops_make
/// weights  [place_count]
///
/// Returns the share of all accesses that is in loops whose visits were noted; NaN: there are none.
double visits_weigh(const struct visits *visits, const struct struct_loop *loops, size_t count,
                    double *weights);

#endif
