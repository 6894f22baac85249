// study_prove.c - has the first candidates measured: blocks by themselves, layouts in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study.h"

#include "tools/binary/elf_file.h"
#include "tools/model/finding.h"
#include "tools/model/struct_summary.h"
#include "tools/support/exit_code.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/// Blocks that are measured.
#define BLOCKS "20"
/// Pairs of runs of a trial, and builds of each side with functions at other places.
#define PAIRS 10
#define PLACEMENTS 3
/// A layout that saves less of the run is not tried: ten pairs tell 2 to 5 % on a shared machine.
#define LEAST_GAIN 0.03
#define ARGUMENTS_MOST 64

/// Runs this program as another command of its own. As study_measure; a failure is a warning.
static int run_self(struct study *study, const char *const *arguments, const char *what) {
  struct text log = {0};
  struct job job;
  text_format(&log, "%s/prove.log", study->directory);
  job_run((char *const *)(const void *)arguments, text_get(&log), 0, &job);
  int status = job.stopped ? 128 + job.stopped : EXIT_FINE;
  if (!job.stopped && (job.failed || !WIFEXITED(job.status) || WEXITSTATUS(job.status) > 1)) {
    job_show_log(text_get(&log));
    message_warning("study: %s could not be measured", what);
  }
  text_release(&log);
  return status;
}

static int measure_blocks(struct study *study) {
  const char *const arguments[] = {study->self,           "block", "--save", "--hottest", BLOCKS,
                                   study->settings->path, NULL};
  message_note("study: the hottest blocks, each by itself");
  return run_self(study, arguments, "blocks");
}

/// Seconds of wall-clock time that a trial takes; the file is open.
static double trial_seconds(struct study *study) {
  return 2 * PAIRS *
             study_seconds(study, "SELECT avg(r.wall_s) FROM runs r JOIN builds b ON b.id=r.build "
                                  "WHERE b.name='timing'") +
         2 * PLACEMENTS * study_seconds(study, "SELECT wall_s FROM builds WHERE name='timing'");
}

static int try_layout(struct study *study, const char *name, double trial_s) {
  char pairs[8], placements[8];
  snprintf(pairs, sizeof pairs, "%d", PAIRS);
  snprintf(placements, sizeof placements, "%d", PLACEMENTS);
  const char *arguments[ARGUMENTS_MOST + 16] = {study->self,
                                                "try",
                                                name,
                                                study->settings->path,
                                                "--build",
                                                study->settings->build,
                                                "--pairs",
                                                pairs,
                                                "--placements",
                                                placements,
                                                "--"};
  size_t count = 11;
  for (size_t i = 0; study->settings->argv[i] && i < ARGUMENTS_MOST; i++)
    arguments[count++] = study->settings->argv[i];
  const struct study_role loops = {.name = "try", .features = "loop"};
  double limit_s = study->settings->limit_s;
  if (limit_s > 0 && study_elapsed_s(study) + trial_s > limit_s) {
    message_note("study: struct %s in another order is not tried: that takes about %s, and --time "
                 "ends before: reticle try does",
                 name, units_duration(trial_s * 1e9).data);
    return EXIT_FINE;
  }
  message_note("study: struct %s in another order: %d pairs of runs, %d builds of each, about %s "
               "(--no-try leaves it out)",
               name, PAIRS, PLACEMENTS, units_duration(trial_s * 1e9).data);
  study_environment(study, &loops, "report=0");
  return run_self(study, arguments, name);
}

bool study_is_built(const char *program) {
  struct elf_file *file;
  if (elf_file_open(program, &file) != ELF_FILE_OK)
    return false;
  elf_file_close(file);
  return true;
}

/// Whether trials can be made; says why not.
static bool can_try(const struct study *study) {
  const char *program = study->settings->argv[0];
  if (!study->settings->build)
    return false;
  bool is_program = strchr(program, '/') && study_is_built(program);
  if (!is_program)
    message_note("study: layouts aren't tried, as %s is no program with its path: reticle try "
                 "does, with a command that builds and runs",
                 program);
  return is_program;
}

/// Names of structs whose order may pay and was not tried, most to gain first. Returns how many;
/// the names are to be freed.
static size_t candidates(const char *path, char **names, size_t most) {
  struct measurement m;
  struct findings findings = {0};
  char *paths[] = {(char *)path};
  size_t count = 0;
  if (measurement_load(paths, 1, &m) == EXIT_FINE) {
    findings_make(&m, &findings);
    for (size_t i = 0; i < findings.count && count < most; i++) {
      const struct finding *f = &findings.items[i];
      size_t rank = f->about[0] == 'S' ? strtoul(f->about + 1, NULL, 10) : 0;
      double saves = f->gain.status == QUANTITY_OK ? f->gain.high : f->at_stake;
      if (f->code == FINDING_LAYOUT_ORDER && f->proof <= FINDING_ESTIMATE && rank &&
          rank <= m.structs.count && saves >= LEAST_GAIN &&
          struct_is_named(m.structs.structs[rank - 1].record->name))
        names[count++] = text_copy(m.structs.structs[rank - 1].record->name);
    }
  }
  findings_release(&findings);
  measurement_release(&m);
  return count;
}

int study_prove(struct study *study, size_t trials) {
  char **names = memory_zeroed(trials + 1, sizeof *names);
  double trial_s = trial_seconds(study);
  study_file_close(&study->file);
  const struct study_role none = {.name = "prove"};
  study_environment(study, &none, "report=0");
  int status = measure_blocks(study);
  size_t count = status == EXIT_FINE && trials && can_try(study)
                     ? candidates(study->settings->path, names, trials)
                     : 0;
  for (size_t i = 0; i < count && status == EXIT_FINE; i++)
    status = try_layout(study, names[i], trial_s);
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
  if (!study_file_write(study->settings->path, &study->file))
    return EXIT_UNREADABLE;
  // Trials built in the folder, too.
  study->current = 0;
  int64_t plain = count ? study_build_find(&study->file, "plain") : 0;
  return plain && !study_build_place(study, plain) ? EXIT_UNREADABLE : status;
}
