// site_type.h - which type the objects of an allocation site are of, as the source says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_HEAP_SITE_TYPE_H
#define RETICLE_TOOLS_MODEL_HEAP_SITE_TYPE_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

enum site_type_status { SITE_TYPE_KNOWN, SITE_TYPE_MIXED, SITE_TYPE_UNKNOWN };

struct site_type {
  enum site_type_status status;
  const char *reason;  ///< unless it is known: why
  const char *name;    ///< of one element; "" unless it is known
  bool is_array;       ///< the objects are arrays of it
  bool has_more;       ///< other things lie behind it
  bool is_open;        ///< there is room for several, and the source doesn't say whether there are
  uint64_t size_bytes; ///< of one; 0 if not known
  const struct allocation_struct *structure; ///< null if it is none. Owned by the measurement
};

/// What the call that is nearest to the allocation, and whose value the source gives a type, says.
struct site_type site_type_find(const struct measurement *m, const struct site_use *use);

/// "struct order[]", "mixed", "unknown"
void site_type_add_name(const struct site_type *type, struct text *out);

#endif
