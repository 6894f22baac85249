// report_store.c - has what a report on a study says written into the study.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/model/join/measurement_load.h"
#include "tools/render/sql/study_tables.h"
#include "tools/support/exit_code.h"

bool report_store(struct study_file *study) {
  struct measurement measurement;
  struct findings findings = {0};
  char *paths[] = {study->path};
  // Without runs of the build that is timed there is no report.
  if (!study_run_count(study, study_build_find(study, "timing")))
    return true;
  bool fine = exit_status(measurement_load(paths, 1, &measurement, problems_shown())) == EXIT_FINE;
  if (fine) {
    findings_make(&measurement, &findings);
    fine = study_tables_write(study, &(struct report){&measurement, &findings});
  }
  findings_release(&findings);
  measurement_release(&measurement);
  return fine;
}

bool report_store_again(const char *path) {
  struct study_file study;
  if (!study_file_is(path))
    return true;
  bool fine = study_file_write(path, &study, problems_shown());
  // One that isn't finished gets its tables at its end.
  if (fine && database_number(study.database, "SELECT 1 FROM facts WHERE name='finished'", 0))
    fine = report_store(&study);
  study_file_close(&study);
  return fine;
}
