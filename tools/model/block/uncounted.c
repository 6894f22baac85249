// uncounted.c - not compiled in, no run of the build that counts, or counts that don't fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/uncounted.h"

#include <stdlib.h>

static bool is_built_study(const struct measurement *m) {
  char *build = m->input.study ? study_fact(study_input_file(m->input.study), "build") : NULL;
  bool is = build && *build;
  free(build);
  return is;
}

const char *uncounted_build(const struct measurement *m) {
  return is_built_study(m) && !study_input_counts(m->input.study)
             ? "no run of the build 'counts' is looked at here: reticle study --resume makes it "
               "where there is none"
             : NULL;
}

const char *uncounted_reason(const struct measurement *m) {
  if (m->input.profile.count_count)
    return NULL;
  if (uncounted_build(m))
    return uncounted_build(m);
  if (is_built_study(m))
    return "executions of blocks, which the build 'counts' counted, don't fit this one: a warning "
           "of the report says why";
  return "how often blocks run wasn't counted: compile with "
         "-fplugin-arg-reticle-features=loop,block";
}
