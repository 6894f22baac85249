// run_profile.c - looks for profiles by name pattern, newer than the start of the run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/child/run_profile.h"

#include "include/reticle/out.h"
#include "tools/profile/profile.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// The pattern as glob(3) reads it: what only the program knows becomes "*".
///
/// pid  0: any process
static void add_glob(struct text *out, const char *pattern, pid_t pid) {
  for (const char *at = pattern; *at; at++) {
    if (*at == '%' && at[1] == '%') {
      text_add(out, "%");
      at++;
    } else if (*at == '%' && at[1] == 'p' && pid) {
      // The runtime adds "-2" in front of the ending when the name is taken.
      text_printf(out, "%d%s", (int)pid, strcmp(at + 2, ".prof") == 0 ? "*" : "");
      at++;
    } else if (*at == '%' && at[1] && strchr("pehr", at[1])) {
      text_add(out, "*");
      at++;
    } else {
      if (strchr("*?[\\", *at))
        text_add(out, "\\");
      text_add_bytes(out, at, 1);
    }
  }
}

static bool is_earlier(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/// What a file says of the run that wrote it.
struct candidate {
  char *path;
  uint64_t pid;
  char *executable;
  struct timespec time;
};

struct candidates {
  struct candidate *items; ///< [count]
  size_t count;
};

static void add_candidate(struct candidates *all, const char *path, struct timespec since) {
  struct stat status;
  struct profile profile = {0};
  struct profile_error error;
  if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) || is_earlier(status.st_mtim, since))
    return;
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->items[i].path, path) == 0)
      return;
  if (profile_read(path, &profile, &error) != 0)
    return;
  struct candidate *items = memory_resized(all->items, (all->count + 1), sizeof *items);
  all->items = items;
  items[all->count++] = (struct candidate){.path = text_copy(path),
                                           .pid = profile.env.pid,
                                           .executable = text_copy(profile.env.executable),
                                           .time = status.st_mtim};
  profile_release(&profile);
}

/// Those that the pattern names, and with something behind it ("" or ".*").
static void add_matches(struct candidates *all, const char *pattern, pid_t pid, const char *behind,
                        struct timespec since) {
  struct text wanted = {0};
  glob_t found = {0};
  add_glob(&wanted, pattern, pid);
  text_add(&wanted, behind);
  if (glob(text_get(&wanted), 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++)
      add_candidate(all, found.gl_pathv[i], since);
  globfree(&found);
  text_release(&wanted);
}

/// What was written last: by the process itself, else by any.
static const struct candidate *find_last(const struct candidates *all, pid_t pid) {
  const struct candidate *last = NULL;
  for (size_t i = 0; i < all->count; i++) {
    const struct candidate *c = &all->items[i];
    bool is_own = c->pid == (uint64_t)pid, was_own = last && last->pid == (uint64_t)pid;
    if (!last || is_own > was_own || (is_own == was_own && !is_earlier(c->time, last->time)))
      last = c;
  }
  return last;
}

/// The process's own, of its last program; else all of the program that wrote last.
static bool is_wanted(const struct candidate *c, const struct candidate *last, pid_t pid) {
  return strcmp(c->executable, last->executable) == 0 &&
         (last->pid != (uint64_t)pid || c->pid == last->pid);
}

static void release(struct candidates *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->items[i].path);
    free(all->items[i].executable);
  }
  free(all->items);
}

void run_profile_all(const char *pattern, struct timespec since, struct run_profiles *out) {
  struct candidates all = {0};
  add_matches(&all, pattern, 0, "", since);
  add_matches(&all, pattern, 0, ".*", since);
  *out = (struct run_profiles){.paths = memory_zeroed(all.count + 1, sizeof *out->paths)};
  for (size_t i = 0; i < all.count; i++)
    out->paths[out->count++] = text_copy(all.items[i].path);
  release(&all);
}

static void choose(struct candidates *all, pid_t pid, struct run_profiles *out) {
  *out = (struct run_profiles){.paths = memory_zeroed(all->count + 1, sizeof *out->paths)};
  const struct candidate *last = find_last(all, pid);
  for (size_t i = 0; i < all->count; i++)
    if (is_wanted(&all->items[i], last, pid))
      out->paths[out->count++] = text_copy(all->items[i].path);
  out->others = all->count - out->count;
  release(all);
}

void run_profile_find(const char *pattern, pid_t pid, struct timespec since,
                      struct run_profiles *out) {
  struct candidates all = {0};
  add_matches(&all, pattern, pid, "", since);
  add_matches(&all, pattern, pid, ".*", since);
  if (!all.count) {
    add_matches(&all, pattern, 0, "", since);
    add_matches(&all, pattern, 0, ".*", since);
  }
  choose(&all, pid, out);
}

void run_profile_of_child(const char *pattern, pid_t pid, struct timespec since,
                          struct run_profiles *out) {
  const char *folder = getenv("TMPDIR");
  struct candidates all = {0};
  struct text path = {0};
  text_format(&path, "%s/%s", folder && *folder == '/' ? folder : "/tmp", RETICLE_OUT_DEFAULT);
  add_matches(&all, text_get(&path), pid, "", since);
  if (!all.count && strcmp(pattern, RETICLE_OUT_DEFAULT) != 0)
    add_matches(&all, RETICLE_OUT_DEFAULT, pid, "", since);
  text_release(&path);
  if (all.count)
    choose(&all, pid, out);
  else
    run_profile_find(pattern, pid, since, out);
}

void run_profiles_release(struct run_profiles *profiles) {
  for (size_t i = 0; i < profiles->count; i++)
    free(profiles->paths[i]);
  free(profiles->paths);
  *profiles = (struct run_profiles){0};
}
