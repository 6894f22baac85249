// check_counts.c - two builds with counters, three runs of each, and the comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/check/check_counts.h"

#include "tools/run/check/check_tree.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <stdlib.h>

/// Every object counts; what of it is touched isn't asked.
#define OPTIONS "loop=0:shadow_objects=1:shadow_hz=1"
#define FEATURES "loop,field,shadow"
/// Of each side: a count that moves by itself is the same in all of one side's and another one in
/// all of the other's at most once in 32 checks (docs/method/check.md).
#define RUNS COUNTED_RUNS_LEAST

static const struct study_role roles[] = {
    {.name = "base-counts",
     .features = FEATURES,
     .options = OPTIONS,
     .question = "counts of the base",
     .is_repeated = true},
    {.name = "head-counts",
     .features = FEATURES,
     .options = OPTIONS,
     .question = "counts of head",
     .is_repeated = true},
};
#define SIDES (sizeof roles / sizeof *roles)

/// Each side's part of budget_s. *is_late is set where the first run shows that it won't do.
static int measure(struct study *study, const struct study_role *role, const char *folder,
                   double budget_s, bool *is_late) {
  if (!check_tree_enter(folder, study->settings->problems))
    return PROBLEM_UNREADABLE;
  problem_note(study->settings->problems, "check: build and %s of '%s' (%s)",
               units_counted(RUNS, "run").data, role->name, role->question);
  int status = study_build_make(study, role);
  double before_s = study->runs_s;
  for (unsigned round = 1; status == PROBLEM_NONE && round <= RUNS && !*is_late; round++) {
    study->run_limit_s = budget_s;
    status = study_run_make(study, role, round);
    *is_late = round < RUNS && (study->runs_s - before_s) / round * RUNS > budget_s;
  }
  return status;
}

/// Reads them from the file, which nobody has open meanwhile.
static int compare(struct study *study, struct counted_changes *out) {
  struct text base = {0}, head = {0};
  text_format(&base, "%s@%s", study->path, roles[0].name);
  text_format(&head, "%s@%s", study->path, roles[1].name);
  study_file_close(&study->file);
  counted_changes_load(text_get(&base), text_get(&head), out, study->settings->problems);
  text_release(&base);
  text_release(&head);
  return study_file_write(study->path, &study->file, study->settings->problems)
             ? PROBLEM_NONE
             : PROBLEM_UNREADABLE;
}

int check_counts(struct study *study, const char *const folders[2], double budget_s,
                 struct counted_changes *out) {
  int status = PROBLEM_NONE;
  bool is_late = false;
  *out = (struct counted_changes){0};
  for (size_t i = 0; i < SIDES && status == PROBLEM_NONE && !is_late; i++)
    status = measure(study, &roles[i], folders[i], budget_s / SIDES, &is_late);
  if (!check_tree_enter(folders[1], study->settings->problems))
    return PROBLEM_UNREADABLE;
  if (status == PROBLEM_NONE && !is_late)
    return compare(study, out);
  out->unknown = text_copy(is_late ? "six runs with counters take more than a quarter of --time"
                                   : "a build or a run with counters failed, above");
  return status > 128 ? status : PROBLEM_NONE;
}
