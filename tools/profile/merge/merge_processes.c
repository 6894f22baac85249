// merge_processes.c - numbers processes and threads anew, so that no two are one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge/merge_processes.h"

#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdlib.h>

/// Rates of one timer, as two runs measure them, differ by less than this part, ...
#define RATE_SHARE 0.01
/// ... and by what an error of so many ns makes of a short run: the two clocks are read one after
/// the other, and the program's threads may come between.
#define RATE_ERROR_NS 20000.0

/// A process of an input.
struct entry {
  const struct profile_process *process;
  size_t *place;
};

static int compare(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  return merge_compare(PROFILE_PROCESSES, a->process, b->process);
}

static int by_first(const void *left, const void *right) {
  const struct profile_process *a = left, *b = right;
  return (a->thread_first > b->thread_first) - (a->thread_first < b->thread_first);
}

static unsigned when_shift(const struct profile *profile) {
  enum { SHIFT_MOST = 63 }; // of a damaged file, more
  uint32_t shift = profile_when_shift(&profile->env);
  return shift < SHIFT_MOST ? shift : SHIFT_MOST;
}

/// One process, as a profile that a program wrote says it.
static struct profile_process only_process(const struct profile *profile) {
  const struct profile_env *env = &profile->env;
  uint64_t threads = env->thread_count;
  for (size_t i = 0; i < profile->loop_count; i++)
    for (uint64_t k = 0; k < profile->loops[i].raw_count; k++)
      if (profile->loops[i].raw[k].thread >= threads)
        threads = (uint64_t)profile->loops[i].raw[k].thread + 1;
  for (size_t i = 0; i < profile->chain_count; i++)
    if (profile->chain[i].thread >= threads)
      threads = (uint64_t)profile->chain[i].thread + 1;
  return (struct profile_process){.start_time_s = env->start_time_s,
                                  .pid = env->pid,
                                  .host = env->host,
                                  .executable = env->executable,
                                  .elapsed_ticks = env->elapsed_ticks,
                                  .timer_hz = env->timer_hz,
                                  .thread_count =
                                      threads < UINT32_MAX ? (uint32_t)threads : UINT32_MAX};
}

static int read_source(const struct profile *in, struct profile *out, struct merge_source *source) {
  size_t count = in->process_count ? in->process_count : 1;
  source->processes = profile_allocate(out, count, sizeof *source->processes);
  source->places = profile_allocate(out, count, sizeof *source->places);
  source->process_count = count;
  source->out = out;
  if (!source->processes || !source->places)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < in->process_count; i++)
    source->processes[i] = in->processes[i];
  if (!in->process_count)
    source->processes[0] = only_process(in);
  qsort(source->processes, count, sizeof *source->processes, by_first);
  return 0;
}

/// Of two records of one process: the longer one's rate is the better known.
static void add(struct profile_process *into, const struct profile_process *from) {
  merge_record(PROFILE_PROCESSES, into, from);
  bool is_longer = from->elapsed_ticks > into->elapsed_ticks;
  bool is_slower = from->elapsed_ticks == into->elapsed_ticks && from->timer_hz < into->timer_hz;
  if (!into->timer_hz || (from->timer_hz && (is_longer || is_slower)))
    into->timer_hz = from->timer_hz;
  if (is_longer)
    into->elapsed_ticks = from->elapsed_ticks;
}

/// Numbers run on over 2^32 and repeat: only a file that was made up has so many.
static void number(struct profile *out) {
  uint32_t next = 0;
  const struct profile_process *longest = NULL;
  for (size_t i = 0; i < out->process_count; i++) {
    struct profile_process *process = &out->processes[i];
    process->thread_first = next;
    next += process->thread_count;
    if (process->timer_hz && (!longest || process->elapsed_ticks > longest->elapsed_ticks ||
                              (process->elapsed_ticks == longest->elapsed_ticks &&
                               process->timer_hz < longest->timer_hz)))
      longest = process;
  }
  out->env.timer_hz = longest ? longest->timer_hz : 0;
}

static int join(struct entry *entries, size_t total, struct profile *out) {
  qsort(entries, total, sizeof *entries, compare);
  for (size_t i = 0; i < total; i++) {
    if (i && compare(&entries[i - 1], &entries[i]) == 0)
      add(&out->processes[out->process_count - 1], entries[i].process);
    else
      out->processes[out->process_count++] = *entries[i].process;
    *entries[i].place = out->process_count - 1;
  }
  for (size_t i = 0; i < out->process_count; i++)
    if (merge_own_texts(out, PROFILE_PROCESSES, &out->processes[i]))
      return RETICLE_E_MEMORY;
  number(out);
  return 0;
}

int merge_processes(const struct profile *const *in, size_t count, struct profile *out,
                    struct merge_source *sources) {
  size_t total = 0, next = 0;
  unsigned coarsest = 0;
  for (size_t i = 0; i < count; i++) {
    if (read_source(in[i], out, &sources[i]))
      return RETICLE_E_MEMORY;
    total += sources[i].process_count;
    coarsest = when_shift(in[i]) > coarsest ? when_shift(in[i]) : coarsest;
  }
  struct entry *entries = calloc(total, sizeof *entries);
  out->processes = profile_allocate(out, total, sizeof *out->processes);
  if (!entries || !out->processes) {
    free(entries);
    return RETICLE_E_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    sources[i].when_shift = coarsest - when_shift(in[i]);
    for (size_t k = 0; k < sources[i].process_count; k++)
      entries[next++] = (struct entry){&sources[i].processes[k], &sources[i].places[k]};
  }
  out->env.when_shift = coarsest;
  int result = join(entries, total, out);
  free(entries);
  return result;
}

uint32_t merge_thread(const struct merge_source *source, uint32_t thread, uint64_t *identity) {
  size_t low = 0, high = source->process_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (source->processes[middle].thread_first <= thread)
      low = middle;
    else
      high = middle;
  }
  const struct profile_process *from = &source->processes[low];
  const struct profile_process *to = &source->out->processes[source->places[low]];
  *identity = from->start_time_s * UINT64_C(0x9e3779b97f4a7c15) ^ from->pid << 32 ^
              (thread - from->thread_first);
  return to->thread_first + (thread - from->thread_first);
}

static double error_of(const struct profile_process *process) {
  double ns = (double)process->elapsed_ticks * 1e9 / (double)process->timer_hz;
  return RATE_ERROR_NS / (ns > 1 ? ns : 1);
}

bool merge_rates_differ(const struct profile *out) {
  const struct profile_process *slow = NULL, *fast = NULL;
  for (size_t i = 0; i < out->process_count; i++) {
    const struct profile_process *process = &out->processes[i];
    double rate = (double)process->timer_hz, error = process->timer_hz ? error_of(process) : 0;
    if (!process->timer_hz)
      continue;
    // The interval of rates that it may have: whether all of them have one in common.
    if (!slow || rate * (1 + error) < (double)slow->timer_hz * (1 + error_of(slow)))
      slow = process;
    if (!fast || rate * (1 - error) > (double)fast->timer_hz * (1 - error_of(fast)))
      fast = process;
  }
  return slow && (double)fast->timer_hz * (1 - error_of(fast)) >
                     (double)slow->timer_hz * (1 + error_of(slow)) * (1 + RATE_SHARE);
}
