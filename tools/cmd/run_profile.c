// run_profile.c - the profile that a program just run has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/run_profile.h"

#include "tools/ui/text.h"

#include <glob.h>
#include <stdbool.h>
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

static char *find_newest(const char *pattern, pid_t pid, struct timespec since, size_t *others) {
  struct text wanted = {0};
  add_glob(&wanted, pattern, pid);
  glob_t found = {0};
  struct timespec newest = since;
  const char *best = NULL;
  size_t count = 0;
  if (glob(text_get(&wanted), 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      struct stat status;
      if (stat(found.gl_pathv[i], &status) != 0 || is_earlier(status.st_mtim, since))
        continue;
      count++;
      if (best && is_earlier(status.st_mtim, newest))
        continue;
      best = found.gl_pathv[i];
      newest = status.st_mtim;
    }
  char *path = best ? text_copy(best) : NULL;
  *others = count ? count - 1 : 0;
  globfree(&found);
  text_release(&wanted);
  return path;
}

char *run_profile_find(const char *pattern, pid_t pid, struct timespec since, size_t *others) {
  char *path = find_newest(pattern, pid, since, others);
  return path ? path : find_newest(pattern, 0, since, others);
}
