// study_input.c - reads profiles of builds, joins them, extracts programs into memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memfd_create
#include "tools/store/study/study_input.h"

#include "tools/profile/join.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/merge/reduce.h"
#include "tools/store/profile_gather.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// The build that everything else is laid on.
#define TIMED "timing"

/// A program that was asked for.
struct extracted {
  char *path, *build_id; ///< as asked for
  int descriptor;        ///< -1: the study has none
  char name[32];         ///< /proc/self/fd/N
};

struct study_input {
  struct study_file file;
  char *build;      ///< behind the @; null: all, joined
  char *executable; ///< path of the program that is looked at; null: no run left a profile
  struct profile profile, counts, bound;
  struct extracted **programs; ///< [program_count] each stays where it is
  size_t program_count;
};

/// The file's part of an operand; *build gets what stands behind the last @. The caller frees both.
static char *split(const char *operand, char **build) {
  const char *at = strrchr(operand, '@');
  *build = NULL;
  if (study_file_is(operand) || !at || !at[1])
    return text_copy(operand);
  char *path = text_copy(operand);
  path[at - operand] = 0;
  *build = text_copy(at + 1);
  return path;
}

bool study_input_is(const char *operand) {
  char *build, *path = split(operand, &build);
  bool is = study_file_is(path);
  free(path);
  free(build);
  return is;
}

/// Sets the program: the one that is named behind the @, if that is no build; else the one that
/// took most CPU time where times are taken.
static void choose_executable(struct study_input *input) {
  struct statement *s = database_prepare(
      input->file.database,
      "SELECT p.executable FROM profiles p JOIN runs r ON r.id=p.run JOIN builds b ON b.id=r.build "
      "GROUP BY p.executable ORDER BY sum(iif(b.name=?1, p.cpu_s, 0)) DESC, sum(p.cpu_s) DESC, "
      "p.executable");
  statement_text(s, 1, input->build ? input->build : TIMED);
  bool is_build = !input->build || study_build_find(&input->file, input->build) != 0;
  while (!input->executable && statement_step(s)) {
    const char *path = statement_get_text(s, 0);
    if (is_build || strcmp(base_name(path), input->build) == 0)
      input->executable = text_copy(path);
  }
  statement_finish(s);
  if (!is_build && input->executable) {
    free(input->build);
    input->build = NULL;
  }
}

struct study_input *study_input_open(const char *operand, struct problems *problems) {
  struct study_input *input = memory_zeroed(1, sizeof *input);
  char *path = split(operand, &input->build);
  bool fine = study_file_read(path, &input->file, problems);
  free(path);
  if (fine)
    choose_executable(input);
  if (fine)
    return input;
  study_input_close(input);
  return NULL;
}

void study_input_close(struct study_input *input) {
  if (!input)
    return;
  for (size_t i = 0; i < input->program_count; i++) {
    if (input->programs[i]->descriptor >= 0)
      close(input->programs[i]->descriptor);
    free(input->programs[i]->path);
    free(input->programs[i]->build_id);
    free(input->programs[i]);
  }
  free(input->programs);
  profile_release(&input->profile);
  profile_release(&input->counts);
  profile_release(&input->bound);
  study_file_close(&input->file);
  free(input->build);
  free(input->executable);
  free(input);
}

struct study_file *study_input_file(struct study_input *input) { return &input->file; }

const char *study_input_executable(const struct study_input *input) {
  return input->executable ? input->executable : "";
}

/// The profiles of a build and the program, those of a run in a row.
static struct statement *select_profiles(struct study_input *input, const char *build) {
  struct statement *s = database_prepare(
      input->file.database,
      "SELECT p.deflated, p.bytes, p.run FROM profiles p JOIN runs r ON r.id=p.run JOIN builds b "
      "ON b.id=r.build WHERE b.name=?1 AND p.executable=?2 ORDER BY r.round, p.id");
  statement_text(s, 1, build);
  statement_text(s, 2, study_input_executable(input));
  return s;
}

/// Profiles that are to become one. More than are held at once are reduced as they come.
struct gathered {
  struct profile_reduction reduction;
  struct profile held[PROFILE_GATHER_HELD];
  size_t count;
};

static bool say(int result, const struct profile_error *error, struct problems *problems) {
  if (result == RETICLE_E_MEMORY)
    memory_exhausted();
  if (result)
    problem_error(problems, "%s", error->text);
  return result == 0;
}

/// Moves what is held into the reduction.
static bool reduce(struct gathered *gathered, struct problems *problems) {
  struct profile_error error;
  bool fine = true;
  for (size_t i = 0; i < PROFILE_GATHER_HELD && fine; i++)
    fine =
        say(profile_reduce_add(&gathered->reduction, &gathered->held[i], &error), &error, problems);
  return fine;
}

/// Adds the row's profile. False after saying what is wrong.
static bool gather(struct study_input *input, struct statement *row, struct gathered *gathered) {
  struct profile profile;
  struct profile_error error;
  if (!study_profile_read(&input->file, row, input->file.path, &profile))
    return false;
  size_t at = gathered->count++;
  if (at < PROFILE_GATHER_HELD) {
    gathered->held[at] = profile;
    return true;
  }
  return (at > PROFILE_GATHER_HELD || reduce(gathered, input->file.problems)) &&
         say(profile_reduce_add(&gathered->reduction, &profile, &error), &error,
             input->file.problems);
}

/// Merges them, if there are any and `fine`, and releases them in any case.
static bool gather_end(struct gathered *gathered, bool fine, struct profile *out,
                       struct problems *problems) {
  const struct profile *pointers[PROFILE_GATHER_HELD];
  struct profile_error error;
  bool is_reduced = gathered->count > PROFILE_GATHER_HELD;
  for (size_t i = 0; i < PROFILE_GATHER_HELD; i++)
    pointers[i] = &gathered->held[i];
  if (fine && gathered->count)
    fine = say(is_reduced ? profile_reduce_finish(&gathered->reduction, out, &error)
                          : profile_merge(pointers, gathered->count, out, &error),
               &error, problems);
  for (size_t i = 0; i < PROFILE_GATHER_HELD; i++)
    profile_release(&gathered->held[i]);
  profile_reduce_release(&gathered->reduction);
  *gathered = (struct gathered){0};
  return fine;
}

/// All runs of a build as one profile. *has: it has any. False after saying what is wrong.
static bool read_build(struct study_input *input, const char *build, struct profile *out,
                       bool *has) {
  struct statement *s = select_profiles(input, build);
  struct gathered *gathered = memory_zeroed(1, sizeof *gathered);
  bool fine = true;
  while (fine && statement_step(s))
    fine = gather(input, s, gathered);
  statement_finish(s);
  *has = gathered->count > 0;
  fine = gather_end(gathered, fine && study_file_is_fine(&input->file), out, input->file.problems);
  free(gathered);
  return fine;
}

struct profile *study_input_profile(struct study_input *input) {
  const char *main = input->build ? input->build : TIMED;
  bool has_timing, has_counts = false, has_bound = false;
  if (!read_build(input, main, &input->profile, &has_timing))
    return NULL;
  if (!has_timing) {
    problem_error(input->file.problems, "%s: no run of %s '%s' in it%s", input->file.path,
                  input->build ? "a build or program" : "the build", main,
                  input->build ? "" : ": reticle study --resume makes what is missing");
    return NULL;
  }
  if (input->build)
    return &input->profile;
  if (!read_build(input, "counts", &input->counts, &has_counts))
    return NULL;
  if (has_counts)
    profile_join(&input->profile, &input->counts);
  if (!read_build(input, "bound", &input->bound, &has_bound))
    return NULL;
  if (has_bound)
    profile_join_bounds(&input->profile, &input->bound);
  return &input->profile;
}

const struct profile *study_input_counts(const struct study_input *input) {
  return input->counts.merged_count ? &input->counts : NULL;
}

double study_input_plain_ratio(const struct study_input *input) {
  struct statement *s = database_prepare(
      input->file.database, "SELECT avg(iif(b.name='plain', r.user_s + r.system_s, NULL)) / "
                            "avg(iif(b.name=?1, r.user_s + r.system_s, NULL)) "
                            "FROM runs r JOIN builds b ON b.id=r.build");
  statement_text(s, 1, input->build ? input->build : TIMED);
  double ratio = statement_step(s) ? statement_get_number(s, 0) : NAN;
  statement_finish(s);
  return ratio;
}

void study_input_plain_range(const struct study_input *input, double *fastest, double *slowest) {
  struct statement *s = database_prepare(
      input->file.database, "SELECT min(t) / avg(t), max(t) / avg(t) FROM (SELECT r.user_s + "
                            "r.system_s t FROM runs r JOIN builds b ON b.id=r.build "
                            "WHERE b.name='plain')");
  if (statement_step(s) && statement_get_number(s, 0) > 0) {
    *fastest = statement_get_number(s, 0);
    *slowest = statement_get_number(s, 1);
  }
  statement_finish(s);
}

/// Puts the row's program into memory. Returns a descriptor, -1 if it can't.
static int extract(struct study_input *input, struct statement *s) {
  size_t count;
  unsigned char *bytes = study_unpack(s, 0, 1, &count);
  bool is_damaged = !bytes && study_file_is_fine(&input->file);
  int descriptor = bytes ? memfd_create("reticle-program", MFD_CLOEXEC) : -1;
  for (size_t at = 0; descriptor >= 0 && at < count;) {
    ssize_t n = write(descriptor, bytes + at, count - at);
    if (n <= 0) {
      close(descriptor);
      descriptor = -1;
    }
    at += n > 0 ? (size_t)n : 0;
  }
  if (is_damaged)
    problem_warning(input->file.problems, "%s: a program in it is damaged", input->file.path);
  free(bytes);
  return descriptor;
}

static int find(struct study_input *input, const char *path, const char *build_id) {
  struct statement *s =
      database_prepare(input->file.database,
                       "SELECT p.deflated, p.bytes FROM programs p JOIN builds b ON b.id=p.build "
                       "WHERE p.build_id=?2 OR (?2 IS NULL AND p.path=?1 AND b.name=?3) LIMIT 1");
  statement_text(s, 1, path);
  statement_text_or_null(s, 2, build_id);
  statement_text(s, 3, input->build ? input->build : TIMED);
  int descriptor = statement_step(s) ? extract(input, s) : -1;
  statement_finish(s);
  return descriptor;
}

const char *study_input_program(struct study_input *input, const char *path, const char *build_id) {
  const char *asked = build_id ? build_id : "";
  struct extracted *program = NULL;
  for (size_t i = 0; i < input->program_count && !program; i++)
    if (strcmp(input->programs[i]->path, path) == 0 &&
        strcmp(input->programs[i]->build_id, asked) == 0)
      program = input->programs[i];
  if (!program) {
    program = memory_zeroed(1, sizeof *program);
    *program = (struct extracted){.path = text_copy(path),
                                  .build_id = text_copy(asked),
                                  .descriptor = find(input, path, build_id)};
    snprintf(program->name, sizeof program->name, "/proc/self/fd/%d", program->descriptor);
    input->programs =
        memory_resized(input->programs, input->program_count + 1, sizeof *input->programs);
    input->programs[input->program_count++] = program;
  }
  return program->descriptor < 0 ? NULL : program->name;
}

size_t study_input_processes(struct study_input *input, struct profile **out) {
  struct statement *s = select_profiles(input, input->build ? input->build : TIMED);
  size_t count = 0;
  *out = NULL;
  while (statement_step(s)) {
    *out = memory_resized(*out, count + 1, sizeof **out);
    (*out)[count] = (struct profile){0};
    count += study_profile_read(&input->file, s, input->file.path, &(*out)[count]);
  }
  statement_finish(s);
  return count;
}

size_t study_input_runs(struct study_input *input, struct profile **out) {
  struct statement *s = select_profiles(input, input->build ? input->build : TIMED);
  struct gathered *of_run = memory_zeroed(1, sizeof *of_run);
  size_t count = 0;
  bool more = statement_step(s), fine = true;
  *out = NULL;
  while (fine && more) {
    uint64_t run = statement_get_count(s, 2);
    for (; fine && more && statement_get_count(s, 2) == run; more = statement_step(s))
      fine = gather(input, s, of_run);
    *out = memory_resized(*out, count + 1, sizeof **out);
    (*out)[count] = (struct profile){0};
    fine = gather_end(of_run, fine, &(*out)[count], input->file.problems);
    (*out)[count++].merged_count = 1; // the processes of one run
  }
  statement_finish(s);
  free(of_run);
  fine = study_file_is_fine(&input->file) && fine;
  for (size_t i = 0; !fine && i < count; i++)
    profile_release(&(*out)[i]);
  return fine ? count : 0;
}
