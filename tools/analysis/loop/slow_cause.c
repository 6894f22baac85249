// slow_cause.c - attributes the lost time of a loop's executions to what the kernel told of each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/slow_cause.h"

#include "tools/analysis/stats/period.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Fewer executions, or fewer slow ones, tell nothing of all.
#define EXECUTIONS_LEAST 8
#define SLOW_LEAST 3
/// An execution that is longer by no more than this part of the usual one is a usual one.
#define USUAL 0.05
/// Less than this part of all time isn't worth a table.
#define LOST_LEAST 0.01
/// The kernel is asked about some executions alone: they lost at least this part of what all lost,
/// or the slow ones are not among them.
#define LOST_PART 0.5
/// A cause is named from this share on, at its lower end.
#define NAMED_LEAST 0.2
/// From this share of slow executions on the one in the middle may be a slow one.
#define HALF_SLOW 0.45
#define RESAMPLES 200
/// Chains tell the clock to some percent: what is nearer to the usual one is that.
#define CLOCK_LEAST 1.03
/// So many of the largest delays say what a large one is; shorter periods than the kernel's tick
/// aren't looked for.
#define LARGE 20
#define PERIOD_LEAST_NS 2e6
/// Executions that follow each other begin at regular times, which is no period of the slow ones.
#define EXECUTIONS_A_PERIOD 2
/// Of the variance of a regressor: keeps two that are the same from blowing up.
#define RIDGE 1e-6

/// What CPU time may go with.
enum regressor { BY_WORK, BY_MINOR, BY_MAJOR, BY_MIGRATION, REGRESSORS };

struct execution {
  const struct profile_fact *fact;
  double ns, stands, longer;     ///< longer: than the usual one, >= 0
  double runnable, blocked, gap; ///< off the processor
  double cpu_longer;             ///< than the usual one's, may be < 0; without clock
  double clock;                  ///< CPU time that a lower clock took
  double x[REGRESSORS];          ///< more than the usual one
};

struct parts {
  double ns[SLOW_CAUSES];
  double longer;
};

const char *slow_cause_name(enum slow_cause cause) {
  static const char *const names[] = {"iterations",    "tag",       "page-faults",
                                      "waits-for-cpu", "migration", "clock",
                                      "blocked",       "gap",       "unexplained"};
  return names[cause];
}

const char *slow_cause_words(enum slow_cause cause) {
  static const char *const words[] = {"more iterations",
                                      "more work (RETICLE_TAG)",
                                      "page faults",
                                      "waited for a CPU",
                                      "went on on another CPU",
                                      "a lower clock of the processor",
                                      "blocked (a lock, input, a timer)",
                                      "gap without a switch (interrupt, SMI or steal)",
                                      "unexplained"};
  return words[cause];
}

static int compare_ns(const void *left, const void *right) {
  double a = ((const struct execution *)left)->ns, b = ((const struct execution *)right)->ns;
  return (a > b) - (a < b);
}

static int compare_double(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/// Of executions by duration: the one in the middle of those that they stand for.
static double median_of(const struct execution *e, size_t count) {
  double sum = 0, half = 0;
  for (size_t i = 0; i < count; i++)
    sum += e[i].stands;
  for (size_t i = 0; i < count; i++) {
    half += e[i].stands;
    if (half >= sum / 2 && sum > 0)
      return e[i].ns;
  }
  return count ? e[count / 2].ns : 0;
}

static double off_cpu(const struct profile_fact *f) {
  return f->duration_ns > f->cpu_ns ? (double)(f->duration_ns - f->cpu_ns) : 0;
}

/// Without the file that tells it, a thread that was switched out and never waited was preempted.
static void split_off_cpu(struct execution *e) {
  const struct profile_fact *f = e->fact;
  double off = off_cpu(f);
  if (f->runnable_ns != UINT64_MAX)
    e->runnable = fmin((double)f->runnable_ns, off);
  else if (f->preemptions && !f->waits)
    e->runnable = off;
  double rest = off - e->runnable;
  e->blocked = f->waits ? rest : 0;
  e->gap = f->waits ? 0 : rest;
}

static double usual_value(const struct execution *e, size_t count, double *room,
                          double (*get)(const struct execution *)) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (e[i].longer == 0)
      room[n++] = get(&e[i]);
  qsort(room, n, sizeof *room, compare_double);
  return n ? room[n / 2] : 0;
}

static double get_runnable(const struct execution *e) { return e->runnable; }
static double get_blocked(const struct execution *e) { return e->blocked; }
static double get_gap(const struct execution *e) { return e->gap; }
static double get_cpu(const struct execution *e) { return e->cpu_longer; }
static double get_work(const struct execution *e) { return e->x[BY_WORK]; }
static double get_minor(const struct execution *e) { return e->x[BY_MINOR]; }
static double get_major(const struct execution *e) { return e->x[BY_MAJOR]; }

/// Everything as difference from what the usual ones have.
static void take_off_usual(struct execution *e, size_t count, double *room) {
  double runnable = usual_value(e, count, room, get_runnable);
  double blocked = usual_value(e, count, room, get_blocked);
  double gap = usual_value(e, count, room, get_gap);
  double cpu = usual_value(e, count, room, get_cpu);
  double work = usual_value(e, count, room, get_work);
  double minor = usual_value(e, count, room, get_minor);
  double major = usual_value(e, count, room, get_major);
  for (size_t i = 0; i < count; i++) {
    e[i].runnable = fmax(0, e[i].runnable - runnable);
    e[i].blocked = fmax(0, e[i].blocked - blocked);
    e[i].gap = fmax(0, e[i].gap - gap);
    e[i].cpu_longer -= cpu;
    e[i].x[BY_WORK] = e[i].fact->work == RETICLE_WORK_UNKNOWN ? 0 : e[i].x[BY_WORK] - work;
    e[i].x[BY_MINOR] -= minor;
    e[i].x[BY_MAJOR] -= major;
  }
}

/// What its cycles took longer than at the usual clock.
static double clock_of(const struct profile_fact *f, const struct control *control) {
  if (!control || !control->clock_count)
    return 0;
  double ratio = control_clock_at(control, f->when);
  return ratio > CLOCK_LEAST ? (double)f->cpu_ns * (1 - 1 / ratio) : 0;
}

static void describe(struct execution *e, const struct control *control) {
  const struct profile_fact *f = e->fact;
  bool has_work = f->work != RETICLE_WORK_UNKNOWN;
  split_off_cpu(e);
  e->clock = clock_of(f, control);
  e->cpu_longer = fmin((double)f->cpu_ns, e->ns) - e->clock;
  e->x[BY_WORK] = has_work ? (double)f->work : 0;
  e->x[BY_MINOR] = f->minor_faults;
  e->x[BY_MAJOR] = f->major_faults;
  e->x[BY_MIGRATION] = f->flags & RETICLE_SAMPLE_MIGRATED ? 1 : 0;
}

// --- what CPU time goes with ---------------------------------------------------------------------

/// Solves a * x = b of `n` by Gauss with the largest pivot; what has none is 0.
static void solve(double a[REGRESSORS][REGRESSORS], double *b, const bool *used, double *x) {
  for (int k = 0; k < REGRESSORS; k++)
    x[k] = 0;
  for (int k = 0; k < REGRESSORS; k++) {
    if (!used[k] || !(a[k][k] > 0))
      continue;
    for (int i = 0; i < REGRESSORS; i++) {
      if (i == k || !used[i])
        continue;
      double factor = a[i][k] / a[k][k];
      for (int j = 0; j < REGRESSORS; j++)
        a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = 0; k < REGRESSORS; k++)
    if (used[k] && a[k][k] > 0)
      x[k] = b[k] / a[k][k];
}

/// Least squares through the usual execution; a cause never makes an execution faster, so a
/// negative coefficient leaves.
///
/// pick   [count] positions, with repeats
/// fixed  >= 0: the coefficient of minor faults; else it is found, too
static void regress(const struct execution *e, const size_t *pick, size_t count, double fixed,
                    double *out) {
  bool used[REGRESSORS];
  for (int k = 0; k < REGRESSORS; k++)
    used[k] = k != BY_MINOR || fixed < 0;
  double minor = fmax(0, fixed);
  for (int round = 0; round < REGRESSORS; round++) {
    double a[REGRESSORS][REGRESSORS] = {{0}}, b[REGRESSORS] = {0};
    for (size_t i = 0; i < count; i++) {
      const struct execution *at = &e[pick[i]];
      for (int k = 0; k < REGRESSORS; k++) {
        for (int j = 0; j < REGRESSORS; j++)
          a[k][j] += at->stands * at->x[k] * at->x[j];
        b[k] += at->stands * at->x[k] * (at->cpu_longer - minor * at->x[BY_MINOR]);
      }
    }
    for (int k = 0; k < REGRESSORS; k++)
      a[k][k] *= 1 + RIDGE;
    solve(a, b, used, out);
    bool is_fine = true;
    for (int k = 0; k < REGRESSORS; k++)
      if (used[k] && !(out[k] >= 0)) {
        used[k] = is_fine = false;
        out[k] = 0;
      }
    if (is_fine)
      break;
  }
  if (fixed >= 0)
    out[BY_MINOR] = fixed;
}

// --- the table -----------------------------------------------------------------------------------

/// No more than there is of it.
static double cut(double sum, double most) { return sum > most && sum > 0 ? most / sum : 1; }

/// What of one slow execution is known by itself: it wasn't on a processor, or the clock was lower.
///
/// returns what is left of what it took longer, ns
static double add_known(const struct execution *e, struct parts *out) {
  double part[SLOW_CAUSES] = {0}, sum = 0;
  part[SLOW_CLOCK] = e->clock;
  part[SLOW_WAITS_FOR_CPU] = e->runnable;
  // What it waited for pages that were read from a device.
  part[e->x[BY_MAJOR] > 0 ? SLOW_PAGE_FAULTS : SLOW_BLOCKED] = e->blocked;
  part[SLOW_GAP] = e->gap;
  for (int k = 0; k < SLOW_CAUSES; k++)
    sum += part[k];
  double factor = cut(sum, e->longer);
  for (int k = 0; k < SLOW_CAUSES; k++)
    out->ns[k] += e->stands * factor * part[k];
  return e->longer - factor * sum;
}

/// CPU time by what it goes with. A coefficient is a mean: of executions that have a cause some
/// took longer and some less, so only their sum is cut to what they took longer.
static void add_by(const struct execution *e, const size_t *pick, size_t count, const double *by,
                   struct parts *out) {
  double part[SLOW_CAUSES] = {0}, told = 0, taken = 0;
  for (size_t i = 0; i < count; i++) {
    const struct execution *at = &e[pick[i]];
    if (!(at->longer > 0))
      continue;
    double left = add_known(at, out);
    out->longer += at->stands * at->longer;
    double work = fmax(0, by[BY_WORK] * at->x[BY_WORK]);
    double faults =
        fmax(0, by[BY_MINOR] * at->x[BY_MINOR]) + fmax(0, by[BY_MAJOR] * at->x[BY_MAJOR]);
    double migration = by[BY_MIGRATION] * at->x[BY_MIGRATION];
    double sum = work + faults + migration;
    if (!(sum > 0))
      continue;
    part[at->fact->flags & RETICLE_SAMPLE_TAGGED ? SLOW_TAG : SLOW_ITERATIONS] += at->stands * work;
    part[SLOW_PAGE_FAULTS] += at->stands * faults;
    part[SLOW_MIGRATION] += at->stands * migration;
    told += at->stands * sum;
    taken += at->stands * fmin(left, fmax(0, at->cpu_longer));
  }
  double factor = cut(told, taken);
  for (int k = 0; k < SLOW_CAUSES; k++)
    out->ns[k] += factor * part[k];
}

static struct parts parts_of(const struct execution *e, const size_t *pick, size_t count,
                             double fault_most_ns) {
  struct parts out = {{0}, 0};
  double by[REGRESSORS];
  regress(e, pick, count, -1, by);
  if (by[BY_MINOR] > fault_most_ns) // long executions have more of everything
    regress(e, pick, count, fault_most_ns, by);
  add_by(e, pick, count, by, &out);
  double sum = 0;
  for (int k = 0; k < SLOW_UNEXPLAINED; k++)
    sum += out.ns[k];
  out.ns[SLOW_UNEXPLAINED] = fmax(0, out.longer - sum);
  return out;
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 11;
}

/// Percentiles 2.5 and 97.5 of resampled tables.
static void set_shares(const struct execution *e, size_t count, double fault_most_ns, size_t *pick,
                       double *room, struct slow_causes *out) {
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i < count; i++)
    pick[i] = i;
  struct parts all = parts_of(e, pick, count, fault_most_ns);
  out->lost_ns = all.longer;
  size_t made = 0;
  for (int r = 0; r < RESAMPLES; r++) {
    for (size_t i = 0; i < count; i++)
      pick[i] = (size_t)(next_random(&random) % count);
    struct parts again = parts_of(e, pick, count, fault_most_ns);
    if (!(again.longer > 0))
      continue;
    for (int k = 0; k < SLOW_CAUSES; k++)
      room[(size_t)k * RESAMPLES + made] = again.ns[k] / again.longer;
    made++;
  }
  for (int k = 0; k < SLOW_CAUSES; k++) {
    double share = all.ns[k] / all.longer, *values = room + (size_t)k * RESAMPLES;
    qsort(values, made, sizeof *values, compare_double);
    out->share[k] = made < RESAMPLES / 2
                        ? quantity_none(QUANTITY_TOO_FEW, "too few slow executions")
                        : quantity_of(share, values[made / 40], values[made - 1 - made / 40]);
  }
}

static void set_order(struct slow_causes *out) {
  for (int k = 0; k < SLOW_CAUSES; k++)
    out->order[k] = (enum slow_cause)k;
  for (int i = 1; i < SLOW_UNEXPLAINED; i++)
    for (int k = i; k && out->share[out->order[k]].value > out->share[out->order[k - 1]].value;
         k--) {
      enum slow_cause other = out->order[k];
      out->order[k] = out->order[k - 1];
      out->order[k - 1] = other;
    }
  struct quantity first = out->share[out->order[0]];
  out->has_first = first.status == QUANTITY_OK && first.low > NAMED_LEAST;
}

static void set_slowest(const struct execution *e, size_t count, struct slow_causes *out) {
  for (; out->slowest_count < SLOW_SHOWN && out->slowest_count < count; out->slowest_count++)
    out->slowest[out->slowest_count] = e[count - 1 - out->slowest_count].fact;
}

/// Those kept beside the choice stand for none: they leave, count becomes smaller.
static size_t drop_beside(struct execution *e, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (e[i].stands > 0)
      e[kept++] = e[i];
  return kept;
}

/// What those with facts stand for is right on average alone: a few usual ones stand for many.
static const char *gap_of(const struct execution *e, size_t count, double usual_ns,
                          const struct slow_known *known) {
  double lost = 0, all = 0, stands = 0;
  size_t slow = 0;
  for (size_t i = 0; i < count; i++) {
    lost += e[i].stands * e[i].longer;
    all += e[i].stands * e[i].ns;
    stands += e[i].stands;
    slow += e[i].longer > 0;
  }
  if (known->executions > 0 && stands > known->executions) {
    all *= known->executions / stands;
    stands = known->executions;
  }
  if (count < EXECUTIONS_LEAST || !(usual_ns > 0))
    return "too few executions of 20 us and more were timed";
  if (lost < LOST_PART * known->lost_ns * stands)
    return "the kernel wasn't asked about most of the slow executions (budget of the probes)";
  if (!(lost > LOST_LEAST * all))
    return "slow executions lost less than 1 % of the loop's time";
  return slow < SLOW_LEAST ? "too few slow executions" : NULL;
}

/// Of those that lost at least half of what large ones lose, as small delays are at any time.
static void set_period(const struct execution *e, size_t count, struct slow_causes *out) {
  uint64_t *times = memory_zeroed(count + 1, sizeof *times);
  size_t found = 0, slow = 0;
  while (slow < count && slow < LARGE && e[count - 1 - slow].longer > 0) // shortest first
    slow++;
  double least = slow ? e[count - 1 - slow / 2].longer / 2 : INFINITY;
  for (size_t i = 0; i < count; i++)
    if (e[i].longer >= least)
      times[found++] = e[i].fact->at_ns;
  out->period_ns =
      period_of(times, found, fmax(EXECUTIONS_A_PERIOD * out->usual_ns, PERIOD_LEAST_NS));
  free(times);
}

double slow_usual_ns(const struct loop_stats *stats) {
  bool is_half = stats->slow_share.status == QUANTITY_OK && stats->slow_share.value > HALF_SLOW;
  const struct quantity *usual = is_half ? &stats->p25_ns : &stats->p50_ns;
  return usual->status == QUANTITY_OK ? usual->value : 0;
}

void slow_causes_of(const struct profile_fact *const *facts, size_t count,
                    const struct slow_known *known, struct slow_causes *out) {
  struct execution *e = memory_zeroed(count + 1, sizeof *e);
  size_t *pick = memory_zeroed(count + 1, sizeof *pick);
  double *room = memory_zeroed(count + SLOW_CAUSES * RESAMPLES, sizeof *room);
  *out = (struct slow_causes){
      .executions = count, .period_ns = quantity_none(QUANTITY_TOO_FEW, "too few slow executions")};
  for (size_t i = 0; i < count; i++) {
    e[i] = (struct execution){.fact = facts[i],
                              .ns = (double)facts[i]->duration_ns,
                              .stands = (double)facts[i]->stands / 1000};
    out->no_runnable |= slow_has_facts(facts[i]) && facts[i]->runnable_ns == UINT64_MAX;
  }
  qsort(e, count, sizeof *e, compare_ns);
  set_slowest(e, count, out);
  count = drop_beside(e, count);
  out->usual_ns = known->usual_ns > 0 ? known->usual_ns : median_of(e, count);
  for (size_t i = 0; i < count; i++) {
    double longer = e[i].ns - out->usual_ns;
    e[i].longer = longer > USUAL * out->usual_ns ? longer : 0;
    describe(&e[i], known->control);
  }
  out->gap = gap_of(e, count, out->usual_ns, known);
  if (!out->gap) {
    take_off_usual(e, count, room);
    set_shares(e, count, known->fault_most_ns, pick, room, out);
    set_order(out);
    set_period(e, count, out);
  }
  free(e);
  free(pick);
  free(room);
}
