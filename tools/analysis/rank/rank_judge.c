// rank_judge.c - compares the ranks loop by loop, and takes what is relevant as findings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/rank_judge.h"

#include "tools/analysis/rank/rank_parts.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// The kernel was asked in this share of the ranks at least, or durations are compared.
#define ASKED_SHARE 0.8

/// Room for one loop, and what goes on from loop to loop.
struct judge {
  const struct rank_facts *ranks;
  size_t rank_count;
  struct rank_values of[RANK_CHANNELS];
  struct outlier_value *waits; ///< [rank_count] of all loops together
  struct rank_alike *alike;    ///< [rank_count]
  double family;               ///< of one comparison
  struct rank_judged *out;
};

// --- a loop over all ranks

static void sum_up(const struct rank_cell *cells, size_t count, struct rank_loop_view *out) {
  double sum = 0, most = 0, squares = 0, most_error = 0;
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    out->entered += cells[i].executions > 0;
    if (!cells[i].executions || !isfinite(cells[i].total_ns))
      continue;
    known++;
    sum += cells[i].total_ns;
    double error = cells[i].total_ns * cells[i].total_error;
    squares += error * error;
    if (cells[i].total_ns > most) {
      most = cells[i].total_ns;
      most_error = error;
    }
  }
  if (!known || !(sum > 0)) {
    struct quantity none = quantity_none(QUANTITY_TOO_FEW, "no execution was timed");
    out->total_ns = out->mean_ns = out->most_ns = out->imbalance = out->lost_ns = none;
    return;
  }
  double n = (double)known, mean = sum / n, half = STATISTICS_Z95 * sqrt(squares);
  double most_half = STATISTICS_Z95 * most_error;
  out->total_ns = quantity_of(sum, fmax(0, sum - half), sum + half);
  out->mean_ns = quantity_of(mean, fmax(0, mean - half / n), mean + half / n);
  out->most_ns = quantity_of(most, fmax(0, most - most_half), most + most_half);
  out->imbalance =
      quantity_of(most / mean, fmax(1, (most - most_half) / mean), (most + most_half) / mean);
  out->lost_ns =
      quantity_of(most - mean, fmax(0, most - mean - most_half), most - mean + most_half);
}

// --- levels of the channels

static bool mostly_asked(const struct rank_cell *cells, size_t count) {
  size_t asked = 0, known = 0;
  for (size_t i = 0; i < count; i++) {
    asked += isfinite(cells[i].asked.log);
    known += isfinite(cells[i].asked.log) || isfinite(cells[i].timed.log);
  }
  return known && (double)asked >= ASKED_SHARE * (double)known;
}

static struct rank_level level_of(const struct rank_cell *cell, enum rank_channel by,
                                  bool is_asked) {
  const struct rank_level none = {NAN, NAN};
  if (!cell->executions)
    return none;
  switch (by) {
  case RANK_BY_WORK:
    return cell->work > 0 ? (struct rank_level){log(cell->work), 0} : none;
  case RANK_BY_CPU:
    return is_asked ? cell->asked : cell->timed;
  case RANK_BY_WAIT:
    return cell->waited;
  case RANK_CHANNELS:
    break;
  }
  return none;
}

static void fill(const struct judge *judge, const struct rank_cell *cells, bool is_asked) {
  for (enum rank_channel by = 0; by < RANK_CHANNELS; by++)
    for (size_t i = 0; i < judge->rank_count; i++) {
      struct rank_level level = level_of(&cells[i], by, is_asked);
      judge->of[by].values[i] = (struct outlier_value){.log = level.log, .error = level.error};
    }
}

static double least_of(enum rank_channel by) {
  return log1p(by == RANK_BY_WAIT ? RANK_RELEVANT_WAIT : RANK_RELEVANT);
}

// --- findings

static struct quantity factor_of(const struct outlier_value *value) {
  if (!isfinite(value->above))
    return quantity_none(QUANTITY_TOO_FEW, "not known of this rank, or of too few ranks");
  double half = STATISTICS_Z95 * value->above_error;
  return quantity_of(exp(value->above), exp(value->above - half), exp(value->above + half));
}

/// What the rank would have saved with the others' level: total - total / factor.
static struct quantity excess_of(double total_ns, struct quantity factor) {
  return quantity_of(total_ns * (1 - 1 / factor.value), total_ns * (1 - 1 / factor.low),
                     total_ns * (1 - 1 / factor.high));
}

/// The channel that stands out most; RANK_CHANNELS: none.
static enum rank_channel largest(const struct judge *judge, size_t rank) {
  enum rank_channel found = RANK_CHANNELS;
  for (enum rank_channel by = 0; by < RANK_CHANNELS; by++) {
    const struct outlier_value *value = &judge->of[by].values[rank];
    if (value->is_above &&
        (found == RANK_CHANNELS || value->above > judge->of[found].values[rank].above))
      found = by;
  }
  return found;
}

static void add_finding(struct judge *judge, const struct rank_cell *cell, size_t loop,
                        size_t rank) {
  enum rank_channel by = largest(judge, rank);
  struct rank_judged *out = judge->out;
  if (by == RANK_CHANNELS)
    return;
  struct rank_finding finding = {.loop = loop,
                                 .rank = rank,
                                 .kind = by == RANK_BY_WORK   ? RANK_WORK
                                         : by == RANK_BY_WAIT ? RANK_NODE
                                                              : RANK_MEMORY,
                                 .by_host = judge->of[by].by_host[rank]};
  for (enum rank_channel k = 0; k < RANK_CHANNELS; k++)
    finding.by[k] = factor_of(&judge->of[k].values[rank]);
  finding.factor = finding.by[by];
  finding.excess_ns = excess_of(cell->total_ns, finding.factor);
  // Of waiting the process was tested: where in its loops is known less well.
  if (!isfinite(finding.excess_ns.value) ||
      !((by == RANK_BY_WAIT ? finding.excess_ns.value : finding.excess_ns.low) > 0))
    return;
  if (!(out->count & (out->count - 1))) // room for a power of two each time
    out->findings =
        memory_resized(out->findings, out->count ? 2 * out->count : 1, sizeof *out->findings);
  out->findings[out->count++] = finding;
}

/// Whether all of a rank is slower alike.
static void note_alike(struct judge *judge) {
  for (size_t i = 0; i < judge->rank_count; i++) {
    const struct outlier_value *value = &judge->of[RANK_BY_CPU].values[i];
    struct rank_alike *alike = &judge->alike[i];
    if (!isfinite(value->above))
      continue;
    alike->compared++;
    if (value->above < least_of(RANK_BY_CPU))
      continue;
    alike->least = alike->above ? fmin(alike->least, value->above) : value->above;
    alike->most = alike->above ? fmax(alike->most, value->above) : value->above;
    alike->above++;
  }
}

/// Waiting was tested for all loops together; the loops say where.
static struct outliers place_waits(struct judge *judge) {
  struct rank_values *of = &judge->of[RANK_BY_WAIT];
  struct outliers found = outliers_find(of->values, of->count, 0, 0);
  for (size_t i = 0; i < of->count; i++)
    of->values[i].is_above =
        judge->waits[i].is_above && of->values[i].above >= least_of(RANK_BY_WAIT);
  return found;
}

static void judge_loop(struct judge *judge, const struct rank_cell *cells, size_t loop) {
  struct rank_loop_view *view = &judge->out->loops[loop];
  fill(judge, cells, view->is_asked);
  for (enum rank_channel by = 0; by < RANK_CHANNELS; by++) {
    struct outliers found = by == RANK_BY_WAIT ? place_waits(judge)
                                               : rank_compare(&judge->of[by], judge->ranks,
                                                              judge->family, least_of(by));
    view->compared[by] = found.known;
  }
  note_alike(judge);
  for (size_t i = 0; i < judge->rank_count; i++)
    add_finding(judge, &cells[i], loop, i);
}

/// CPU time in loops without calls. out: [rank_count]
static void sum_cpu(const struct judge *judge, const struct rank_cell *const *cells,
                    size_t loop_count, double *out) {
  for (size_t i = 0; i < judge->rank_count; i++) {
    out[i] = 0;
    for (size_t l = 0; l < loop_count; l++) {
      struct rank_level level = level_of(&cells[l][i], RANK_BY_CPU, judge->out->loops[l].is_asked);
      double cpu_ns = cells[l][i].work * exp(level.log);
      out[i] += isfinite(level.log) && isfinite(cpu_ns) ? cpu_ns : 0;
    }
  }
}

/// Whether loops agree that the process waited: by more than they are unsure of, or by anything
/// relevant in a rank that computes as much as the others.
static bool is_confirmed(const struct outlier_value *loops, double cpu_ns, double median_ns) {
  bool is_busy = cpu_ns >= RANK_BUSY * median_ns;
  return loops->above >= least_of(RANK_BY_WAIT) &&
         (is_busy || loops->above > RANK_CONFIRM * loops->above_error);
}

/// Compares what the processes waited, and takes those whose loops say the same.
static void judge_waits(struct judge *judge, const struct rank_cell *const *cells,
                        size_t loop_count) {
  struct rank_values *of = &judge->of[RANK_BY_WAIT];
  size_t count = judge->rank_count;
  double *cpu_ns = memory_zeroed(2 * count + 1, sizeof *cpu_ns), *sorted = cpu_ns + count;
  sum_cpu(judge, cells, loop_count, cpu_ns);
  for (size_t i = 0; i < count; i++) {
    sorted[i] = cpu_ns[i];
    of->values[i] = (struct outlier_value){.log = judge->ranks[i].queued_log, .error = 0};
    judge->waits[i] = (struct outlier_value){.log = judge->ranks[i].waited.log,
                                             .error = judge->ranks[i].waited.error};
  }
  statistics_sort(sorted, count);
  double median_ns = count ? statistics_quantile(sorted, count, 0.5) : 0;
  rank_compare(of, judge->ranks, judge->family, least_of(RANK_BY_WAIT));
  outliers_find(judge->waits, count, 0, 0);
  for (size_t i = 0; i < count; i++)
    judge->waits[i].is_above =
        of->values[i].is_above && is_confirmed(&judge->waits[i], cpu_ns[i], median_ns);
  free(cpu_ns);
}

static int by_excess(const void *left, const void *right) {
  const struct rank_finding *a = left, *b = right;
  if (a->excess_ns.value != b->excess_ns.value)
    return a->excess_ns.value > b->excess_ns.value ? -1 : 1;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return (a->loop > b->loop) - (a->loop < b->loop);
}

/// Whether the findings of one rank are worth a word: one loop, or all of many small ones. Loops
/// inside are in the sum twice and more, so that asks for more.
///
/// least_ns  gets what a loop must cost at least
static bool is_relevant(const struct judge *judge, const struct rank_finding *findings,
                        size_t count, double *least_ns) {
  double run_ns = judge->ranks[findings[0].rank].run_ns, most = 0, sum = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, findings[i].excess_ns.value);
    sum += findings[i].excess_ns.value;
  }
  bool is_one = !isfinite(run_ns) || most >= RANK_RELEVANT_SHARE * run_ns;
  *least_ns = is_one && isfinite(run_ns) ? RANK_RELEVANT_SHARE * run_ns : 0;
  return is_one || sum >= RANK_RELEVANT_SUM * run_ns;
}

/// Leaves what is relevant. Findings are by rank.
static void drop_irrelevant(struct judge *judge) {
  struct rank_judged *out = judge->out;
  size_t kept = 0;
  for (size_t first = 0, end; first < out->count; first = end) {
    double least_ns;
    for (end = first; end < out->count && out->findings[end].rank == out->findings[first].rank;)
      end++;
    if (!is_relevant(judge, out->findings + first, end - first, &least_ns))
      continue;
    for (size_t i = first; i < end; i++)
      if (out->findings[i].excess_ns.value >= least_ns)
        out->findings[kept++] = out->findings[i];
  }
  out->count = kept;
}

/// Comparisons that enough ranks are known for.
static size_t count_tests(struct judge *judge, const struct rank_cell *const *cells,
                          size_t loop_count) {
  size_t tests = 0;
  for (size_t l = 0; l < loop_count; l++) {
    struct rank_loop_view *view = &judge->out->loops[l];
    sum_up(cells[l], judge->rank_count, view);
    view->is_asked = mostly_asked(cells[l], judge->rank_count);
    fill(judge, cells[l], view->is_asked);
    for (enum rank_channel by = 0; by < RANK_CHANNELS; by++) {
      size_t known = 0;
      for (size_t i = 0; i < judge->rank_count; i++)
        known += isfinite(judge->of[by].values[i].log) && isfinite(judge->of[by].values[i].error);
      tests += by != RANK_BY_WAIT && known >= OUTLIERS_LEAST;
    }
  }
  size_t waited = 0;
  for (size_t i = 0; i < judge->rank_count; i++)
    waited += isfinite(judge->ranks[i].queued_log);
  return tests + (waited >= OUTLIERS_LEAST);
}

static void judge_all(struct judge *judge, const struct rank_cell *const *cells,
                      size_t loop_count) {
  struct rank_judged *out = judge->out;
  out->tests = count_tests(judge, cells, loop_count);
  judge->family = RANK_FAMILY_ERROR / (double)(out->tests ? out->tests : 1);
  judge_waits(judge, cells, loop_count);
  for (size_t l = 0; l < loop_count; l++)
    judge_loop(judge, cells[l], l);
  rank_find_kinds(out, judge->ranks, judge->rank_count, judge->alike);
  drop_irrelevant(judge);
  if (out->count)
    qsort(out->findings, out->count, sizeof *out->findings, by_excess);
}

void rank_judge(const struct rank_cell *const *cells, size_t loop_count,
                const struct rank_facts *ranks, size_t rank_count, struct rank_judged *out) {
  struct rank_judged judged = {.loops = memory_zeroed(loop_count + 1, sizeof *judged.loops)};
  struct judge judge = {.ranks = ranks,
                        .rank_count = rank_count,
                        .waits = memory_zeroed(rank_count + 1, sizeof *judge.waits),
                        .alike = memory_zeroed(rank_count + 1, sizeof *judge.alike),
                        .out = &judged};
  for (enum rank_channel by = 0; by < RANK_CHANNELS; by++) {
    struct rank_values *of = &judge.of[by];
    *of = (struct rank_values){memory_zeroed(rank_count + 1, sizeof *of->values),
                               memory_zeroed(rank_count + 1, sizeof *of->by_host), rank_count};
  }
  judge_all(&judge, cells, loop_count);
  for (enum rank_channel by = 0; by < RANK_CHANNELS; by++) {
    free(judge.of[by].values);
    free(judge.of[by].by_host);
  }
  free(judge.waits);
  free(judge.alike);
  *out = judged;
}

void rank_judged_release(struct rank_judged *judged) {
  free(judged->loops);
  free(judged->findings);
  *judged = (struct rank_judged){0};
}
