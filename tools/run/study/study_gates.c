// study_gates.c - leaves short loops of the timing build without gates where these cost much.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/join/measurement_load.h"
#include "tools/model/study/gate_list.h"
#include "tools/run/study/study.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What gates may take of the CPU time: the timing build is to be within 3 % of the plain one.
#define BUDGET_PERMILLE 20
/// A timing build that takes no more of the plain one's CPU time, in a run of each, stays.
#define COST_MOST 1.03
/// The fact that keeps the list, and what stands there where there is nothing to leave out.
#define FACT "gates"
#define NONE "none"

bool study_list_write(const struct study *study, const char *name, const char *list, char **path) {
  struct text file = {0};
  free(*path);
  *path = NULL;
  if (!*list)
    return true;
  text_format(&file, "%s/%s", study->directory, name);
  FILE *stream = fopen(text_get(&file), "w");
  bool fine = stream && fputs(list, stream) >= 0;
  fine = (stream && fclose(stream) == 0) && fine;
  if (!fine)
    problem_error(study->settings->problems, "study: %s: %s", text_get(&file), strerror(errno));
  *path = text_copy(text_get(&file));
  text_release(&file);
  return fine;
}

bool study_gates_read(struct study *study) {
  char *list = study_fact(&study->file, FACT);
  bool fine = study_list_write(study, FACT, strcmp(list, NONE) == 0 ? "" : list, &study->gates);
  free(list);
  return fine;
}

/// The list of the timing build's first run, "none" where its gates cost little.
static void make_list(const struct study *study, struct text *out) {
  struct text operand = {0};
  struct measurement m;
  struct gate_choice choice = {0};
  text_format(&operand, "%s@timing", study->path);
  char *paths[] = {operand.data};
  if (measurement_load(paths, 1, &m, study->settings->problems) == PROBLEM_NONE &&
      !gate_list_add(&m, BUDGET_PERMILLE, out, &choice) && choice.count)
    problem_note(
        study->settings->problems,
        "study: gates take about %.0f %% of the CPU time: %zu loop%s over in some tens of ns "
        "get%s none, and the timing build is made anew",
        100 * choice.share, choice.count, choice.count == 1 ? "" : "s",
        choice.count == 1 ? "s" : "");
  if (!choice.count) {
    text_clear(out);
    text_add(out, NONE);
  }
  measurement_release(&m);
  text_release(&operand);
}

/// CPU time of the timing build's first run over the plain one's; 0: not known.
static double first_cost(struct study *study) {
  struct statement *s = database_prepare(
      study->file.database, "SELECT sum(iif(b.name='timing', r.user_s + r.system_s, 0)) / "
                            "sum(iif(b.name='plain', r.user_s + r.system_s, 0)) "
                            "FROM runs r JOIN builds b ON b.id=r.build WHERE r.round=1");
  double cost = statement_step(s) ? statement_get_number(s, 0) : 0;
  statement_finish(s);
  return cost == cost ? cost : 0;
}

/// Keeps the list, and forgets the build that was made without it.
static bool keep(struct study *study, const struct text *list) {
  bool is_list = strcmp(text_get(list), NONE) != 0;
  if (!study_file_begin(&study->file) || !study_fact_set(&study->file, FACT, text_get(list)))
    return false;
  if (is_list)
    database_run(study->file.database, "DELETE FROM builds WHERE name='timing'");
  return study_file_commit(&study->file);
}

int study_gates_choose(struct study *study) {
  char *known = study_fact(&study->file, FACT);
  bool is_known = *known;
  struct text list = {0};
  free(known);
  if (is_known || !study->settings->build || !study_build_find(&study->file, "timing"))
    return PROBLEM_NONE;
  double cost = first_cost(study);
  if (cost > 0 && cost <= COST_MOST) {
    text_add(&list, NONE);
    bool kept = keep(study, &list);
    text_release(&list);
    return kept ? PROBLEM_NONE : PROBLEM_UNREADABLE;
  }
  study_file_close(&study->file);
  make_list(study, &list);
  bool fine = study_file_write(study->path, &study->file, study->settings->problems) &&
              keep(study, &list) && study_gates_read(study);
  text_release(&list);
  return fine ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}
