// struct_summary.h - what is advised of a struct, worked out once for all loops that use it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_STRUCT_SUMMARY_H
#define RETICLE_TOOLS_MODEL_STRUCT_STRUCT_SUMMARY_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/model/measurement/measurement.h"

struct struct_summary {
  struct struct_advice all;
  struct quantity useful; ///< share of the bytes of fetched lines
  enum advice_kind parts; ///< split, array or arrays, if that is the advice; else ADVICE_NONE
  struct text advice;     ///< what to change; "" where nothing is
  struct quantity gain;   ///< of the advice, by estimate
  struct text order;      ///< the advised order, the one that can be tried; "" where none is
  struct quantity order_gain;
  uint32_t layout; ///< short hash of that order; 0: none
};

/// use  one of m->structs. The result lives as long as the measurement.
const struct struct_summary *struct_summary_get(const struct measurement *m,
                                                const struct struct_use *use);

/// "24 bytes, 1 lines"; of objects of any length: "24 bytes, 48 with what is behind it (mean)".
void struct_bytes_add(const struct struct_advice *advice, struct text *out);

/// Whether the struct can be named to `reticle try`.
bool struct_is_named(const char *name);
/// The command that measures an order of the struct, for BUILD-AND-RUN; of one without a name, what
/// it lacks.
void struct_try_add(const char *name, struct text *out);

#endif
