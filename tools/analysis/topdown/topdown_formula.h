// topdown_formula.h - the value of one formula of a top-down tree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_FORMULA_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_FORMULA_H

#include "tools/analysis/topdown/topdown.h"

/// Why a formula has no value.
enum topdown_problem {
  TOPDOWN_FINE,
  TOPDOWN_NOT_COUNTED, ///< an event was not read
  TOPDOWN_BY_NOTHING,  ///< a division by 0
  TOPDOWN_NO_FORMULA   ///< the text is none: a mistake in a table
};

/// What the names in formulas stand for.
struct topdown_names {
  const struct topdown_tree *tree;
  const double *rates; ///< [event_count] counts of a tick of their group's clock; NaN: not read
  double width;
  bool has_erratum;
};

/// problem  gets why there is no value; missing the event where it was not read, else null
/// Returns NaN without a value.
double topdown_formula_value(const struct topdown_names *names, const char *formula,
                             enum topdown_problem *problem, const struct topdown_event **missing);

#endif
