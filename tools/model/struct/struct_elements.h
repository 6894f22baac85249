// struct_elements.h - how many elements of a struct there are, from the allocations of its type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_STRUCT_ELEMENTS_H
#define RETICLE_TOOLS_MODEL_STRUCT_STRUCT_ELEMENTS_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/model/measurement/measurement.h"

/// Those on the heap and in global variables, at their peaks. Not known without the feature shadow,
/// or where as much memory again, and more than a first cache, is allocated without a type, of
/// which some may be the struct's, or where an allocation of its type has room for several and the
/// source doesn't write its size as a multiple of the struct's: then those that visits show to lie
/// in a row, if any were noted.
///
/// use  one of m->structs
struct element_count struct_elements_get(const struct measurement *m, const struct struct_use *use);

/// What the visits noted show, of the same struct; null where the profile has none.
const struct visit_walks *struct_walks_get(const struct measurement *m,
                                           const struct struct_use *use);

#endif
