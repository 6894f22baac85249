// struct_find.h - structs by the names that people use, and why there are none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_STRUCT_FIND_H
#define RETICLE_TOOLS_MODEL_STRUCT_STRUCT_FIND_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/problem.h"

/// Why there are no structs; "" if there are some.
const char *struct_gap(const struct measurement *m);

/// Position + 1 of the struct: S1, name, or file:line; of several the first, after a note. 0: none.
size_t struct_find(const struct struct_uses *uses, const char *name, struct problems *problems);

/// Says that there is none, and which may be meant. me: the command's name.
void struct_missing(const struct measurement *m, const char *name, const char *me,
                    struct problems *problems);

#endif
