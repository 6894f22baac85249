// trial_form.c - the table of trial_form.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/trial/trial_form.h"

#include <string.h>

const struct trial_form trial_forms[] = {
#define TRIAL_FORM(ID, form, setting, kind, content, title, write)                                 \
  {TRIAL_FORM_##ID, form, setting, TRIAL_##kind, content, title, write},
#include "tools/model/trial/trial_form.def"
};
const size_t trial_form_count = sizeof trial_forms / sizeof *trial_forms;

const struct trial_form *trial_form_find(const char *form, const char *setting) {
  for (size_t i = 0; i < trial_form_count; i++)
    if (strcmp(trial_forms[i].form, form) == 0 && strcmp(trial_forms[i].setting, setting) == 0)
      return &trial_forms[i];
  return NULL;
}

bool trial_form_rounds(const struct trial_form *form) {
  return form->kind == TRIAL_FLAG_ROUNDING || form->kind == TRIAL_ROUNDING;
}

bool trial_form_is_of_loop(const struct trial_form *form) {
  return form->kind == TRIAL_LOOP || form->kind == TRIAL_ROUNDING;
}
