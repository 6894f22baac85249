// site_find.h - allocation sites by the names that people use, and how they are named.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_HEAP_SITE_FIND_H
#define RETICLE_TOOLS_MODEL_HEAP_SITE_FIND_H

#include "tools/model/measurement/measurement.h"

/// The site called A1, A2, ...: its number, 0 if there is none.
size_t site_find(const struct site_uses *uses, const char *name);

/// The number of the site with that stable id, 0 if there is none.
size_t site_rank(const struct site_uses *uses, uint64_t id);

/// "heap", "global" or "mmap". kind: enum reticle_site_kind
const char *site_kind_name(uint32_t kind);

/// "symbol book.c:10" of where it was allocated, or of the variable.
void site_add_name(const struct measurement *m, const struct site_use *use, struct text *out);

#endif
