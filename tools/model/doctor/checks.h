// checks.h - findings of the doctor: what was looked at, how it is, and the remedy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_DOCTOR_CHECKS_H
#define RETICLE_TOOLS_MODEL_DOCTOR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

enum check_state {
  CHECK_OK,
  CHECK_NOTE,    ///< something is not there, but Reticle works without
  CHECK_PROBLEM, ///< has to be mended to measure
};

struct check {
  enum check_state state;
  const char *part; ///< "machine" or "program"
  const char *name; ///< what was looked at, one or two words
  char *text;       ///< how it is
  char *remedy;     ///< what to do, null if there is nothing to do
};

/// Start with {0}.
struct checks {
  struct check *items; ///< [count]
  size_t count;
  size_t capacity;
};

void checks_add(struct checks *checks, enum check_state state, const char *part, const char *name,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/// Gives the check added last its remedy.
void checks_remedy(struct checks *checks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void checks_release(struct checks *checks);

/// True if there is a CHECK_PROBLEM.
bool checks_have_problem(const struct checks *checks);

/// "ok", "note" or "problem".
const char *check_state_name(enum check_state state);

#endif
