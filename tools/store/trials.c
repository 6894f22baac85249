// trials.c - reads the trials of all profiles in the folder, the newest of each kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/trials.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/// Files beside the profile that are looked at, newest first, and those kept.
#define LOOKED_AT 64
#define KEPT 4
/// Fields named of an order.
#define NAMED 8

struct beside {
  const char *path;
  struct timespec changed;
};

static int compare_newest(const void *left, const void *right) {
  const struct timespec *a = &((const struct beside *)left)->changed,
                        *b = &((const struct beside *)right)->changed;
  if (a->tv_sec != b->tv_sec)
    return a->tv_sec < b->tv_sec ? 1 : -1;
  return (a->tv_nsec < b->tv_nsec) - (a->tv_nsec > b->tv_nsec);
}

static bool is_read(const struct input *input, const struct stat *status) {
  struct stat own;
  for (size_t i = 0; i < input->count; i++)
    if (stat(input->paths[i], &own) == 0 && own.st_ino == status->st_ino &&
        own.st_dev == status->st_dev)
      return true;
  return false;
}

/// Keeps the file if it is a profile of the same program with trials.
static void keep(const char *path, const struct input *input, struct trials *out) {
  struct profile profile = {0};
  if (!profile_has_chunk(path, "trials") || profile_read(path, &profile, NULL) != 0)
    return;
  if (!profile.trial_count || strcmp(profile.env.executable, input->profile.env.executable) != 0) {
    profile_release(&profile);
    return;
  }
  out->paths[out->count] = text_copy(path);
  out->profiles[out->count++] = profile;
}

void trials_load(const struct input *input, struct trials *out) {
  struct text pattern = {0};
  glob_t found = {0};
  size_t count = 0;
  *out = (struct trials){0};
  const char *first = input->count ? input->paths[0] : "", *slash = strrchr(first, '/');
  // A directory whose name has wildcards finds others, or none: the program must be the same.
  text_format(&pattern, "%.*sreticle.*.prof", slash ? (int)(slash + 1 - first) : 0, first);
  if (input->count && glob(text_get(&pattern), 0, NULL, &found) == 0) {
    struct beside *files = memory_zeroed(found.gl_pathc + 1, sizeof *files);
    out->profiles = memory_zeroed(KEPT, sizeof *out->profiles);
    out->paths = memory_zeroed(KEPT, sizeof *out->paths);
    for (size_t i = 0; i < found.gl_pathc; i++) {
      struct stat status;
      if (stat(found.gl_pathv[i], &status) == 0 && S_ISREG(status.st_mode) &&
          !is_read(input, &status))
        files[count++] = (struct beside){found.gl_pathv[i], status.st_mtim};
    }
    qsort(files, count, sizeof *files, compare_newest);
    for (size_t i = 0; i < count && i < LOOKED_AT && out->count < KEPT; i++)
      keep(files[i].path, input, out);
    free(files);
  }
  globfree(&found);
  text_release(&pattern);
}

void trials_release(struct trials *trials) {
  for (size_t i = 0; i < trials->count; i++) {
    profile_release(&trials->profiles[i]);
    free(trials->paths[i]);
  }
  free(trials->profiles);
  free(trials->paths);
  *trials = (struct trials){0};
}

void trials_describe(const char *layout, struct text *out) {
  size_t fields = 0;
  unsigned align = 0;
  text_add(out, "order");
  for (const char *line = layout; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    if (strncmp(line, "align ", 6) == 0)
      align = (unsigned)strtoul(line + 6, NULL, 10);
    if (strncmp(line, "field ", 6) != 0)
      continue;
    const char *end = line + strcspn(line, "\n"), *name = end;
    while (name > line && name[-1] != ' ')
      name--;
    if (fields++ < NAMED)
      text_printf(out, "%s%.*s", fields > 1 ? ", " : " ", (int)(end - name), name);
  }
  if (fields > NAMED)
    text_printf(out, " and %zu more", fields - NAMED);
  if (align)
    text_printf(out, ", aligned to %u bytes", align);
}
