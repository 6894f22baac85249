// floor_cache.c - reads and writes the file of a machine's floor below ~/.cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/floor_cache.h"

#include "include/reticle/abi.h"
#include "tools/profile/file_new.h"
#include "tools/profile/regular.h"
#include "tools/support/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *floor_cache_directory(void) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (!home || !*home) { // started by init, or with `env -i`
    const struct passwd *user = getpwuid(geteuid());
    home = user ? user->pw_dir : NULL;
  }
  struct text path = {0};
  if (cache && *cache)
    text_format(&path, "%s/reticle", cache);
  else if (home && *home)
    text_format(&path, "%s/.cache/reticle", home);
  return path.data;
}

char *floor_cache_path(const struct machine *machine) {
  char *directory = floor_cache_directory();
  if (!directory)
    return NULL;
  struct text key = {0}, path = {0};
  text_printf(&key, "%s\n%s\n%s\n%s", machine->cpu.model, machine->cpu.hypervisor,
              machine->cpu.clock_source, machine->timer);
  uint64_t hash = reticle_checksum_end(
      reticle_checksum_add(RETICLE_CHECKSUM_START, key.data, key.length), key.length);
  text_format(&path, "%s/floor-%016" PRIx64, directory, hash);
  text_release(&key);
  free(directory);
  return path.data;
}

/// Reads "key=number"; true if the line is that key.
static bool read_number(const char *line, const char *key, uint64_t *out) {
  size_t length = strlen(key);
  if (strncmp(line, key, length) != 0 || line[length] != '=')
    return false;
  char *end;
  unsigned long long number = strtoull(line + length + 1, &end, 10);
  if (end != line + length + 1 && (*end == '\n' || !*end))
    *out = number;
  return true;
}

static struct quantity from_ps(uint64_t ps) {
  double ns = (double)ps / 1000;
  return quantity_of(ns, ns, ns);
}

bool floor_cache_read(const struct machine *machine, struct timing_floor *out) {
  char *path = floor_cache_path(machine);
  FILE *stream = path ? regular_fopen_text(path) : NULL;
  free(path);
  if (!stream)
    return false;
  char line[512];
  uint64_t t_e = 0, t_min = 0, t_diff = 0, time_s = 0;
  while (fgets(line, sizeof(line), stream))
    if (!read_number(line, "t_e_ps", &t_e) && !read_number(line, "t_min_ps", &t_min) &&
        !read_number(line, "t_diff_ps", &t_diff))
      read_number(line, "time_s", &time_s);
  fclose(stream);
  if (!t_min || !t_diff || !time_s)
    return false;
  *out = (struct timing_floor){.t_e_ns = from_ps(t_e),
                               .t_min_ns = from_ps(t_min),
                               .t_diff_ns = from_ps(t_diff),
                               .time_s = time_s};
  return true;
}

/// Creates the cache directory and the one above it. Returns 0 or an errno.
static int make_directory(const char *directory) {
  char *parent = text_copy(directory);
  *strrchr(parent, '/') = 0;
  if (*parent && mkdir(parent, 0700) != 0 && errno != EEXIST) {
    int failed = errno;
    free(parent);
    return failed;
  }
  free(parent);
  return mkdir(directory, 0755) != 0 && errno != EEXIST ? errno : 0;
}

static int write_file(const char *path, const char *content) {
  struct file_new file;
  int failed = file_new_open(path, &file);
  return failed ? failed : file_new_close(&file, fputs(content, file.stream) < 0 ? EIO : 0);
}

int floor_cache_write(const struct machine *machine, const struct timing_floor *floor,
                      const char *details) {
  char *directory = floor_cache_directory(), *path = floor_cache_path(machine);
  if (!directory || !path) {
    free(directory);
    free(path);
    return ENOENT;
  }
  struct text content = {0};
  text_format(&content, "t_e_ps=%lld\nt_min_ps=%lld\nt_diff_ps=%lld\ntime_s=%" PRIu64 "\n",
              llround(1000 * floor->t_e_ns.value), llround(1000 * floor->t_min_ns.value),
              llround(1000 * floor->t_diff_ns.value), floor->time_s);
  text_format(&content, "cpu_model=%s\nhypervisor=%s\nclock_source=%s\ntimer=%s\n",
              machine->cpu.model, machine->cpu.hypervisor, machine->cpu.clock_source,
              machine->timer);
  text_add(&content, details); // last: the runtime reads but the start of a long file
  int failed = make_directory(directory);
  failed = failed ? failed : write_file(path, text_get(&content));
  text_release(&content);
  free(directory);
  free(path);
  return failed;
}
