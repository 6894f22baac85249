// struct_elements.h - how many elements of a struct there are, from the allocations of its type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_STRUCT_ELEMENTS_H
#define RETICLE_TOOLS_MODEL_STRUCT_STRUCT_ELEMENTS_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/model/measurement/measurement.h"

/// What is kept of one struct of measurement.structs.
struct struct_elements {
  bool is_made; ///< of the first one: of all
  struct element_count count;
  double by_sites;  ///< elements of which sites know, others may be elsewhere; NaN: any number
  double in_arrays; ///< of these
  bool has_walks;
  struct visit_walks walks;
};

/// Those on the heap and in global variables, at their peaks. Not known without the feature shadow,
/// or where as much memory again, and more than a first cache, is allocated without a type, of
/// which some may be the struct's, or where an allocation of its type has room for several and the
/// source doesn't write its size as a multiple of the struct's: then those that visits show to lie
/// in a row, if any were noted.
///
/// structure  position in m->structs
struct element_count struct_elements_get(const struct measurement *m, size_t structure);

/// What the visits noted show, of the same struct; null where the profile has none.
const struct visit_walks *struct_walks_get(const struct measurement *m, size_t structure);

/// Frees what is kept of measurement.structs.
void struct_elements_release(const struct measurement *m);

#endif
