// struct_sharing.h - whether threads write different fields of one line of a struct's elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_STRUCT_SHARING_H
#define RETICLE_TOOLS_MODEL_STRUCT_STRUCT_SHARING_H

#include "tools/model/heap/site_type.h"

struct struct_sharing {
  const struct sharing_line *line; ///< null: none is suspected
  const struct site_use *use;
  struct site_type type;
  size_t site; ///< A1 is 1
};

/// The line of the struct's elements that is suspected most of false sharing.
struct struct_sharing struct_sharing_find(const struct measurement *m,
                                          const struct profile_struct *record);

#endif
