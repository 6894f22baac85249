// loop_cpu.c - the part of a loop's executions that their threads ran, from facts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_cpu.h"

#include "tools/analysis/loop/loop_nest.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Executions with facts from which on their part is known, and what they must stand for of all:
/// the first ones of a loop that is over in some us say nothing of the others.
#define FACTS_LEAST 5
#define STANDS_LEAST 0.01
/// A thread that waits is switched out and in.
#define SWITCH_NS 5000
/// Where others want its processor, a thread runs for some ms at a time.
#define SLICE_NS 1000000

static int compare_facts(const void *left, const void *right) {
  const struct profile_fact *const *a = left, *const *b = right;
  return ((*a)->loop > (*b)->loop) - ((*a)->loop < (*b)->loop);
}

/// Those that stand for executions, by loop.
static const struct profile_fact **index_facts(const struct profile *profile, size_t *count) {
  const struct profile_fact **facts = memory_zeroed(profile->fact_count + 1, sizeof *facts);
  *count = 0;
  for (size_t i = 0; i < profile->fact_count; i++)
    if (profile->facts[i].stands && profile->facts[i].duration_ns)
      facts[(*count)++] = &profile->facts[i];
  if (*count)
    qsort(facts, *count, sizeof *facts, compare_facts);
  return facts;
}

/// [result] the loop's; *out the first of them.
static size_t facts_of(const struct profile_fact *const *facts, size_t count, uint64_t loop,
                       const struct profile_fact *const **out) {
  size_t low = 0, high = count, end;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (facts[middle]->loop < loop)
      low = middle + 1;
    else
      high = middle;
  }
  for (end = low; end < count && facts[end]->loop == loop; end++)
    ;
  *out = facts + low;
  return end - low;
}

/// CPU time over duration, of the executions that these stand for: a ratio of sums, and its
/// standard error.
static struct quantity part_of(const struct profile_fact *const *facts, size_t count) {
  double cpu = 0, all = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    double stands = (double)facts[i]->stands, duration = (double)facts[i]->duration_ns;
    cpu += stands * fmin((double)facts[i]->cpu_ns, duration);
    all += stands * duration;
  }
  double part = cpu / all;
  for (size_t i = 0; i < count; i++) {
    double duration = (double)facts[i]->duration_ns;
    double off =
        (double)facts[i]->stands * (fmin((double)facts[i]->cpu_ns, duration) - part * duration);
    squares += off * off;
  }
  double wide = STATISTICS_Z95 * sqrt(squares) / all;
  return quantity_of(part, fmax(0, part - wide), fmin(1, part + wide));
}

/// What all threads together ran and did not run; runnable: of that, waited for a processor.
struct ran {
  double cpu_ns, waited_ns, runnable_ns;
};

/// Without facts: code that is over before a thread could be switched out and in, or that calls
/// nothing, ran all the time, but for what looks like interrupts, which is mostly another thread's.
/// Else it may have waited, though not longer than all threads did. Executions so long that most
/// are switched out where others want the processor all look alike, so nothing looks like an
/// interrupt: those waited for it as much as all threads did, as far as is known.
static struct quantity part_without(const struct profile_loop *loop, const struct loop_stats *stats,
                                    const struct ran *ran) {
  double total = stats->total_ns.value, noise = 0;
  if (stats->system_noise_ns.status == QUANTITY_OK)
    noise = fmin(stats->system_noise_ns.value, total);
  double part = 1 - noise / total;
  bool is_short = stats->p95_ns.status == QUANTITY_OK && stats->p95_ns.value < SWITCH_NS;
  // Where the median isn't known, by the mean.
  double usual_ns =
      stats->p50_ns.status == QUANTITY_OK ? stats->p50_ns.value : total / (double)loop->executions;
  bool has_calls = loop->flags & RETICLE_LOOP_HAS_CALLS, is_long = usual_ns >= SLICE_NS;
  if (is_short || (!has_calls && !is_long))
    return quantity_of(part, part, 1);
  double waited_ns = has_calls ? ran->waited_ns : ran->runnable_ns;
  if (is_long)
    part = fmin(part, ran->cpu_ns / (ran->cpu_ns + ran->runnable_ns));
  return quantity_of(part, fmin(part, fmax(0, 1 - waited_ns / total)), 1);
}

static bool are_enough(const struct profile_loop *loop, const struct profile_fact *const *facts,
                       size_t count) {
  double stands = 0;
  for (size_t i = 0; i < count; i++)
    stands += (double)facts[i]->stands / 1000;
  double part = stands / fmax(1, (double)loop->executions);
  return count && part > (count >= FACTS_LEAST ? STANDS_LEAST : 0.99);
}

static void set_total(const struct profile_loop *loop, const struct profile_fact *const *facts,
                      size_t count, const struct ran *ran, struct loop_stats *stats) {
  struct quantity *total = &stats->total_ns;
  if (total->status != QUANTITY_OK || !(total->value > 0))
    return;
  struct quantity part =
      are_enough(loop, facts, count) ? part_of(facts, count) : part_without(loop, stats, ran);
  const char *reason = total->reason;
  *total = quantity_of(fmin(part.value * total->value, ran->cpu_ns),
                       fmin(part.low * total->low, ran->cpu_ns),
                       fmin(part.high * total->high, ran->cpu_ns));
  total->reason = reason;
}

bool loop_cpu(const struct profile *profile, const struct account *account,
              const struct loop_stats *stats, struct loop_stats *cpu) {
  if (account->user_ns.status != QUANTITY_OK || account->system_ns.status != QUANTITY_OK)
    return false;
  const struct quantity *parts[] = {&account->runnable_ns, &account->blocked_ns};
  struct ran ran = {.cpu_ns = account->user_ns.value + account->system_ns.value};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    ran.waited_ns += parts[i]->status == QUANTITY_OK ? parts[i]->value : INFINITY;
  if (account->runnable_ns.status == QUANTITY_OK)
    ran.runnable_ns = account->runnable_ns.value;
  if (!(ran.cpu_ns > 0))
    return false;
  size_t count;
  const struct profile_fact **facts = index_facts(profile, &count);
  memcpy(cpu, stats, profile->loop_count * sizeof *cpu);
  for (size_t i = 0; i < profile->loop_count; i++) {
    const struct profile_fact *const *own;
    size_t n = facts_of(facts, count, profile->loops[i].id, &own);
    set_total(&profile->loops[i], own, n, &ran, &cpu[i]);
  }
  free(facts);
  loop_nest_within(profile->loops, profile->loop_count, ran.cpu_ns, cpu);
  return true;
}
