// layout_choose.c - finds the struct by its name, and its advice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/layout_choose.h"

#include "tools/model/struct/struct_elements.h"
#include "tools/model/struct/struct_find.h"
#include "tools/support/problem.h"

#define ALIGN_MAX 4096

int layout_choose(const struct measurement *m, const char *name, const struct layout_wish *wish,
                  const char *me, struct struct_advice *out, struct problems *problems) {
  size_t rank = struct_find(&m->structs, name, problems);
  if (!rank) {
    struct_missing(m, name, me, problems);
    return *struct_gap(m) ? PROBLEM_UNREADABLE : PROBLEM_USAGE;
  }
  uint64_t align = wish->align_bytes;
  if (align > ALIGN_MAX || (align & (align - 1))) {
    problem_error(problems, "%s: --align %llu: a power of two up to %d is needed, e.g. 64", me,
                  (unsigned long long)align, ALIGN_MAX);
    return PROBLEM_USAGE;
  }
  const struct struct_use *use = &m->structs.structs[rank - 1];
  const char *refusal = advice_refusal(use->record);
  if (refusal) {
    problem_error(problems, "%s: struct %s can't be laid out anew: %s", me, use->record->name,
                  refusal);
    return PROBLEM_USAGE;
  }
  struct element_count count = struct_elements_get(m, &m->structs.structs[rank - 1]);
  struct advice_wish wanted = {.pin = wish->pin,
                               .align_bytes = (uint32_t)align,
                               .apart = wish->apart,
                               .count = &count,
                               .walks = struct_walks_get(m, &m->structs.structs[rank - 1])};
  if (!struct_advise(&m->input.profile, use, &wanted, out)) {
    problem_error(problems,
                  "%s: --pin %s: struct %s has no field of that name; reticle show %s lists them",
                  me, wish->pin, use->record->name, use->record->name);
    return PROBLEM_USAGE;
  }
  return PROBLEM_NONE;
}
