// check_cover.c - asks git what changed, and clang's coverage which lines were executed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/check/check_cover.h"

#include "tools/binary/elf_file.h"
#include "tools/profile/regular.h"
#include "tools/run/child/job.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// Words of a command, most.
#define WORDS 64

static const struct study_role role = {.name = "coverage",
                                       .options = "",
                                       .question = "which changed lines are executed",
                                       .has_coverage = true};

/// A command that is put together word by word; each word is freed with it.
struct words {
  char *at[WORDS + 1];
  size_t count;
};

static void add(struct words *words, const char *word) {
  if (words->count < WORDS)
    words->at[words->count++] = text_copy(word);
}

static void release(struct words *words) {
  for (size_t i = 0; i < words->count; i++)
    free(words->at[i]);
}

/// Runs it, output into the log. Its exit status; 128 and more: it was not, or ended by a signal.
static int run(struct words *words, const char *log) {
  struct job job;
  job_run(words->at, log, 0, &job);
  release(words);
  return job.failed || !WIFEXITED(job.status) ? 128 : WEXITSTATUS(job.status);
}

static void first_line(const char *path, struct text *out) {
  char line[4096] = "";
  FILE *stream = regular_fopen(path);
  if (stream && !fgets(line, sizeof line, stream))
    line[0] = 0;
  if (stream)
    fclose(stream);
  line[strcspn(line, "\n")] = 0;
  text_add(out, line);
}

/// The folder that the diff's paths are relative to; "" without git.
static void find_folder(const struct check_tree *base, const char *log, struct text *out) {
  struct words words = {0};
  static const char *const ask[] = {"git", "rev-parse", "--show-toplevel"};
  if (!*base->revision) {
    text_add(out, ".");
    return;
  }
  for (size_t i = 0; i < sizeof ask / sizeof *ask; i++)
    add(&words, ask[i]);
  if (run(&words, log) == 0)
    first_line(log, out);
}

/// Whether git told what changed.
static bool read_changes(const struct check_tree *base, const char *log,
                         struct changed_lines *out) {
  static const char *const diff[] = {"git",         "-c",         "core.quotePath=false",
                                     "diff",        "--no-color", "--no-ext-diff",
                                     "--no-prefix", "-U0"};
  struct words words = {0};
  for (size_t i = 0; i < sizeof diff / sizeof *diff; i++)
    add(&words, diff[i]);
  if (*base->revision) {
    add(&words, base->revision);
  } else {
    add(&words, "--no-index");
    add(&words, base->path);
    add(&words, ".");
  }
  int status = run(&words, log);
  FILE *stream = status <= !*base->revision ? regular_fopen(log) : NULL; // 1: folders differ
  if (!stream)
    return false;
  changed_lines_read(stream, out);
  fclose(stream);
  return true;
}

/// A tool of the compiler's LLVM; "" where it isn't installed.
static void find_tool(const struct study *study, const char *name, const char *log,
                      struct text *out) {
  struct words words = {0};
  struct text option = {0};
  text_format(&option, "-print-prog-name=%s", name);
  add(&words, study->compiler);
  add(&words, text_get(&option));
  study_environment(study, &role, "");
  if (run(&words, log) == 0)
    first_line(log, out);
  if (!strchr(text_get(out), '/') || access(text_get(out), X_OK) != 0)
    text_clear(out);
  text_release(&option);
}

/// Adds the programs of the build that count lines, as llvm-cov wants them.
static size_t add_programs(struct study *study, struct words *words) {
  size_t count = 0;
  struct statement *s =
      database_prepare(study->file.database, "SELECT path FROM programs WHERE build=?1");
  statement_count(s, 1, (uint64_t)study_build_find(&study->file, role.name));
  while (statement_step(s)) {
    struct elf_file *file;
    const char *path = statement_get_text(s, 0);
    if (elf_file_open(path, &file) != ELF_FILE_OK)
      continue;
    if (elf_file_has_section(file, "__llvm_covmap")) {
      if (count++)
        add(words, "-object");
      add(words, path);
    }
    elf_file_close(file);
  }
  statement_finish(s);
  return count;
}

static bool count_lines(struct study *study, const char *merge, const char *export,
                        const char *folder, struct changed_lines *out) {
  struct text log = {0}, raw = {0}, merged = {0}, option = {0};
  struct words words = {0};
  text_format(&log, "%s/lcov", study->directory);
  text_format(&raw, "%s/coverage", study->directory);
  text_format(&merged, "%s/coverage.profdata", study->directory);
  text_format(&option, "-instr-profile=%s", text_get(&merged));
  add(&words, merge);
  add(&words, "merge");
  add(&words, "-sparse");
  add(&words, "-o");
  add(&words, text_get(&merged));
  add(&words, text_get(&raw)); // a folder: all files in it
  bool fine = run(&words, text_get(&log)) == 0;
  words = (struct words){0};
  add(&words, export);
  add(&words, "export");
  add(&words, "-format=lcov");
  add(&words, text_get(&option));
  fine = add_programs(study, &words) && fine;
  if (fine)
    fine = run(&words, text_get(&log)) == 0;
  else
    release(&words);
  FILE *stream = fine ? regular_fopen(text_get(&log)) : NULL;
  if (stream) {
    changed_lines_count(stream, folder, out);
    fclose(stream);
  }
  text_release(&log);
  text_release(&raw);
  text_release(&merged);
  text_release(&option);
  return stream;
}

/// Programs write their counts there; those that the build runs, elsewhere.
static bool set_file(const struct study *study, const char *folder) {
  struct text path = {0};
  text_format(&path, "%s/%s", study->directory, folder);
  bool fine = mkdir(text_get(&path), 0700) == 0;
  text_add(&path, "/%p.%m.profraw");
  fine = fine && setenv("LLVM_PROFILE_FILE", text_get(&path), 1) == 0;
  text_release(&path);
  return fine;
}

static int measure(struct study *study) {
  problem_note(study->settings->problems, "check: build for coverage (%s): %s", role.question,
               study->settings->build);
  int status = set_file(study, "building") ? study_build_make(study, &role) : PROBLEM_UNREADABLE;
  if (status == PROBLEM_NONE)
    status = set_file(study, "coverage") ? study_run_make(study, &role, 1) : PROBLEM_UNREADABLE;
  unsetenv("LLVM_PROFILE_FILE");
  return status;
}

/// Why lines can't be counted; null: they were, or there are none.
static const char *cover(struct study *study, const struct check_tree *base, const char *log,
                         int *status, struct changed_lines *out) {
  struct text folder = {0}, merge = {0}, export = {0};
  const char *unknown = NULL;
  find_folder(base, log, &folder);
  find_tool(study, "llvm-profdata", log, &merge);
  find_tool(study, "llvm-cov", log, &export);
  if (!folder.length || !read_changes(base, log, out))
    unknown = "git can't tell what changed: install git";
  else if (out->count && (!merge.length || !export.length))
    unknown = "llvm-profdata and llvm-cov of this clang aren't there: apt-get install llvm-19";
  else if (out->count && (*status = measure(study)) != PROBLEM_NONE)
    unknown = "its build or run failed, above";
  else if (out->count &&
           !count_lines(study, text_get(&merge), text_get(&export), text_get(&folder), out))
    unknown = "no program left counts of lines: it must end by exit() or by returning from main";
  text_release(&folder);
  text_release(&merge);
  text_release(&export);
  return unknown;
}

int check_cover(struct study *study, const struct check_tree *base, struct changed_lines *out) {
  struct text log = {0};
  int status = PROBLEM_NONE;
  *out = (struct changed_lines){0};
  text_format(&log, "%s/cover.log", study->directory);
  const char *unknown = cover(study, base, text_get(&log), &status, out);
  if (unknown)
    out->unknown = text_copy(unknown);
  text_release(&log);
  return status > 128 ? status : PROBLEM_NONE;
}
