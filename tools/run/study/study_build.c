// study_build.c - runs the build command, finds the programs that it wrote, puts them back later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // FTW_ACTIONRETVAL, memmem
#include "tools/run/study/study.h"

#include "tools/binary/elf_file.h"
#include "tools/profile/file_new.h"
#include "tools/profile/regular.h"
#include "tools/run/study/build_hint.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"

#include <elf.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Entries of the tree below the current directory that are looked at.
#define ENTRIES_MOST 1000000
/// Open directories while it is walked.
#define WALK_DESCRIPTORS 32

/// Files that nftw found; it takes no argument of ours.
static struct {
  char **paths; ///< [count]
  size_t count, entries;
  char *bitcode; ///< an object that is to be linked with -flto; null: none
  struct timespec since;
} found;

static bool is_newer(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec >= b->tv_nsec;
}

enum kind { OTHER, PROGRAM, BITCODE };

/// A program is an executable or a shared library.
static enum kind kind_of(const char *path) {
  static const char bitcode[] = "BC\xc0\xde";
  unsigned char start[EI_NIDENT + 4];
  FILE *stream = regular_fopen(path);
  bool is_read = stream && fread(start, 1, sizeof start, stream) == sizeof start;
  if (stream)
    fclose(stream);
  if (!is_read)
    return OTHER;
  if (memcmp(start, bitcode, sizeof bitcode - 1) == 0)
    return BITCODE;
  bool is_program = memcmp(start, ELFMAG, SELFMAG) == 0 &&
                    (start[EI_NIDENT] == ET_EXEC || start[EI_NIDENT] == ET_DYN);
  return is_program ? PROGRAM : OTHER;
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *walk) {
  const char *name = path + walk->base;
  if (++found.entries > ENTRIES_MOST)
    return FTW_STOP;
  if (kind == FTW_D && (strcmp(name, ".git") == 0 || strcmp(name, ".hg") == 0))
    return FTW_SKIP_SUBTREE;
  if (kind != FTW_F || !S_ISREG(status->st_mode) || !is_newer(&status->st_mtim, &found.since))
    return FTW_CONTINUE;
  enum kind is = kind_of(path);
  if (is == BITCODE && !found.bitcode)
    found.bitcode = text_copy(path);
  if (is != PROGRAM)
    return FTW_CONTINUE;
  found.paths = memory_resized(found.paths, found.count + 1, sizeof *found.paths);
  found.paths[found.count++] = text_copy(path);
  return FTW_CONTINUE;
}

static void forget_found(void) {
  for (size_t i = 0; i < found.count; i++)
    free(found.paths[i]);
  free(found.paths);
  free(found.bitcode);
  memset(&found, 0, sizeof found);
}

/// Adds the program if the build wrote it elsewhere than below the current directory.
static void add_program(const char *program) {
  struct stat status;
  if (!strchr(program, '/') || stat(program, &status) != 0 || kind_of(program) != PROGRAM ||
      !is_newer(&status.st_mtim, &found.since))
    return;
  for (size_t i = 0; i < found.count; i++) {
    struct stat other;
    if (stat(found.paths[i], &other) == 0 && other.st_ino == status.st_ino &&
        other.st_dev == status.st_dev)
      return;
  }
  found.paths = memory_resized(found.paths, found.count + 1, sizeof *found.paths);
  found.paths[found.count++] = text_copy(program);
}

static unsigned char *read_whole(const char *path, size_t *count, unsigned *mode) {
  FILE *stream = regular_fopen(path);
  struct stat status;
  if (!stream || fstat(fileno(stream), &status) != 0) {
    if (stream)
      fclose(stream);
    return NULL;
  }
  unsigned char *bytes = memory_zeroed((size_t)status.st_size + 1, 1);
  *count = fread(bytes, 1, (size_t)status.st_size, stream);
  *mode = status.st_mode & 07777;
  fclose(stream);
  return bytes;
}

/// The build's number, 0 after saying why it can't be kept.
static int64_t keep(struct study *study, const struct study_role *role, const struct job *job,
                    double started_s) {
  const struct study_build build = {.name = role->name,
                                    .features = role->features ? role->features : "",
                                    .command = study->settings->build,
                                    .started_s = started_s,
                                    .wall_s = job->wall_s};
  if (!study_file_begin(&study->file))
    return 0;
  int64_t id = study_build_add(&study->file, &build);
  for (size_t i = 0; i < found.count; i++) {
    size_t count;
    unsigned mode;
    struct elf_file *file;
    char *path = realpath(found.paths[i], NULL);
    unsigned char *bytes = path ? read_whole(path, &count, &mode) : NULL;
    bool is_elf = bytes && elf_file_open(path, &file) == ELF_FILE_OK;
    if (bytes)
      study_program_add(&study->file, id, path, is_elf ? elf_file_build_id(file) : "", mode, bytes,
                        count);
    if (is_elf)
      elf_file_close(file);
    free(bytes);
    free(path);
  }
  return study_file_commit(&study->file) ? id : 0;
}

/// Whether any of the programs found has parts of Reticle.
static bool has_instrumented(void) {
  bool has = false;
  for (size_t i = 0; i < found.count && !has; i++) {
    struct elf_file *file;
    if (elf_file_open(found.paths[i], &file) != ELF_FILE_OK)
      continue;
    has = elf_file_has_section(file, "reticle_objects");
    elf_file_close(file);
  }
  return has;
}

/// Whether the build wrote the same as another one did; the name of that one.
static bool is_same_as(struct study *study, int64_t build, struct text *other) {
  struct statement *s = database_prepare(
      study->file.database,
      "SELECT b.name FROM builds b WHERE b.id<>?1 AND EXISTS(SELECT 1 FROM programs WHERE build=?1)"
      " AND NOT EXISTS(SELECT 1 FROM programs p WHERE p.build=?1 AND NOT EXISTS(SELECT 1 FROM "
      "programs q WHERE q.build=b.id AND q.path=p.path AND q.deflated=p.deflated))");
  statement_count(s, 1, (uint64_t)build);
  bool is_same = statement_step(s);
  if (is_same)
    text_add(other, statement_get_text(s, 0));
  statement_finish(s);
  return is_same;
}

static void drop(struct study *study, int64_t build) {
  struct statement *s = database_prepare(study->file.database, "DELETE FROM builds WHERE id=?1");
  statement_count(s, 1, (uint64_t)build);
  statement_run(s);
  statement_finish(s);
}

/// The command as it should be, with the text in front of it; nothing where that isn't known.
static void add_hint(const struct study *study, enum build_fault fault, struct text *out) {
  struct text hint = {0};
  if (build_hint_add(study->settings->build, fault, &hint)) {
    text_add(out, ": --build ");
    text_add_quoted(out, text_get(&hint));
  }
  text_release(&hint);
}

/// Whether what was built answers the question; says why it doesn't.
static bool is_of_use(struct study *study, const struct study_role *role, int64_t build) {
  struct text other = {0}, with_ours = {0}, anew = {0};
  bool fine = false;
  add_hint(study, BUILD_OTHER_COMPILER, &with_ours);
  add_hint(study, BUILD_NOT_ANEW, &anew);
  if (role->is_trial)
    fine = found.count > 0;
  else if (!found.count)
    problem_error(study->settings->problems,
                  "%s: the build command wrote no program below this folder, nor %s: `%s`: it must "
                  "compile all of it anew%s",
                  study->settings->command, study->settings->argv[0], study->settings->build,
                  text_get(&anew));
  else if (role->features && !has_instrumented())
    problem_error(
        study->settings->problems,
        "%s: the build '%s' isn't instrumented: the command must compile with $CC or "
        "$CXX, which are %s and %s, and in a folder that wasn't configured for another compiler%s",
        study->settings->command, role->name, study->compiler, study->compiler_cxx,
        text_get(&with_ours));
  else if (!role->features && has_instrumented())
    problem_error(study->settings->problems,
                  "%s: the build 'plain' is instrumented: the command must compile all of the "
                  "program anew, and the flags must not name reticle.so%s",
                  study->settings->command, text_get(&anew));
  else if (!study->settings->may_be_same && is_same_as(study, build, &other))
    problem_error(study->settings->problems,
                  "%s: the builds '%s' and '%s' are the same: the command must compile all of "
                  "the program anew each time%s",
                  study->settings->command, text_get(&other), role->name, text_get(&anew));
  else
    fine = true;
  text_release(&other);
  text_release(&with_ours);
  text_release(&anew);
  return fine;
}

/// Where the program is one of which little can be said, that is said behind the first build that
/// tells: before the others take their time.
static void say_obstacles(struct study *study, const struct study_role *role) {
  const char *stripped = NULL, *unlabelled = found.bitcode;
  bool is_timed = role->features && strstr(role->features, "label");
  if (role->has_coverage || role->is_trial || (role->features && !is_timed))
    return;
  for (size_t i = 0; i < found.count; i++) {
    struct elf_file *file;
    if (elf_file_open(found.paths[i], &file) != ELF_FILE_OK)
      continue;
    bool is_stripped = !elf_file_has_section(file, ".symtab");
    stripped = stripped || !is_stripped ? stripped : found.paths[i];
    if (is_timed && !is_stripped && elf_file_has_section(file, "reticle_objects") &&
        !elf_file_has_section(file, ".pseudo_probe"))
      unlabelled = unlabelled ? unlabelled : found.paths[i];
    elf_file_close(file);
  }
  if (stripped && !study->is_stripped)
    problem_warning(study->settings->problems,
                    "%s: %s is stripped (-s, or strip): functions have no names, and what is "
                    "counted of blocks can't be laid on what is timed: link without -s",
                    study->settings->command, stripped);
  if (unlabelled && !study->is_unlabelled)
    problem_warning(study->settings->problems,
                    "%s: %s is of a build with -flto, in which the linker makes the machine code: "
                    "no plug-in labels its blocks there, and what is counted of them can't be laid "
                    "on what is timed: build without -flto",
                    study->settings->command, unlabelled);
  study->is_stripped = study->is_stripped || stripped;
  study->is_unlabelled = study->is_unlabelled || unlabelled;
}

int study_build_make(struct study *study, const struct study_role *role) {
  char *const argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)study->settings->build, NULL};
  struct text log = {0};
  struct job job;
  struct timespec clock;
  text_format(&log, "%s/build.log", study->directory);
  study_environment(study, role, "report=0:verbosity=0:loop=0:out=/dev/null");
  clock_gettime(CLOCK_REALTIME_COARSE, &found.since);
  clock_gettime(CLOCK_REALTIME, &clock);
  double began_s = study_elapsed_s(study);
  job_run(argv, text_get(&log), 0, &job);
  int status = PROBLEM_UNREADABLE;
  if (job.stopped) {
    status = 128 + job.stopped;
  } else if ((job.failed || job.status) && role->is_trial) {
    status = PROBLEM_UNREADABLE; // the change can't be made so
  } else if (job.failed || job.status) {
    job_show_log(text_get(&log), study->settings->problems);
    problem_error(study->settings->problems,
                  "%s: the build command failed (%s, status %d): `%s`; builds before it are kept",
                  study->settings->command, role->name,
                  WIFEXITED(job.status) ? WEXITSTATUS(job.status) : 128 + WTERMSIG(job.status),
                  study->settings->build);
  } else {
    if (nftw(".", visit, WALK_DESCRIPTORS, FTW_PHYS | FTW_ACTIONRETVAL) == FTW_STOP)
      problem_warning(study->settings->problems,
                      "%s: more than %d files below this folder: programs behind them are not "
                      "seen",
                      study->settings->command, ENTRIES_MOST);
    add_program(study->settings->argv[0]);
    int64_t build = keep(study, role, &job, (double)clock.tv_sec + (double)clock.tv_nsec * 1e-9);
    if (build && is_of_use(study, role, build)) {
      study->current = build;
      say_obstacles(study, role);
      status = PROBLEM_NONE;
    } else if (build) {
      drop(study, build);
    }
  }
  forget_found();
  text_release(&log);
  study->builds_s += study_elapsed_s(study) - began_s;
  return status;
}

/// Whether the file is that already.
static bool is_there(const char *path, const void *bytes, size_t count) {
  size_t have;
  unsigned mode;
  unsigned char *content = read_whole(path, &have, &mode);
  bool is_same = content && have == count && memcmp(content, bytes, count) == 0;
  free(content);
  return is_same;
}

static bool place(const struct study *study, const char *path, unsigned mode, const void *bytes,
                  size_t count) {
  if (is_there(path, bytes, count))
    return true;
  struct file_new file;
  int failed = file_new_open(path, &file);
  if (!failed) {
    file.mode = mode;
    size_t written = fwrite(bytes, 1, count, file.stream);
    failed = file_new_close(&file, written == count ? 0 : errno);
  }
  if (failed)
    problem_error(study->settings->problems,
                  "%s: %s: can't be put in place: %s; mend that%s: what is done is kept in %s",
                  study->settings->command, path, file_new_reason(failed),
                  study->settings->has_resume ? ", and --resume goes on" : "", study->path);
  return !failed;
}

bool study_build_place(struct study *study, int64_t build) {
  if (study->current == build)
    return true;
  bool fine = true;
  struct statement *s = database_prepare(
      study->file.database, "SELECT path, mode, deflated, bytes FROM programs WHERE build=?1");
  statement_count(s, 1, (uint64_t)build);
  study->current = 0;
  while (fine && statement_step(s)) {
    size_t count;
    unsigned char *bytes = study_unpack(s, 2, 3, &count);
    fine = bytes && place(study, statement_get_text(s, 0), (unsigned)statement_get_count(s, 1),
                          bytes, count);
    if (!bytes && study_file_is_fine(&study->file))
      problem_error(study->settings->problems, "%s: the program %s in it is damaged",
                    study->file.path, statement_get_text(s, 0));
    free(bytes);
  }
  statement_finish(s);
  fine = fine && study_file_is_fine(&study->file);
  if (fine)
    study->current = build;
  return fine;
}

bool study_build_has_threads(struct study *study) {
  static const char name[] = "pthread_create"; // C11's and OpenMP's threads are made by it, too
  bool has = false;
  struct statement *s = database_prepare(
      study->file.database, "SELECT p.deflated, p.bytes FROM programs p JOIN builds b ON "
                            "b.id=p.build WHERE b.name='plain'");
  while (!has && statement_step(s)) {
    size_t count;
    unsigned char *bytes = study_unpack(s, 0, 1, &count);
    has = bytes && memmem(bytes, count, name, sizeof name - 1);
    free(bytes);
  }
  statement_finish(s);
  return has;
}
