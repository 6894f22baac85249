// field_time.h - CPU time of samples on accesses to each field of each struct, stalls included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sampled instruction belongs to a field where the compiler's tables of accesses leave one: they
// know function, line, bytes and offset of each. An instruction without an access of its own that
// takes the result of a load in front of it waits for that one. Method: docs/method/fields.md.
#ifndef RETICLE_TOOLS_MODEL_STRUCT_FIELD_TIME_H
#define RETICLE_TOOLS_MODEL_STRUCT_FIELD_TIME_H

#include "tools/model/measurement/measurement.h"

struct field_times {
  const char *missing; ///< why there are none; null where there are some
  size_t *first;       ///< [structs.count] where a struct's fields begin in ns
  double *ns;          ///< CPU time on accesses to a field
  double accesses_ns;  ///< on accesses outside of the stack, in functions of the tables
  double mapped_ns;    ///< of these, on a field that is known
};

/// Reads the code of all sampled functions that access structs.
const struct field_times *field_times_get(const struct measurement *m);

/// Share of all sampled CPU time; without a value, why not.
///
/// field  one of m->structs.structs[i].fields
struct quantity field_time_share(const struct measurement *m, const struct field_use *field);

/// "field times: 81 % of the 2.1 s on accesses ...", or why there are none.
struct text;
void field_times_add_coverage(const struct measurement *m, struct text *out);

/// Bytes of padding behind the field, up to the next one or the struct's end.
uint64_t field_hole_bytes(const struct struct_use *use, const struct field_use *field);
/// The struct that a field belongs to.
const struct struct_use *field_struct(const struct measurement *m, const struct field_use *field);

#endif
