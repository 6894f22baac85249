// replay_run.c - memory, the loops that go through a list, and their times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sched_setaffinity
#include "tools/run/replay_run.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/// WINDOWS: timed in a pass, about.
enum { LINE_SHIFT = 6, LIST_ROUNDS = 3, WINDOWS = 16 };
/// Lines of the memory that the list alone is timed with: they stay in the first cache.
#define FEW_LINES 31u

struct side {
  const struct replay_list *list;
  char *memory;
  double *window_ns; ///< [window_count] of the last pass
  double *list_ns;   ///< [window_count] of the list alone
};

double replay_memory_bytes(void) {
  FILE *file = fopen("/proc/meminfo", "re");
  char line[256];
  double kilobytes = NAN;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
      break;
  if (file)
    fclose(file);
  return 1024 * kilobytes;
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/// Keeps a branch a branch: what it leaves out isn't waited for.
#define STAYS_BRANCH(value) __asm__ volatile("" : "+r"(value))

/// All memory is 0, and stays so: where an entry waits for the visit before (`now`: what its first
/// line held), that is added to the memory's address, so that all that follows waits, too.
#define NEXT_LINE(entry)                                                                           \
  if ((entry) & REPLAY_DEPENDENT) {                                                                \
    memory += now;                                                                                 \
    STAYS_BRANCH(memory);                                                                          \
  }                                                                                                \
  char *at = memory + ((uint64_t)((entry) & lines) << LINE_SHIFT);                                 \
  uint64_t value = *(const volatile uint64_t *)at;                                                 \
  if ((entry) & REPLAY_FIRST) {                                                                    \
    now = value;                                                                                   \
    STAYS_BRANCH(now);                                                                             \
  }

static uint64_t run_reads(char *memory, const uint32_t *entries, size_t count, uint32_t lines) {
  uint64_t now = 0;
  for (size_t i = 0; i < count; i++) {
    NEXT_LINE(entries[i]);
  }
  return now;
}

static uint64_t run_writes(char *memory, const uint32_t *entries, size_t count, uint32_t lines) {
  static uint64_t aside;
  uint64_t now = 0;
  for (size_t i = 0; i < count; i++) {
    NEXT_LINE(entries[i]);
    *(volatile uint64_t *)(entries[i] & REPLAY_WRITE ? at : (char *)&aside) = 0;
  }
  return now;
}

static void run(const struct side *side, const uint32_t *entries, size_t count, uint32_t lines) {
  if (side->list->has_writes)
    run_writes(side->memory, entries, count, lines);
  else
    run_reads(side->memory, entries, count, lines);
}

/// Has the caches as they may be in front of window i: lines as the visits touch them in the long
/// run.
static void warm(const struct side *side, size_t i) {
  const struct replay_list *list = side->list;
  size_t begin = list->streams ? list->windows[i].warm : 0;
  run_reads(side->memory, list->warm + begin, list->warm_count - begin, REPLAY_LINE);
  run_reads(side->memory, list->warm, begin, REPLAY_LINE);
}

static void time_window(const struct side *side, uint32_t lines, size_t i) {
  const struct replay_window *w = &side->list->windows[i];
  if (lines == REPLAY_LINE)
    warm(side, i);
  double begin_ns = now_ns();
  run(side, side->list->entries + w->first, w->end - w->first, lines);
  side->window_ns[i] = now_ns() - begin_ns;
}

/// What the list alone takes, by window: the least of some rounds.
static double time_list(struct side *side) {
  double ns = 0, visits = 0;
  for (size_t round = 0; round < LIST_ROUNDS; round++) {
    for (size_t i = 0; i < side->list->window_count; i++) {
      time_window(side, FEW_LINES, i);
      if (!round || side->window_ns[i] < side->list_ns[i])
        side->list_ns[i] = side->window_ns[i];
    }
  }
  for (size_t i = 0; i < side->list->window_count; i++) {
    ns += side->list_ns[i];
    visits += (double)side->list->windows[i].visits;
  }
  return visits > 0 ? ns / visits : NAN;
}

/// A layout whose data never leaves the first cache takes a little all the same: a ratio is of what
/// can be told.
#define LEAST_VISIT_NS 0.05

static void add_times(const struct side *side, size_t pair, size_t pass, size_t step,
                      struct replay_times *times) {
  const struct replay_list *list = side->list;
  double run_ns = 0, all = 0, whole = 0;
  for (size_t i = 0; i < list->window_count; i++)
    whole += (double)list->windows[i].visits * list->windows[i].weight;
  for (size_t row = 0, i; (i = replay_turn(pass, step, row)) < list->window_count; row++) {
    double own = side->window_ns[i] - side->list_ns[i];
    run_ns += own * list->windows[i].weight;
    all += (double)list->windows[i].visits * list->windows[i].weight;
  }
  times->run_ns[pair] = fmax(run_ns / all, LEAST_VISIT_NS) * whole;
  times->visit_ns[pair] = fmax(run_ns / all, LEAST_VISIT_NS);
}

/// Memory for both layouts: which physical pages it has, and so which of its lines compete for a
/// place in the caches, is luck that a run keeps, and must not tell layouts apart.
static char *open_memory(uint64_t bytes) {
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  memset(memory, 0, bytes); // pages that were never written are all one
  return memory;
}

static int open_side(struct side *side, const struct replay_list *list, char *memory, size_t pairs,
                     struct replay_times *times) {
  *side = (struct side){.list = list, .memory = memory};
  side->window_ns = calloc(list->window_count + 1, sizeof *side->window_ns);
  side->list_ns = calloc(list->window_count + 1, sizeof *side->list_ns);
  times->run_ns = calloc(pairs + 1, sizeof *times->run_ns);
  times->visit_ns = calloc(pairs + 1, sizeof *times->visit_ns);
  bool fine = memory && side->window_ns && side->list_ns && times->run_ns && times->visit_ns;
  return fine ? 0 : RETICLE_E_MEMORY;
}

static void close_side(struct side *side) {
  free(side->window_ns);
  free(side->list_ns);
}

static void release(struct replay_times *times) {
  free(times->run_ns);
  free(times->visit_ns);
  *times = (struct replay_times){0};
}

int replay_run(const struct replay_list *list_written, const struct replay_list *list_changed,
               size_t pairs, struct replay_times *written, struct replay_times *changed) {
  struct side a = {0}, b = {0};
  cpu_set_t allowed, one;
  *written = *changed = (struct replay_times){0};
  uint64_t bytes =
      list_written->bytes > list_changed->bytes ? list_written->bytes : list_changed->bytes;
  char *memory = open_memory(bytes);
  int result = open_side(&a, list_written, memory, pairs, written);
  if (result == 0)
    result = open_side(&b, list_changed, memory, pairs, changed);
  bool is_pinned = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  is_pinned = is_pinned && sched_setaffinity(0, sizeof one, &one) == 0;
  if (result == 0) {
    written->list_ns = time_list(&a);
    changed->list_ns = time_list(&b);
  }
  for (size_t i = 0; result == 0 && i < pairs; i++) {
    struct side *sides[] = {i % 2 ? &b : &a, i % 2 ? &a : &b};
    size_t step = (list_written->window_count + WINDOWS - 1) / WINDOWS, pass = i / 2;
    for (size_t row = 0, w; (w = replay_turn(pass, step, row)) < list_written->window_count; row++)
      for (size_t k = 0; k < 2; k++) // one after the other: what else the machine does is alike
        time_window(sides[k], REPLAY_LINE, w);
    add_times(&a, i, pass, step, written);
    add_times(&b, i, pass, step, changed);
  }
  if (is_pinned)
    sched_setaffinity(0, sizeof allowed, &allowed);
  close_side(&a);
  close_side(&b);
  if (memory)
    munmap(memory, bytes);
  if (result) {
    release(written);
    release(changed);
  }
  return result;
}
