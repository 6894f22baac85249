// replay_run.c - passes over the windows of two layouts, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sched_setaffinity
#include "tools/run/trial/replay_run.h"

#include "tools/run/trial/replay_side.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// Timed in a pass, about.
#define WINDOWS 16
/// A layout whose data never leaves the first cache takes a little all the same: a ratio is of what
/// can be told.
#define LEAST_VISIT_NS 0.05

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

/// Where in a page elements on the heap lie is chance, too: 5 lines later in each memory.
#define LINE_BYTES 64u
#define STEP_LINES 5u
#define PAGE_BYTES 4096u

/// Both sides over one memory, on one processor. End with close_both.
struct both {
  struct replay_side written, changed;
  char *mapped;
  uint64_t bytes; ///< of it: a page more than the layouts take
  cpu_set_t allowed;
  bool is_pinned;
};

/// Memory for both layouts: which physical pages it has, and so which of its lines compete for a
/// place in the caches, is luck that a run keeps, and must not tell layouts apart. Other passes
/// have other memory, so that the interval knows of it.
static bool renew_memory(struct both *b, size_t pass) {
  bool is_fixed = b->written.list->is_array;
  if (b->mapped)
    munmap(b->mapped, b->bytes);
  char *memory = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool fine = memory != MAP_FAILED;
  b->mapped = fine ? memory : NULL;
  if (fine)
    memset(memory, 0, b->bytes); // pages that were never written are all one
  b->written.memory = b->changed.memory =
      fine ? memory + (is_fixed ? 0 : pass * STEP_LINES * LINE_BYTES % PAGE_BYTES) : NULL;
  return fine;
}

static int open_both(struct both *b, const struct replay_lists *lists) {
  uint64_t written = lists->written->bytes, changed = lists->changed->bytes;
  cpu_set_t one;
  *b = (struct both){.bytes = (written > changed ? written : changed) + PAGE_BYTES};
  int result = replay_side_open(&b->written, lists->written);
  if (replay_side_open(&b->changed, lists->changed) || !renew_memory(b, 0))
    result = RETICLE_E_MEMORY;
  b->is_pinned = sched_getaffinity(0, sizeof b->allowed, &b->allowed) == 0;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  b->is_pinned = b->is_pinned && sched_setaffinity(0, sizeof one, &one) == 0;
  return result;
}

static void close_both(struct both *b) {
  if (b->is_pinned)
    sched_setaffinity(0, sizeof b->allowed, &b->allowed);
  replay_side_close(&b->written);
  replay_side_close(&b->changed);
  if (b->mapped)
    munmap(b->mapped, b->bytes);
}

/// Windows that a pair times: the same for two pairs, of which the second begins with the layout as
/// changed.
struct pass {
  size_t pair, pass, step;
};

static struct pass pass_of(const struct replay_lists *lists, size_t pair) {
  return (struct pass){pair, pair / 2, (lists->written->window_count + WINDOWS - 1) / WINDOWS};
}

/// Window of a row; none where that is no less than window_count.
static size_t turn(const struct pass *p, size_t row) { return replay_turn(p->pass, p->step, row); }

static void add_times(const struct replay_side *side, const struct pass *p,
                      struct replay_times *times) {
  const struct replay_list *list = side->list;
  double run_ns = 0, all = 0, whole = 0;
  for (size_t i = 0; i < list->window_count; i++)
    whole += (double)list->windows[i].visits * list->windows[i].weight;
  for (size_t row = 0, i; (i = turn(p, row)) < list->window_count; row++) {
    double own = side->window_ns[i] - side->list_ns[i];
    run_ns += own * list->windows[i].weight;
    all += (double)list->windows[i].visits * list->windows[i].weight;
  }
  times->run_ns[p->pair] = fmax(run_ns / all, LEAST_VISIT_NS) * whole;
  times->visit_ns[p->pair] = fmax(run_ns / all, LEAST_VISIT_NS);
}

/// Times a window of both, one after the other: what else the machine does is alike.
static void time_both(struct both *b, size_t pair, size_t i) {
  struct replay_side *sides[] = {pair % 2 ? &b->changed : &b->written,
                                 pair % 2 ? &b->written : &b->changed};
  for (size_t k = 0; k < 2; k++)
    replay_side_time(sides[k], i);
}

static void release(struct replay_times *times) {
  free(times->run_ns);
  free(times->visit_ns);
  *times = (struct replay_times){0};
}

static bool open_times(size_t pairs, struct replay_times *times) {
  *times = (struct replay_times){.run_ns = calloc(pairs + 1, sizeof *times->run_ns),
                                 .visit_ns = calloc(pairs + 1, sizeof *times->visit_ns)};
  return times->run_ns && times->visit_ns;
}

static void add_saved(const struct both *b, const struct pass *p, const double *program_ns,
                      double *const saved[REPLAY_WAITS]) {
  const struct replay_list *list = b->written.list;
  double all_ns = 0, sums[REPLAY_WAITS] = {0};
  for (size_t row = 0, i; (i = turn(p, row)) < list->window_count; row++) {
    const struct replay_window *w = &list->windows[i];
    double visits = (double)w->visits, waits[REPLAY_WAITS], least_ns = LEAST_VISIT_NS * visits;
    double was_ns = fmax(b->written.window_ns[i] - b->written.list_ns[i], least_ns);
    double is_ns = fmax(b->changed.window_ns[i] - b->changed.list_ns[i], least_ns);
    double list_ns = b->written.list_ns[i] / visits;
    double instructions = replay_side_instruction_share(&b->written, i);
    double compute_ns = list_ns * instructions, hidden_ns = list_ns - compute_ns;
    if (isnan(instructions)) {
      compute_ns = b->written.work_share < 1 ? program_ns[i] / 2 : list_ns;
      hidden_ns = list_ns;
    }
    replay_wait_find(program_ns[i], was_ns / visits, list_ns, compute_ns, hidden_ns, waits);
    all_ns += program_ns[i] * visits * w->weight;
    for (size_t k = 0; k < REPLAY_WAITS; k++)
      sums[k] += waits[k] * (1 - is_ns / was_ns) * visits * w->weight;
  }
  for (size_t k = 0; k < REPLAY_WAITS; k++)
    saved[k][p->pair] = all_ns > 0 ? sums[k] / all_ns : 0;
}

/// The mean of what a visit of each window takes. NaN: not known of any.
static double mean_visit(const struct replay_list *list, const double *of_window) {
  double sum = 0, visits = 0;
  for (size_t i = 0; of_window && i < list->window_count; i++)
    if (!isnan(of_window[i])) {
      sum += of_window[i] * (double)list->windows[i].visits;
      visits += (double)list->windows[i].visits;
    }
  return visits > 0 ? sum / visits : NAN;
}

static void set_work(struct both *b, const double *instructions, double share) {
  struct replay_side *sides[] = {&b->written, &b->changed};
  for (size_t k = 0; k < 2; k++) {
    sides[k]->instructions = instructions;
    sides[k]->work_share = share;
  }
}

/// Below this share of the program's instructions none are run.
#define WORK_LEAST 0.2

/// A list must take no longer than the program's own visits: else what memory takes is hidden.
///
/// Returns what the list as written takes a visit, in ns.
static double choose_work(struct both *b, const struct replay_program *program, double visit_ns) {
  for (double share = 1;; share = share > WORK_LEAST ? share / 2 : 0) {
    set_work(b, program->instructions, share);
    double list_ns = replay_side_time_lists(&b->written);
    if (!(visit_ns < list_ns) || !(share > 0))
      return list_ns;
  }
}

static void time_lists(struct both *b, const struct replay_program *program,
                       struct replay_times *written, struct replay_times *changed) {
  double visit_ns = mean_visit(b->written.list, program->ns);
  written->program_ns = changed->program_ns = visit_ns;
  written->program_instructions = changed->program_instructions =
      mean_visit(b->written.list, program->instructions);
  written->list_ns = choose_work(b, program, visit_ns);
  changed->list_ns = replay_side_time_lists(&b->changed);
}

int replay_run_ratio(const struct replay_list *list, const struct replay_program *program,
                     double *ratio) {
  const struct replay_lists lists = {list, list};
  struct both b;
  double ns = 0, program_ns = 0;
  int result = open_both(&b, &lists);
  if (result == 0) {
    choose_work(&b, program, mean_visit(list, program->ns));
    struct pass p = pass_of(&lists, 0);
    for (size_t row = 0, i; (i = turn(&p, row)) < list->window_count; row++) {
      replay_side_time(&b.written, i);
      ns += b.written.window_ns[i] * list->windows[i].weight;
      program_ns += program->ns[i] * (double)list->windows[i].visits * list->windows[i].weight;
    }
  }
  close_both(&b);
  *ratio = program_ns > 0 ? ns / program_ns : NAN;
  return result;
}

int replay_run(const struct replay_lists *lists, const struct replay_program *program, size_t pairs,
               struct replay_times *written, struct replay_times *changed,
               double *const saved[REPLAY_WAITS]) {
  struct both b;
  bool fine = open_times(pairs, written);
  fine = open_times(pairs, changed) && fine;
  fine = open_both(&b, lists) == 0 && fine;
  if (fine)
    time_lists(&b, program, written, changed);
  for (size_t i = 0; fine && i < pairs; i++) {
    struct pass p = pass_of(lists, i);
    fine = i % 2 || renew_memory(&b, p.pass);
    for (size_t row = 0, w; fine && (w = turn(&p, row)) < lists->written->window_count; row++)
      time_both(&b, i, w);
    if (!fine)
      break;
    add_times(&b.written, &p, written);
    add_times(&b.changed, &p, changed);
    if (program->ns)
      add_saved(&b, &p, program->ns, saved);
  }
  close_both(&b);
  if (!fine) {
    release(written);
    release(changed);
  }
  return fine ? 0 : RETICLE_E_MEMORY;
}
