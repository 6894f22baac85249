// loop_delay.c - finds a loop's executions with facts, and puts them into words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // gmtime_r
#include "tools/model/loop/loop_delay.h"

#include "tools/model/measurement/lazy.h"

#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/// Smaller shares aren't worth a word.
#define SHOWN_LEAST 0.005
/// A page fault takes time in the kernel, and behind it in caches: at most so many times all system
/// time over all faults, with what ticks may have missed of it.
#define FAULT_FACTOR 2
#define TICKS_NS 20e6

/// Executions with facts, by loop.
struct delays {
  const struct profile_fact **facts; ///< [count] by loop
  size_t count;
  double fault_most_ns; ///< CPU time that a minor page fault takes at most; INFINITY: not known
};

static int compare(const void *left, const void *right) {
  const struct profile_fact *a = *(const struct profile_fact *const *)left;
  const struct profile_fact *b = *(const struct profile_fact *const *)right;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  return (a > b) - (a < b);
}

static double fault_most_ns(const struct account *account) {
  bool is_known = account->system_ns.status == QUANTITY_OK && !account->no_counts;
  double faults = (double)account->minor_faults;
  return is_known && faults > 0 ? FAULT_FACTOR * (account->system_ns.value + TICKS_NS) / faults
                                : INFINITY;
}

static void index_delays(const struct measurement *m, struct delays *out) {
  const struct profile *profile = &m->input.profile;
  out->count = profile->fact_count;
  out->facts = memory_zeroed(out->count + 1, sizeof(*out->facts));
  for (size_t i = 0; i < out->count; i++)
    out->facts[i] = &profile->facts[i];
  out->fault_most_ns = fault_most_ns(&m->account);
  qsort(out->facts, out->count, sizeof(*out->facts), compare);
}

static void release(struct delays *delays) { free(delays->facts); }

static LAZY(delays, struct delays, index_delays, release)

    static double mean_lost_ns(const struct loop_stats *stats) {
  return stats->lost_ns.status == QUANTITY_OK && stats->executions
             ? stats->lost_ns.low / (double)stats->executions
             : 0;
}

static void read_delay(const struct measurement *m, const struct measured_loop *loop,
                       struct slow_causes *out) {
  const struct delays *delays = delays_get(m);
  size_t low = 0, high = delays->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (delays->facts[middle]->loop < loop->loop->id)
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (end < delays->count && delays->facts[end]->loop == loop->loop->id)
    end++;
  // Times of several runs, each from its start, don't tell which chain ran beside which execution.
  bool is_one = m->input.profile.merged_count <= 1;
  const struct slow_known known = {.usual_ns = slow_usual_ns(&loop->stats),
                                   .lost_ns = mean_lost_ns(&loop->stats),
                                   .executions = (double)loop->stats.executions,
                                   .fault_most_ns = delays->fault_most_ns,
                                   .control = is_one ? &m->control : NULL};
  slow_causes_of(delays->facts + low, end - low, &known, out);
}

LAZY_OF(slow_causes, struct slow_causes, struct measured_loop, read_delay, LAZY_KEEP)

const char *loop_delay_unknown(const struct measurement *m) {
  const struct profile *profile = &m->input.profile;
  if (profile->account_count != 1)
    return "not measured by this version of the runtime";
  switch (profile->account->facts_error) {
  case 0:
    return NULL;
  case ECANCELED:
    return "option facts=0";
  case EPERM:
    return "the program has a seccomp filter of its own, which may kill it for a system call";
  case EBADF:
    return "the program closed the runtime's files";
  case EMFILE:
    return "too many threads, or too few files allowed (ulimit -n)";
  case ENOTSUP:
    return "the kernel keeps no such times";
  default:
    return "/proc could not be read";
  }
}

void loop_delay_add_time(uint64_t at_ns, struct text *out) {
  time_t seconds = (time_t)(at_ns / 1000000000u);
  struct tm tm;
  if (!gmtime_r(&seconds, &tm))
    return;
  char day[40];
  if (strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm))
    text_printf(out, "%s.%03uZ", day, (unsigned)(at_ns / 1000000u % 1000u));
}

void loop_delay_add_shares(const struct slow_causes *causes, struct text *out) {
  const char *between = "";
  for (int i = 0; i < SLOW_CAUSES; i++) {
    struct quantity share = causes->share[causes->order[i]];
    if (share.status != QUANTITY_OK || share.value < SHOWN_LEAST)
      continue;
    text_printf(out, "%s%s %.0f %% (%.0f to %.0f)", between, slow_cause_words(causes->order[i]),
                100 * share.value, 100 * share.low, 100 * share.high);
    between = ", ";
  }
}

static void add_time(const char *what, double ns, struct text *out) {
  if (ns >= 1000)
    text_printf(out, ", %s %s", what, units_duration(ns).data);
}

static void add_count(const char *what, uint32_t count, struct text *out) {
  if (count)
    text_printf(out, ", %s %s", units_count(count).data, what);
}

static void add_work(const struct profile_fact *f, struct text *out) {
  bool is_tagged = f->flags & RETICLE_SAMPLE_TAGGED;
  if (f->work != RETICLE_WORK_UNKNOWN)
    text_printf(out, is_tagged ? ", tag %s" : ", %s iterations", units_count((double)f->work).data);
}

void loop_delay_add_facts(const struct profile_fact *f, struct text *out) {
  if (!slow_has_facts(f)) {
    text_add(out, "the kernel wasn't asked (budget of the probes)");
    add_work(f, out);
    return;
  }
  uint64_t off = f->duration_ns > f->cpu_ns ? f->duration_ns - f->cpu_ns : 0;
  bool is_known = f->runnable_ns != UINT64_MAX;
  uint64_t runnable = !is_known ? 0 : f->runnable_ns < off ? f->runnable_ns : off;
  text_printf(out, "CPU %s", units_duration((double)f->cpu_ns).data);
  if (is_known)
    add_time("waited for a CPU", (double)runnable, out);
  add_time(!is_known  ? "not on a CPU"
           : f->waits ? "blocked"
                      : "gap",
           (double)(off - runnable), out);
  add_count("page faults", f->minor_faults, out);
  add_count("page faults from disk", f->major_faults, out);
  if (f->flags & RETICLE_SAMPLE_MIGRATED)
    text_add(out, ", went on on another CPU");
  add_work(f, out);
}

/// What is known to come at such times; null: nothing.
static const char *known_period(struct quantity period_ns) {
  static const struct {
    double ns;
    const char *what;
  } known[] = {
      {100e6, "as a CPU quota does (cgroup cpu.max)"},
      {10e6, "as the kernel's tick does (HZ=100)"},
      {4e6, "as the kernel's tick does (HZ=250)"},
      {1e9, "as what runs once a second: a checkpoint, statistics, cron jobs of the program"}};
  for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
    if (period_ns.low <= 1.002 * known[i].ns && period_ns.high >= 0.998 * known[i].ns)
      return known[i].what;
  return NULL;
}

void loop_delay_add_period(const struct slow_causes *causes, struct text *out) {
  struct quantity period = causes->period_ns;
  if (period.status != QUANTITY_OK)
    return;
  // What waits for its own timer has no need of another one.
  bool is_own = causes->has_first && causes->order[0] == SLOW_BLOCKED;
  const char *known = is_own ? NULL : known_period(period);
  text_printf(out, "every %s", units_duration(period.value).data);
  text_printf(out, " (%s", units_duration(period.low).data);
  text_printf(out, " to %s)%s%s", units_duration(period.high).data, known ? ", " : "",
              known ? known : "");
}
