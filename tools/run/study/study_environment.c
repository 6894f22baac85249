// study_environment.c - says by variables what a build compiles in, and a run measures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/study.h"
#include "tools/support/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(const char *name, const char *value) {
  if ((value ? setenv(name, value, 1) : unsetenv(name)) != 0)
    memory_exhausted();
}

/// What the user's environment has; kept, as it is set anew for each build.
static const char *users_own(const char *name, char **kept) {
  if (!*kept)
    *kept = text_copy(getenv(name) ? getenv(name) : "");
  return *kept;
}

/// A plain compiler finds reticle.h behind all other folders, as ours do.
static void set_include(const struct study *study, const char *name, bool is_plain, char **kept) {
  struct text value = {0};
  const char *own = users_own(name, kept);
  text_format(&value, "%s%s%s", own, *own && is_plain ? ":" : "", is_plain ? study->include : "");
  set(name, value.length ? text_get(&value) : NULL);
  text_release(&value);
}

void study_environment(const struct study *study, const struct study_role *role,
                       const char *options) {
  static char *own_options, *own_c, *own_cxx;
  struct text value = {0};
  const char *users = users_own("RETICLE_OPTIONS", &own_options);
  text_format(&value, "%s%s%s", users, *users ? ":" : "", options);
  set_include(study, "C_INCLUDE_PATH", !role->features, &own_c);
  set_include(study, "CPLUS_INCLUDE_PATH", !role->features, &own_cxx);
  set("RETICLE_OPTIONS", text_get(&value));
  set("RETICLE", role->features ? NULL : role->has_coverage ? "coverage" : "off");
  set("RETICLE_FEATURES", role->features);
  bool has_shadow = role->features && strstr(role->features, "shadow");
  set("RETICLE_SHADOW", has_shadow && study->is_threaded ? "detail" : NULL);
  // In each: blocks have the same labels only where the same loops have gates.
  set("RETICLE_IGNORELIST", role->features ? study->gates : NULL);
  set("RETICLE_BOUND", role->has_copies ? study->bounds : NULL);
  set("RETICLE_LAYOUT", NULL);
  char placement[16];
  snprintf(placement, sizeof placement, "%u", role->placement);
  set("RETICLE_PLACEMENT", role->placement ? placement : NULL);
  // The last ones are what mpicc and mpicxx compile by, which CC doesn't tell them.
  static const char *const c[] = {"CC", "OMPI_CC", "MPICH_CC"};
  static const char *const cxx[] = {"CXX", "OMPI_CXX", "MPICH_CXX"};
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    set(c[i], study->compiler);
    set(cxx[i], study->compiler_cxx);
  }
  set("CCACHE_DISABLE", "1"); // a cache of objects doesn't know of the variables above
  text_release(&value);
}
