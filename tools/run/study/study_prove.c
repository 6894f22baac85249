// study_prove.c - has the first candidates measured: blocks by themselves, layouts in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/study.h"

#include "tools/binary/elf_file.h"
#include "tools/model/finding/finding.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/run/trial/replay_trial.h"
#include "tools/run/trial/trial.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/// Blocks that are measured.
#define BLOCKS 20
/// Pairs of runs of a trial, and builds of each side with functions at other places.
#define PAIRS 10
#define PLACEMENTS 3
/// Seconds that a replay takes, of most structs.
#define REPLAY_S 10.0
/// A layout that saves less of the run is not tried: ten pairs tell 2 to 5 % on a shared machine.
#define LEAST_GAIN 0.03

/// A layout that is measured.
struct candidate {
  char *structure;
  bool is_order; ///< tried; else a split or arrays, replayed
};

/// Has this program work in a process of its own, as another command would: a crash ends that
/// alone. As study_measure; a failure is told with what it printed, or, where it may fail, by the
/// error alone: the same work may well succeed later, on a calmer machine.
static int run_apart(struct study *study, int (*work)(void *context), void *context, bool may_fail,
                     const char *what) {
  struct problems *problems = study->settings->problems;
  struct text log = {0};
  struct job job;
  text_format(&log, "%s/prove.log", study->directory);
  job_call(work, context, text_get(&log), &job);
  study->runs_s += job.wall_s;
  int status = job.stopped ? 128 + job.stopped : PROBLEM_NONE;
  if (!job.stopped &&
      (job.failed || !WIFEXITED(job.status) || WEXITSTATUS(job.status) > PROBLEM_FINDING)) {
    char *error = may_fail ? job_last_error(text_get(&log)) : NULL;
    if (error) {
      problem_note(problems, "study: %s is not measured: %s", what, error);
    } else {
      job_show_log(text_get(&log), problems);
      problem_warning(problems, "study: %s could not be measured", what);
    }
    free(error);
  }
  text_release(&log);
  return status;
}

static int measure_hottest(void *context) {
  const struct study *study = context;
  return study->settings->measure_blocks(study->path, BLOCKS);
}

static int measure_blocks(struct study *study) {
  if (!study->settings->measure_blocks)
    return PROBLEM_NONE;
  problem_note(study->settings->problems, "study: the hottest blocks, each by itself");
  return run_apart(study, measure_hottest, study, false, "blocks");
}

/// Whether so much time is left; says what else would measure the layout.
static bool has_time(const struct study *study, const char *name, const char *option,
                     double takes_s) {
  double limit_s = study->settings->limit_s;
  if (limit_s <= 0 || study->runs_s + takes_s <= limit_s)
    return true;
  problem_note(study->settings->problems,
               "study: another layout of struct %s is not measured: that takes about %s, and "
               "--time ends before: reticle try %s%s does",
               name, units_duration(takes_s * 1e9).data, option, name);
  return false;
}

static int replay(void *context) {
  struct replay_trial trial;
  int status = replay_trial_make(context, &trial);
  if (status == PROBLEM_NONE)
    replay_trial_keep(&trial);
  replay_trial_release(&trial);
  return status;
}

static int replay_layout(struct study *study, const char *name) {
  struct replay_settings settings = {.problems = study->settings->problems,
                                     .structure = name,
                                     .pairs = PAIRS,
                                     .files = &study->path,
                                     .file_count = 1};
  struct text what = {0};
  if (!has_time(study, name, "--replay ", REPLAY_S))
    return PROBLEM_NONE;
  problem_note(study->settings->problems,
               "study: struct %s taken apart: its visits over memory in both layouts (--no-try "
               "leaves it out)",
               name);
  text_format(&what, "struct %s taken apart", name);
  int status = run_apart(study, replay, &settings, true, text_get(&what));
  text_release(&what);
  return status;
}

/// Seconds of wall-clock time that a trial takes; the file is open.
static double trial_seconds(struct study *study) {
  return 2 * PAIRS *
             study_seconds(study, "SELECT avg(r.wall_s) FROM runs r JOIN builds b ON b.id=r.build "
                                  "WHERE b.name='timing'") +
         2 * PLACEMENTS * study_seconds(study, "SELECT wall_s FROM builds WHERE name='timing'");
}

static int try_out(void *context) {
  struct trial trial;
  int status = trial_make(context, &trial);
  if (status == PROBLEM_NONE)
    trial_keep(&trial);
  trial_release(&trial, false);
  return status;
}

static int try_layout(struct study *study, const char *name, double trial_s) {
  struct trial_settings settings = {.problems = study->settings->problems,
                                    .structure = name,
                                    .build = study->settings->build,
                                    .command = study->settings->argv,
                                    .pairs = PAIRS,
                                    .placements = PLACEMENTS,
                                    .files = &study->path,
                                    .file_count = 1};
  const struct study_role loops = {.name = "try", .features = "loop"};
  if (!has_time(study, name, "", trial_s))
    return PROBLEM_NONE;
  problem_note(study->settings->problems,
               "study: struct %s in another order: %d pairs of runs, %d builds of each, about %s "
               "(--no-try leaves it out)",
               name, PAIRS, PLACEMENTS, units_duration(trial_s * 1e9).data);
  study_environment(study, &loops, "report=0");
  return run_apart(study, try_out, &settings, false, name);
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
    problem_note(study->settings->problems,
                 "study: layouts aren't tried, as %s is no program with its path: reticle try "
                 "does, with a command that builds and runs",
                 program);
  return is_program;
}

/// Whether the advice is one that can be measured, wasn't, and may pay.
static bool is_open(const struct finding *f, size_t structs) {
  size_t rank = f->about[0] == 'S' ? strtoul(f->about + 1, NULL, 10) : 0;
  double saves = f->gain.status == QUANTITY_OK ? f->gain.high : f->at_stake;
  return f->code >= FINDING_LAYOUT_SPLIT && f->code <= FINDING_LAYOUT_ORDER &&
         f->proof <= FINDING_ESTIMATE && rank && rank <= structs && saves >= LEAST_GAIN;
}

/// Layouts that may pay and were not measured, most to gain first: so many orders, and so many
/// structs taken apart. out: [2 * most]. Returns how many; the names are to be freed.
static size_t find_candidates(const char *path, size_t most, struct candidate *out,
                              struct problems *problems) {
  struct measurement m;
  struct findings findings = {0};
  char *paths[] = {(char *)path};
  size_t count = 0, of[2] = {0};
  if (measurement_load(paths, 1, &m, problems) == PROBLEM_NONE) {
    findings_make(&m, &findings);
    for (size_t i = 0; i < findings.count; i++) {
      const struct finding *f = &findings.items[i];
      bool is_order = f->code == FINDING_LAYOUT_ORDER;
      if (!is_open(f, m.structs.count) || of[is_order] == most)
        continue;
      const char *name = m.structs.structs[strtoul(f->about + 1, NULL, 10) - 1].record->name;
      if (struct_is_named(name)) {
        out[count++] = (struct candidate){.structure = text_copy(name), .is_order = is_order};
        of[is_order]++;
      }
    }
  }
  findings_release(&findings);
  measurement_release(&m);
  return count;
}

/// Replays come first: they take seconds.
static int measure_layouts(struct study *study, const struct candidate *all, size_t count,
                           double trial_s) {
  int status = PROBLEM_NONE;
  bool may_try = false;
  for (size_t i = 0; i < count; i++)
    may_try = may_try || all[i].is_order;
  may_try = may_try && can_try(study);
  for (size_t i = 0; i < count && status == PROBLEM_NONE; i++)
    if (!all[i].is_order)
      status = replay_layout(study, all[i].structure);
  for (size_t i = 0; i < count && status == PROBLEM_NONE && may_try; i++)
    if (all[i].is_order)
      status = try_layout(study, all[i].structure, trial_s);
  return status;
}

int study_prove(struct study *study, size_t trials) {
  struct candidate *all = memory_zeroed(2 * trials + 1, sizeof *all);
  double trial_s = trial_seconds(study);
  study_file_close(&study->file);
  const struct study_role none = {.name = "prove"};
  study_environment(study, &none, "report=0");
  int status = measure_blocks(study);
  size_t count = status == PROBLEM_NONE && trials
                     ? find_candidates(study->path, trials, all, study->settings->problems)
                     : 0;
  if (status == PROBLEM_NONE)
    status = measure_layouts(study, all, count, trial_s);
  for (size_t i = 0; i < count; i++)
    free(all[i].structure);
  free(all);
  if (!study_file_write(study->path, &study->file, study->settings->problems))
    return PROBLEM_UNREADABLE;
  // Trials built in the folder, too.
  study->current = 0;
  int64_t plain = count ? study_build_find(&study->file, "plain") : 0;
  return plain && !study_build_place(study, plain) ? PROBLEM_UNREADABLE : status;
}
