// study_bounds.c - chooses the loops that a study's build 'bound' has copies of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/join/measurement_load.h"
#include "tools/model/study/bound_list.h"
#include "tools/run/study/study.h"
#include "tools/support/problem.h"

#include <stdlib.h>
#include <string.h>

/// The fact that keeps the list, and what stands there where no loop is to be bound.
#define FACT "bounds"
#define NONE "none"

/// From what is known so far. Reads the file, which is closed.
static void make_list(const struct study *study, struct text *out) {
  struct measurement m;
  char *paths[] = {study->path};
  if (measurement_load(paths, 1, &m, study->settings->problems) == PROBLEM_NONE &&
      !bound_list_add(&m, out)) {
    text_add(out, NONE);
    problem_note(
        study->settings->problems,
        "study: no loop takes 3 %% of the CPU time in executions of microseconds and more: "
        "'bound' is left out");
  }
  measurement_release(&m);
}

int study_bounds_choose(struct study *study) {
  char *known = study_fact(&study->file, FACT);
  struct text list = {0};
  bool fine = true;
  text_add(&list, known);
  free(known);
  if (!list.length && study_build_find(&study->file, "timing")) {
    study_file_close(&study->file);
    make_list(study, &list);
    fine = study_file_write(study->path, &study->file, study->settings->problems) &&
           study_file_begin(&study->file) && study_fact_set(&study->file, FACT, text_get(&list)) &&
           study_file_commit(&study->file);
  }
  const char *text = text_get(&list);
  fine = fine && study_list_write(study, FACT, strcmp(text, NONE) == 0 ? "" : text, &study->bounds);
  text_release(&list);
  return fine ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}
