// bound_cost.h - what a loop's accesses to memory cost it, from executions of its copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry is one execution of the program's, run again in children: as it is, and with its loads
// and stores moved into memory that is in the first or second cache, on the same path. The moved
// copy has instructions more, which tell against it: so it is also compared with itself where
// nothing is moved. The cost lies between the two.
#ifndef RETICLE_TOOLS_ANALYSIS_BOUND_BOUND_COST_H
#define RETICLE_TOOLS_ANALYSIS_BOUND_BOUND_COST_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

struct bound_cost {
  size_t entries;   ///< of which there are times
  bool is_cut;      ///< its executions were ended before their end
  bool decides;     ///< by what it loads: it has branches on that
  bool is_changing; ///< it changes what it works on: it ran as it is once a child
  /// Of an execution, the median over entries; the interval has all of them.
  struct quantity as_is_ns, first_ns, second_ns;
  /// As it is, the first time in a child, behind a fork; NaN: none.
  double cold_ns;
  /// Shares of as_is_ns: what would go if all accesses, loads, or stores were in the first cache.
  struct quantity memory, loads, stores;
  const char *reason; ///< why there is nothing; null: there is
};

/// Of the loop of that id.
///
/// in_place_ns  an execution in the program, on average; NaN: not known. Where caches stand in the
///              program isn't what they are in a child that has run the loop already, nor behind a
///              fork: between the two it decides.
struct bound_cost bound_cost_of(const struct profile *profile, uint64_t id, double in_place_ns);

/// "it calls functions": enum reticle_bound_reason; null where it has none.
const char *bound_reason(uint32_t reason);

#endif
