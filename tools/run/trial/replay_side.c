// replay_side.c - the loops that go through a list, and their times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/replay_side.h"

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

/// Instructions of an entry, of one with a write, and what running more of them takes besides.
#define ENTRY_INSTRUCTIONS 9
#define WRITE_INSTRUCTIONS 3
#define WORK_INSTRUCTIONS 4
/// What is run for an entry where the program's instructions aren't known.
#define USUAL_INSTRUCTIONS 12
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

/// Two branches that go either way: one of them wrong, on average. `now`, 0, is what they wait for.
static inline void go_wrong(uint64_t now) {
  static uint64_t random = 88172645463325252u; // never the same again: processors learn
  random = (random + now) * UINT64_C(6364136223846793005) + 1442695040888963407u;
  if (random >> 63)
    __asm__ volatile("nop");
  if (random >> 62 & 1)
    __asm__ volatile("nop");
}

/// All memory is 0: what the first line of the visit before held is added to the memory's address,
/// so that all that follows waits, too. Writes go to another word: what was just written is there
/// at once.
///
/// at  an entry that waits, or comes behind a branch; begin: of the list
static inline char *wait_for_visit(char *memory, const uint32_t *at, const uint32_t *begin,
                                   uint32_t lines) {
  const uint32_t *before = at;
  if (!(*at & REPLAY_DEPENDENT))
    return memory; // that the entry is told from others was a wrong branch
  while (before > begin && !(*--before & REPLAY_FIRST))
    ;
  uint64_t now = *(const volatile uint64_t *)line_of(memory, *before, lines);
  memory += now;
  STAYS_BRANCH(memory);
  if (*at & REPLAY_BRANCH)
    go_wrong(now);
  return memory;
}

static inline __attribute__((always_inline)) void run_entries(char *memory, const uint32_t *entries,
                                                              size_t count, uint32_t lines,
                                                              size_t work, bool writes) {
  static uint64_t aside;
  for (size_t i = 0; i < count; i++) {
    uint32_t entry = entries[i];
    if (__builtin_expect(entry & (REPLAY_DEPENDENT | REPLAY_BRANCH), 0))
      memory = wait_for_visit(memory, entries + i, entries, lines);
    char *at = line_of(memory, entry, lines);
    (void)*(const volatile uint64_t *)at;
    if (work)
      run_work(work);
    if (writes)
      *(volatile uint64_t *)(entry & REPLAY_WRITE ? at + sizeof aside : (char *)&aside) = 0;
  }
}

typedef void run_list(char *memory, const uint32_t *entries, size_t count, uint32_t lines,
                      size_t work);

static __attribute__((noinline)) void run_reads(char *memory, const uint32_t *entries, size_t count,
                                                uint32_t lines, size_t work) {
  if (work)
    run_entries(memory, entries, count, lines, work, false);
  else
    run_entries(memory, entries, count, lines, 0, false);
}

static __attribute__((noinline)) void run_writes(char *memory, const uint32_t *entries,
                                                 size_t count, uint32_t lines, size_t work) {
  if (work)
    run_entries(memory, entries, count, lines, work, true);
  else
    run_entries(memory, entries, count, lines, 0, true);
}

static run_list *run_of(bool writes) { return writes ? run_writes : run_reads; }

/// Has the caches as they may be in front of window i: lines as the visits touch them in the long
/// run.
static void warm(const struct replay_side *side, size_t i) {
  const struct replay_list *list = side->list;
  size_t begin = list->goes_round ? list->windows[i].warm : 0;
  run_list *run = run_of(list->has_writes);
  run(side->memory, list->warm + begin, list->warm_count - begin, REPLAY_LINE, 0);
  run(side->memory, list->warm, begin, REPLAY_LINE, 0);
}

/// Of an entry of window i, without work.
static double entry_instructions(const struct replay_side *side, size_t i) {
  return ENTRY_INSTRUCTIONS + (side->window_writes[i] ? WRITE_INSTRUCTIONS : 0);
}

/// What the program executes for an entry of window i. NaN: not known.
static double program_instructions(const struct replay_side *side, size_t i) {
  const struct replay_window *w = &side->list->windows[i];
  return side->instructions && w->visits
             ? side->instructions[i] * (double)w->visits / (double)(w->end - w->first)
             : NAN;
}

/// Instructions to be run beside each entry of window i.
static size_t work_of(const struct replay_side *side, size_t i) {
  double wanted = program_instructions(side, i);
  double missing = (isnan(wanted) ? USUAL_INSTRUCTIONS : wanted) - entry_instructions(side, i);
  double work = missing * side->work_share - WORK_INSTRUCTIONS;
  return work >= 1 ? (size_t)fmin(work, WORK_MOST) : 0;
}

double replay_side_instruction_share(const struct replay_side *side, size_t i) {
  double wanted = program_instructions(side, i), has = entry_instructions(side, i);
  size_t work = work_of(side, i);
  has += work ? (double)work + WORK_INSTRUCTIONS : 0;
  return fmin(wanted / has, isnan(wanted) ? NAN : 1);
}

static double time_window(const struct replay_side *side, size_t i, uint32_t lines) {
  const struct replay_window *w = &side->list->windows[i];
  run_list *run = run_of(side->window_writes[i]);
  size_t work = work_of(side, i);
  double begin_ns = now_ns();
  run(side->memory, side->list->entries + w->first, w->end - w->first, lines, work);
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
  side->window_writes = calloc(list->window_count + 1, sizeof *side->window_writes);
  if (!side->window_ns || !side->list_ns || !side->window_writes)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < list->window_count; i++)
    for (size_t k = list->windows[i].first; k < list->windows[i].end; k++)
      side->window_writes[i] |= (list->entries[k] & REPLAY_WRITE) != 0;
  return 0;
}

void replay_side_close(struct replay_side *side) {
  free(side->window_ns);
  free(side->list_ns);
  free(side->window_writes);
}
