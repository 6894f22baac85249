// replay_side.c - the loops that go through a list, and their times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/replay_side.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { LINE_SHIFT = 6, LIST_ROUNDS = 3 };
/// Lines of the memory that the list alone is timed with: they stay in the first cache.
#define FEW_LINES 31u

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/// Keeps a branch a branch: what it leaves out isn't waited for.
#define STAYS_BRANCH(value) __asm__ volatile("" : "+r"(value))

/// Entries that wait for nothing run so many at a time, where the program's own visits are shorter
/// than an entry one by one, 0.8 ns, which hid what memory took. Not for other programs: they do
/// more between two visits, and visits overlapped too much.
#define GROUP 8

/// Whether none of a group waits, nor the first entry behind it, which begins a visit: what the
/// group's visits held is then nobody's to wait for. any_out: all their bits.
static inline bool is_free(const uint32_t *entries, size_t left, uint32_t *any_out) {
  uint32_t any = 0;
  if (left <= GROUP)
    return false;
  for (size_t i = 0; i <= GROUP; i++)
    any |= entries[i];
  *any_out = any;
  return !(any & (REPLAY_DEPENDENT | REPLAY_BRANCH)) && entries[GROUP] & REPLAY_FIRST;
}

/// Instructions of an entry, in a list one by one, and those that run more of them.
#define ENTRY_INSTRUCTIONS 12
#define WORK_INSTRUCTIONS 4
/// More than any processor sees ahead.
#define WORK_MOST 512

/// Runs so many instructions that wait for nothing, up to WORK_MOST.
static inline __attribute__((always_inline)) void run_work(size_t instructions) {
#ifdef __x86_64__
  // Into the middle of a row of instructions of 3 bytes: without a branch for each.
  __asm__ volatile("lea 1f(%%rip), %%rcx\n\t"
                   "sub %0, %%rcx\n\t"
                   "jmp *%%rcx\n\t"
                   ".rept 512\n\t"
                   "lea 1(%%rdx), %%eax\n\t"
                   ".endr\n"
                   "1:"
                   :
                   : "r"(3 * instructions)
                   : "rax", "rcx");
#else
  for (size_t i = 0; i < instructions; i += 3)
    __asm__ volatile("" : "+r"(i));
#endif
}

static inline char *line_of(char *memory, uint32_t entry, uint32_t lines) {
  return memory + ((uint64_t)(entry & lines) << LINE_SHIFT);
}

/// All memory is 0: where an entry waits for the visit before (`now`: what its first line held),
/// that is added to the memory's address, so that all that follows waits, too.
static inline __attribute__((always_inline)) void run_entries(char *memory, const uint32_t *entries,
                                                              size_t count, uint32_t lines,
                                                              size_t work, bool writes,
                                                              bool in_groups) {
  static uint64_t aside;
  uint64_t now = 0, random = 88172645463325252u;
  for (size_t i = 0; i < count; i++) {
    for (uint32_t any; in_groups && is_free(entries + i, count - i, &any); i += GROUP) {
      for (size_t k = 0; k < GROUP; k++)
        (void)*(const volatile uint64_t *)line_of(memory, entries[i + k], lines);
      for (size_t k = 0; writes && any & REPLAY_WRITE && k < GROUP; k++)
        if (entries[i + k] & REPLAY_WRITE)
          *(volatile uint64_t *)line_of(memory, entries[i + k], lines) = 0;
    }
    uint32_t entry = entries[i];
    if (entry & REPLAY_DEPENDENT) {
      memory += now;
      random += now;
      STAYS_BRANCH(memory);
    }
    if (entry & REPLAY_BRANCH) { // two that go either way: one of them wrong, on average
      random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
      if (random >> 63)
        __asm__ volatile("nop");
      if (random >> 62 & 1)
        __asm__ volatile("nop");
    }
    char *at = line_of(memory, entry, lines);
    uint64_t value = *(const volatile uint64_t *)at;
    if (entry & REPLAY_FIRST) {
      now = value;
      STAYS_BRANCH(now);
      if (work)
        run_work(work);
    }
    if (writes)
      *(volatile uint64_t *)(entry & REPLAY_WRITE ? at : (char *)&aside) = 0;
  }
}

typedef void run_list(char *memory, const uint32_t *entries, size_t count, uint32_t lines,
                      size_t work);

static __attribute__((noinline)) void run_reads(char *memory, const uint32_t *entries, size_t count,
                                                uint32_t lines, size_t work) {
  run_entries(memory, entries, count, lines, work, false, false);
}

static __attribute__((noinline)) void run_writes(char *memory, const uint32_t *entries,
                                                 size_t count, uint32_t lines, size_t work) {
  run_entries(memory, entries, count, lines, work, true, false);
}

static __attribute__((noinline)) void run_groups(char *memory, const uint32_t *entries,
                                                 size_t count, uint32_t lines, size_t work) {
  (void)work; // visits that are shorter than an entry
  run_entries(memory, entries, count, lines, 0, true, true);
}

static run_list *run_of(const struct replay_side *side) {
  return side->in_groups ? run_groups : side->list->has_writes ? run_writes : run_reads;
}

/// Has the caches as they may be in front of window i: lines as the visits touch them in the long
/// run.
static void warm(const struct replay_side *side, size_t i) {
  const struct replay_list *list = side->list;
  size_t begin = list->goes_round ? list->windows[i].warm : 0;
  run_list *run = list->has_writes ? run_writes : run_reads;
  run(side->memory, list->warm + begin, list->warm_count - begin, REPLAY_LINE, 0);
  run(side->memory, list->warm, begin, REPLAY_LINE, 0);
}

/// Of a visit in the list, without work.
static double list_instructions(const struct replay_window *w) {
  return ENTRY_INSTRUCTIONS * (double)(w->end - w->first) / (double)w->visits;
}

/// Instructions to be run beside each of a window's visits.
static size_t work_of(const struct replay_side *side, const struct replay_window *w) {
  if (!side->instructions || !w->visits)
    return 0;
  double wanted = side->instructions[w - side->list->windows] * side->work_share;
  double missing = wanted - list_instructions(w) - WORK_INSTRUCTIONS;
  return missing >= 1 ? (size_t)fmin(missing, WORK_MOST) : 0;
}

double replay_side_instruction_share(const struct replay_side *side, size_t i) {
  const struct replay_window *w = &side->list->windows[i];
  if (!side->instructions || !w->visits || isnan(side->instructions[i]))
    return 1;
  size_t work = work_of(side, w);
  double has = list_instructions(w) + (work ? (double)work + WORK_INSTRUCTIONS : 0);
  return fmin(side->instructions[i] / has, 1);
}

static double time_window(const struct replay_side *side, size_t i, uint32_t lines) {
  const struct replay_window *w = &side->list->windows[i];
  double begin_ns = now_ns();
  run_of(side)(side->memory, side->list->entries + w->first, w->end - w->first, lines,
               work_of(side, w));
  return now_ns() - begin_ns;
}

/// The least of some rounds.
static double time_list(const struct replay_side *side, size_t i) {
  double least_ns = INFINITY;
  for (size_t round = 0; round < LIST_ROUNDS; round++)
    least_ns = fmin(least_ns, time_window(side, i, FEW_LINES));
  return least_ns;
}

/// The list alone is timed anew each time: how fast the core is changes with what runs beside.
void replay_side_time(struct replay_side *side, size_t i) {
  warm(side, i);
  side->window_ns[i] = time_window(side, i, REPLAY_LINE);
  side->list_ns[i] = time_list(side, i);
}

double replay_side_time_lists(struct replay_side *side) {
  double ns = 0, visits = 0;
  for (size_t i = 0; i < side->list->window_count; i++) {
    side->list_ns[i] = time_list(side, i);
    ns += side->list_ns[i];
    visits += (double)side->list->windows[i].visits;
  }
  return visits > 0 ? ns / visits : NAN;
}

int replay_side_open(struct replay_side *side, const struct replay_list *list) {
  *side = (struct replay_side){.list = list, .work_share = 1};
  side->window_ns = calloc(list->window_count + 1, sizeof *side->window_ns);
  side->list_ns = calloc(list->window_count + 1, sizeof *side->list_ns);
  return side->window_ns && side->list_ns ? 0 : RETICLE_E_MEMORY;
}

void replay_side_close(struct replay_side *side) {
  free(side->window_ns);
  free(side->list_ns);
}
