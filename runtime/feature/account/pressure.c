// pressure.c - counters of cgroups and of the machine, less those at the start.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/account/pressure.h"

#include "runtime/support/fork.h"
#include "runtime/support/text.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// LEVELS: cgroups from the process's own up that are looked at. /proc/vmstat has 5 to 8 KB.
enum { LEVELS = 8, PATH_BYTES = 512, TEXT_BYTES = 16384, TICK_NS = 10000000 };
static const uint64_t unknown = UINT64_MAX;

enum counter {
  CPU,        // us
  MEMORY,     // us
  IO,         // us
  INTERRUPTS, // 1/100 s
  HUGE_PAGES,
  HUGE_MISSES,
  COMPACTIONS,
  COUNTERS
};

struct level {
  uint64_t throttled, throttled_ns;
};

struct look {
  uint64_t counters[COUNTERS];
  uint64_t stolen; // 1/100 s
  struct level levels[LEVELS];
  int quota_error, pressure_error, stat_error, memory_error; // 0 or -errno
};

static struct {
  char text[TEXT_BYTES];
} state;
static struct {
  int is_watched;
  char folder[PATH_BYTES]; // of the process's cgroup
  size_t root_length;      // of it: where its hierarchy is mounted
  struct look start, last;
} process RRT_PER_PROCESS;

// --- texts -------------------------------------------------------------------------------------

static size_t length_of(const char *text) {
  size_t n = 0;
  while (text[n])
    n++;
  return n;
}

static int starts_with(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix)
    text++, prefix++;
  return !*prefix;
}

static const char *next_line(const char *p) {
  while (*p && *p != '\n')
    p++;
  return *p ? p + 1 : p;
}

int rrt_pressure_parse(const char *text, const char *line, const char *key, uint64_t *out) {
  for (const char *p = text; *p; p = next_line(p)) {
    if (!starts_with(p, line))
      continue;
    for (; *p && *p != '\n'; p++) {
      if (!starts_with(p, key))
        continue;
      for (p += length_of(key); *p == ' ' || *p == '=' || *p == ':';)
        p++;
      return rrt_parse_number(p, out) ? 0 : -ENODATA;
    }
    return -ENODATA;
  }
  return -ENODATA;
}

// "4:cpu,cpuacct:/a/b" of version 1, which has the quota where it is there; "0::/a/b" of version 2.
int rrt_pressure_parse_cgroup(const char *cgroup, char *out, size_t bytes, size_t *root_length) {
  const char *found = NULL;
  int is_first_version = 0;
  for (const char *p = cgroup; *p && !is_first_version; p = next_line(p)) {
    while (*p >= '0' && *p <= '9')
      p++;
    if (*p != ':')
      continue;
    const char *name = p + 1;
    for (p = name; *p && *p != ':' && *p != '\n';) {
      is_first_version |= starts_with(p, "cpu:") || starts_with(p, "cpu,");
      while (*p && *p != ',' && *p != ':' && *p != '\n')
        p++;
      p += *p == ',';
    }
    if (*p == ':' && (is_first_version || p == name))
      found = p + 1;
  }
  if (!found)
    return -ENOENT;
  struct rrt_text text;
  rrt_text_init(&text, out, bytes);
  rrt_text_add(&text, is_first_version ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup");
  *root_length = text.length;
  size_t count = (size_t)(next_line(found) - found);
  rrt_text_add_bytes(&text, found, count - (count && found[count - 1] == '\n'));
  while (text.length && out[text.length - 1] == '/')
    out[--text.length] = 0;
  return text.cut ? -ENOENT : 0;
}

// --- cgroups -----------------------------------------------------------------------------------

static int read_level_file(size_t folder_length, const char *name) {
  char path[PATH_BYTES + 32];
  struct rrt_text text;
  rrt_text_init(&text, path, sizeof path);
  rrt_text_add_bytes(&text, process.folder, folder_length);
  rrt_text_add(&text, name);
  long n = rrt_sys_read_file(path, state.text, sizeof state.text);
  return n < 0 ? (int)n : 0;
}

// Length of the folder around, or 0.
static size_t around(size_t length) {
  if (length <= process.root_length)
    return 0;
  while (--length > process.root_length && process.folder[length] != '/')
    ;
  return length;
}

// In a container the path may be the host's, and what is mounted its own.
static int find_folder(void) {
  if (process.folder[0])
    return 0;
  long n = rrt_sys_read_file("/proc/self/cgroup", state.text, sizeof state.text);
  int r = n < 0 ? (int)n
                : rrt_pressure_parse_cgroup(state.text, process.folder, sizeof process.folder,
                                            &process.root_length);
  if (r < 0) {
    process.folder[0] = 0;
    return r;
  }
  if (read_level_file(length_of(process.folder), "/cpu.stat") < 0)
    process.folder[process.root_length] = 0;
  r = read_level_file(length_of(process.folder), "/cpu.stat");
  if (r < 0)
    process.folder[0] = 0;
  return r;
}

// A cgroup without these lines has no quota.
static int read_cgroups(struct level levels[LEVELS]) {
  int r = find_folder();
  if (r < 0)
    return r;
  size_t length = length_of(process.folder);
  for (int i = 0; i < LEVELS && length; i++, length = around(length)) {
    uint64_t number;
    if (read_level_file(length, "/cpu.stat") < 0)
      continue;
    if (rrt_pressure_parse(state.text, "nr_throttled", "nr_throttled", &levels[i].throttled) < 0)
      levels[i].throttled = 0;
    if (rrt_pressure_parse(state.text, "throttled_usec", "throttled_usec", &number) == 0)
      levels[i].throttled_ns = rrt_multiply(number, 1000);
    else if (rrt_pressure_parse(state.text, "throttled_time", "throttled_time", &number) == 0)
      levels[i].throttled_ns = number;
  }
  return 0;
}

// Version 2: "50000 100000" or "max 100000"; version 1 has a file for each, with -1 for none.
static uint64_t read_quota_of(size_t length) {
  uint64_t quota_us, period_us = 0;
  if (read_level_file(length, "/cpu.max") == 0) {
    size_t digits = rrt_parse_number(state.text, &quota_us);
    if (!digits || !rrt_parse_number(state.text + digits + 1, &period_us))
      return 0;
  } else {
    if (read_level_file(length, "/cpu.cfs_quota_us") < 0 ||
        !rrt_parse_number(state.text, &quota_us) ||
        read_level_file(length, "/cpu.cfs_period_us") < 0 ||
        !rrt_parse_number(state.text, &period_us))
      return 0;
  }
  return period_us ? rrt_scale(quota_us, 1000000, period_us) : 0;
}

static uint64_t read_quota_ppm(void) {
  uint64_t least = 0;
  size_t length = length_of(process.folder);
  for (int i = 0; i < LEVELS && length; i++, length = around(length)) {
    uint64_t quota = read_quota_of(length);
    if (quota && (!least || quota < least))
      least = quota;
  }
  return least;
}

// --- the machine -------------------------------------------------------------------------------

static int read_pressure(const char *path, uint64_t *out_us) {
  long n = rrt_sys_read_file(path, state.text, sizeof state.text);
  return n < 0 ? (int)n : rrt_pressure_parse(state.text, "some ", "total", out_us);
}

// "cpu  user nice system idle iowait irq softirq steal", in 1/100 s since boot.
static int read_stat(struct look *look) {
  enum { IRQ = 5, SOFTIRQ, STEAL };
  long n = rrt_sys_read_file("/proc/stat", state.text, sizeof state.text);
  const char *p = state.text;
  if (n <= 0 || !starts_with(p, "cpu "))
    return n < 0 ? (int)n : -EIO;
  for (p += 4, look->counters[INTERRUPTS] = 0, n = 0; n <= STEAL; n++) {
    uint64_t number;
    while (*p == ' ')
      p++;
    size_t digits = rrt_parse_number(p, &number);
    if (!digits)
      return -EIO;
    p += digits;
    if (n == IRQ || n == SOFTIRQ)
      look->counters[INTERRUPTS] += number;
    look->stolen = number;
  }
  return 0;
}

static int read_memory(struct look *look) {
  static const char *const keys[] = {"thp_fault_alloc ", "thp_fault_fallback ", "compact_stall "};
  long n = rrt_sys_read_file("/proc/vmstat", state.text, sizeof state.text);
  int r = n < 0 ? (int)n : 0;
  for (int i = 0; i < 3 && r == 0; i++)
    r = rrt_pressure_parse(state.text, keys[i], keys[i], &look->counters[HUGE_PAGES + i]);
  return r;
}

static void look(struct look *out) {
  out->quota_error = read_cgroups(out->levels);
  out->pressure_error = read_pressure("/proc/pressure/cpu", &out->counters[CPU]);
  if (out->pressure_error == 0)
    out->pressure_error = read_pressure("/proc/pressure/memory", &out->counters[MEMORY]);
  if (out->pressure_error == 0)
    out->pressure_error = read_pressure("/proc/pressure/io", &out->counters[IO]);
  out->stat_error = read_stat(out);
  out->memory_error = read_memory(out);
}

void rrt_pressure_watch(void) {
  if (process.is_watched)
    return;
  process.is_watched = 1;
  look(&process.start);
  process.last = process.start;
}

int rrt_pressure_stolen(uint64_t *out) {
  *out = process.last.stolen;
  return process.last.stat_error;
}

// --- since the start ---------------------------------------------------------------------------

static uint64_t since_start(enum counter counter, uint64_t unit, int error) {
  uint64_t start = process.start.counters[counter], now = process.last.counters[counter];
  return error ? unknown : rrt_multiply(now > start ? now - start : 0, unit);
}

// A thread waits for one quota at a time: of several the one that took most, not their sum.
static void find_throttled(struct reticle_file_pressure *out) {
  out->throttled = out->throttled_ns = 0;
  for (int i = 0; i < LEVELS; i++) {
    const struct level *start = &process.start.levels[i], *now = &process.last.levels[i];
    if (now->throttled <= start->throttled)
      continue;
    uint64_t ns =
        now->throttled_ns > start->throttled_ns ? now->throttled_ns - start->throttled_ns : 0;
    if (out->throttled && ns <= out->throttled_ns)
      continue;
    out->throttled = now->throttled - start->throttled;
    out->throttled_ns = ns;
  }
}

static int error_of(int start, int last) { return start ? start : last; }

void rrt_pressure_read(uint64_t elapsed_ticks, struct reticle_file_pressure *out) {
  rrt_zero(out, sizeof *out);
  rrt_pressure_watch();
  look(&process.last);
  const struct look *a = &process.start, *b = &process.last;
  out->wall_ticks = elapsed_ticks;
  int quota = error_of(a->quota_error, b->quota_error);
  out->throttled = out->throttled_ns = unknown;
  if (!quota) {
    find_throttled(out);
    out->quota_ppm = read_quota_ppm();
  }
  int pressure = error_of(a->pressure_error, b->pressure_error);
  out->cpu_ns = since_start(CPU, 1000, pressure);
  out->memory_ns = since_start(MEMORY, 1000, pressure);
  out->io_ns = since_start(IO, 1000, pressure);
  int stat = error_of(a->stat_error, b->stat_error);
  out->interrupt_ns = since_start(INTERRUPTS, TICK_NS, stat);
  int memory = error_of(a->memory_error, b->memory_error);
  out->huge_pages = since_start(HUGE_PAGES, 1, memory);
  out->huge_misses = since_start(HUGE_MISSES, 1, memory);
  out->compactions = since_start(COMPACTIONS, 1, memory);
  out->quota_error = (uint32_t)-quota;
  out->pressure_error = (uint32_t)-pressure;
  out->stat_error = (uint32_t)-stat;
  out->memory_error = (uint32_t)-memory;
}
