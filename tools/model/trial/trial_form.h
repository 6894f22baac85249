// trial_form.h - the changes of a program that a study can make by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_TRIAL_TRIAL_FORM_H
#define RETICLE_TOOLS_MODEL_TRIAL_TRIAL_FORM_H

#include <stdbool.h>
#include <stddef.h>

enum trial_kind {
  TRIAL_ENVIRONMENT,
  TRIAL_FLAGS,
  TRIAL_FLAG_ROUNDING, ///< flags by which results are rounded otherwise
  TRIAL_LOOP,
  TRIAL_ROUNDING, ///< of a loop, likewise
};

/// What rows of one form have in common.
enum trial_form_id {
  TRIAL_FORM_PREFETCH,
  TRIAL_FORM_HUGE_PAGES,
  TRIAL_FORM_MALLOC,
  TRIAL_FORM_ALLOCATOR,
  TRIAL_FORM_INTERLEAVE,
  TRIAL_FORM_ACCUMULATORS,
  TRIAL_FORM_SELECTS,
  TRIAL_FORM_BRANCHES,
  TRIAL_FORM_PRIVATISE,
  TRIAL_FORM_INTERCHANGE,
  TRIAL_FORM_O3,
  TRIAL_FORM_NATIVE,
  TRIAL_FORM_FLUSH,
};

struct trial_form {
  enum trial_form_id id;
  const char *form, *setting;
  enum trial_kind kind;
  const char *content, *title, *write;
};

/// All of trial_form.def, in its order.
extern const struct trial_form trial_forms[];
extern const size_t trial_form_count;

/// The row; null: there is none.
const struct trial_form *trial_form_find(const char *form, const char *setting);
bool trial_form_rounds(const struct trial_form *form);
bool trial_form_is_of_loop(const struct trial_form *form);

#endif
