// live.c - finds the profile of a process through /proc, copies it, and waits for a later one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memfd_create
#include "tools/run/child/live.h"

#include "include/reticle/out.h"
#include "tools/profile/profile.h"
#include "tools/profile/regular.h"
#include "tools/run/child/run_profile.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

/// A checkpoint comes about once a second; one that is so much later won't come.
#define PATIENCE_S 10
#define POLL_NS 100000000

/// Reads a file of /proc whole. Null, with errno set, if it can't be; to be freed.
static char *read_proc(pid_t pid, const char *file, size_t *count) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
  FILE *stream = fopen(path, "re");
  struct text all = {0};
  char buffer[4096];
  size_t got;
  if (!stream)
    return NULL;
  while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0)
    text_add_bytes(&all, buffer, got);
  fclose(stream);
  *count = all.length;
  char *copy = memory_zeroed(all.length + 1, 1);
  memcpy(copy, text_get(&all), all.length);
  text_release(&all);
  return copy;
}

/// Value of a variable among strings that follow each other; null if there is none.
static const char *variable(const char *environment, size_t count, const char *name) {
  size_t length = strlen(name);
  for (const char *at = environment; at < environment + count; at += strlen(at) + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return at + length + 1;
  return NULL;
}

/// The last value of the option `out`.
static void add_pattern(const char *options, struct text *out) {
  const char *found = NULL;
  size_t length = 0;
  for (const char *at = options ? options : ""; *at; at += strcspn(at, ":"), at += *at == ':')
    if (strncmp(at, "out=", 4) == 0) {
      found = at + 4;
      length = strcspn(found, ":");
    }
  if (found)
    text_add_bytes(out, found, length);
  else
    text_add(out, RETICLE_OUT_DEFAULT);
}

/// The process's id where it runs: another one in a container.
static pid_t inner_pid(pid_t pid) {
  size_t count;
  char *status = read_proc(pid, "status", &count);
  const char *line = status ? strstr(status, "\nNSpid:") : NULL;
  pid_t inner = pid;
  for (char *end; line && *line && *line != '\n'; line = end) {
    line += strcspn(line, "0123456789\n");
    if (*line == '\n')
      break;
    inner = (pid_t)strtol(line, &end, 10);
  }
  free(status);
  return inner;
}

/// The path as people know it, where it leads to the same file; `path` is freed then.
static char *shorten(char *path) {
  struct stat is, was;
  char *real = realpath(path, NULL);
  if (!real || stat(path, &was) != 0 || stat(real, &is) != 0 || is.st_ino != was.st_ino ||
      is.st_dev != was.st_dev) {
    free(real);
    return path;
  }
  char *copy = text_copy(real);
  free(real);
  free(path);
  return copy;
}

/// Looks in a folder, as the process sees it or from outside.
static char *look(const char *root, const char *folder, const char *pattern, pid_t pid) {
  struct text path = {0};
  struct run_profiles found;
  char *result = NULL;
  text_format(&path, "%s%s%s%s", root, *pattern == '/' ? "" : folder, *pattern == '/' ? "" : "/",
              pattern);
  run_profile_find(text_get(&path), pid, (struct timespec){0}, &found);
  for (size_t i = 0; i < found.count && !result; i++) {
    struct profile profile = {0};
    if (profile_read(found.paths[i], &profile, NULL) == 0 && profile.env.pid == (uint64_t)pid)
      result = shorten(text_copy(found.paths[i]));
    profile_release(&profile);
  }
  run_profiles_release(&found);
  text_release(&path);
  return result;
}

static char *find(pid_t pid, const char *environment, size_t count) {
  struct text pattern = {0};
  char root[32], cwd[64];
  const char *pwd = variable(environment, count, "PWD");
  add_pattern(variable(environment, count, "RETICLE_OPTIONS"), &pattern);
  snprintf(root, sizeof root, "/proc/%d/root", (int)pid);
  snprintf(cwd, sizeof cwd, "/proc/%d/cwd", (int)pid);
  pid_t inner = inner_pid(pid);
  char *path = look("", cwd, text_get(&pattern), inner);
  // It may have gone to another folder since, as servers do.
  if (!path && pwd)
    path = look("", pwd, text_get(&pattern), inner);
  if (!path && pwd)
    path = look(root, pwd, text_get(&pattern), inner);
  text_release(&pattern);
  return path;
}

static bool open_process(pid_t pid, struct live *out) {
  size_t count = 0;
  char *environment = read_proc(pid, "environ", &count);
  int error = errno;
  out->pid = pid;
  if (!environment && error == EACCES) {
    problem_error(out->problems,
                  "process %d belongs to another user: ask as that user or as root, or name its "
                  "profile in place of the number",
                  (int)pid);
    return false;
  }
  if (!environment) {
    problem_error(out->problems, "there is no process %d", (int)pid);
    return false;
  }
  out->path = find(pid, environment, count);
  free(environment);
  if (!out->path)
    problem_error(out->problems,
                  "process %d has no profile where it would write one: was it built with "
                  "reticle-clang, and has it run for more than a second? Where it wrote elsewhere, "
                  "name the file in place of the number",
                  (int)pid);
  return out->path != NULL;
}

bool live_open(const char *operand, struct live *out, struct problems *problems) {
  *out = (struct live){.problems = problems, .mark = -1};
  char *end;
  long number = strtol(operand, &end, 10);
  if (isdigit((unsigned char)*operand) && !*end && number > 0 && number <= INT32_MAX)
    return open_process((pid_t)number, out);
  out->path = text_copy(operand);
  return true;
}

/// How long the process had run at a checkpoint. False after saying why it can't be read.
///
/// name  of the file as people know it; path: of a copy
static bool read_clock(const char *name, const char *path, uint64_t *ticks, uint64_t *hz,
                       uint64_t *ended, struct problems *problems) {
  struct profile profile = {0};
  struct profile_error error;
  if (profile_read(path, &profile, &error) != 0) {
    size_t length = strlen(path);
    bool is_named = strncmp(error.text, path, length) == 0;
    problem_error(problems, "%s%s", is_named ? name : "", error.text + (is_named ? length : 0));
    return false;
  }
  *ticks = profile.env.elapsed_ticks;
  *hz = profile.env.timer_hz;
  *ended = profile.health.ended_by;
  profile_release(&profile);
  return true;
}

bool live_mark(struct live *live) {
  char buffer[65536];
  size_t got;
  uint64_t ended;
  FILE *from = regular_fopen(live->path);
  if (!from) {
    problem_error(live->problems, "%s: %s", live->path, regular_problem(errno));
    return false;
  }
  if (live->mark >= 0)
    close(live->mark);
  live->mark = memfd_create("reticle-checkpoint", MFD_CLOEXEC);
  bool fine = live->mark >= 0;
  while (fine && (got = fread(buffer, 1, sizeof buffer, from)) > 0)
    fine = write(live->mark, buffer, got) == (ssize_t)got;
  if (!fine)
    problem_error(live->problems, "%s: can't be copied: %s", live->path, strerror(errno));
  fclose(from);
  snprintf(live->name, sizeof live->name, "/proc/self/fd/%d", live->mark);
  if (!fine ||
      !read_clock(live->path, live->name, &live->mark_ticks, &live->hz, &ended, live->problems))
    return false;
  if (ended != RETICLE_ENDED_RUNNING)
    problem_error(live->problems, "%s: that process has ended: reticle report %s shows all of it",
                  live->path, live->path);
  return ended == RETICLE_ENDED_RUNNING;
}

bool live_wait(const struct live *live, double seconds) {
  uint64_t ticks = 0, hz, ended = RETICLE_ENDED_RUNNING;
  double limit_s = seconds + PATIENCE_S, waited_s = 0;
  struct timespec began, now;
  clock_gettime(CLOCK_MONOTONIC, &began);
  while (waited_s < limit_s && ended == RETICLE_ENDED_RUNNING) {
    nanosleep(&(struct timespec){0, POLL_NS}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    waited_s = (double)(now.tv_sec - began.tv_sec) + 1e-9 * (double)(now.tv_nsec - began.tv_nsec);
    if (waited_s < seconds)
      continue;
    if (!read_clock(live->path, live->path, &ticks, &hz, &ended, live->problems))
      return false;
    if (hz && (double)(ticks - live->mark_ticks) >= seconds * (double)hz)
      return true;
    if (live->pid && kill(live->pid, 0) != 0 && errno == ESRCH)
      break;
  }
  if (ticks > live->mark_ticks)
    return true; // shorter than asked for: the report says how long
  problem_error(live->problems,
                "%s: no checkpoint for %.0f s: the process has ended, is stopped, or writes "
                "elsewhere by now",
                live->path, waited_s);
  return false;
}

void live_close(struct live *live) {
  if (live->mark >= 0)
    close(live->mark);
  free(live->path);
  *live = (struct live){.mark = -1};
}
