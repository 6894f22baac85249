// ranks_words.c - names of ranks and loops, why a rank is slow, and what slow ones have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/statistics.h"
#include "tools/model/rank/ranks.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Page faults that are worth a word: so many times the median rank's, and so many at all.
#define FAULTS_FACTOR 3.0
#define FAULTS_LEAST 1000.0

void ranks_add_name(const struct rank_row *row, struct text *out) {
  if (row->rank != PROFILE_RANK_UNKNOWN)
    text_printf(out, "rank %u", row->rank);
  else
    text_printf(out, "process %llu", (unsigned long long)row->pid);
}

void ranks_add_loop(const struct rank_loop *loop, struct text *out) {
  if (*loop->region)
    text_printf(out, "region %s", loop->region);
  else
    text_printf(out, "%s%s", loop->is_iteration ? "iteration " : "", loop->function);
  if (!*loop->file || !loop->line)
    return;
  text_printf(out, " %s:%u", base_name(loop->file), loop->line);
  if (loop->column)
    text_printf(out, ":%u", loop->column);
}

/// Median over the ranks of a field of their rows; NaN where none knows it.
static double median_of(const struct ranks *ranks, size_t at) {
  double *values = memory_zeroed(ranks->count + 1, sizeof *values);
  size_t count = 0;
  for (size_t i = 0; i < ranks->count; i++) {
    double value;
    memcpy(&value, (const char *)&ranks->rows[i] + at, sizeof value);
    if (isfinite(value))
      values[count++] = value;
  }
  statistics_sort(values, count);
  double median = count ? statistics_quantile(values, count, 0.5) : NAN;
  free(values);
  return median;
}

static void add_interval(struct quantity factor, struct text *out) {
  text_printf(out, " (%.2f to %.2f)", factor.low, factor.high);
}

static void add_work(const struct rank_finding *finding, struct text *out) {
  struct quantity own = finding->by[RANK_BY_WORK], each = finding->by[RANK_BY_CPU];
  if (finding->factor.value != own.value) {
    text_printf(out, "each iteration %s the CPU time", units_ratio(finding->factor.value).data);
    add_interval(finding->factor, out);
    text_add(out, ", as a loop inside has more work");
    return;
  }
  text_printf(out, "%s the iterations", units_ratio(own.value).data);
  if (each.status == QUANTITY_OK)
    text_printf(out, ", each %s the CPU time", units_ratio(each.value).data);
}

static void add_core(const struct ranks *ranks, const struct rank_row *row, struct text *out) {
  double median = median_of(ranks, offsetof(struct rank_row, cycle_ns));
  if (isfinite(row->cycle_ns) && isfinite(median))
    text_printf(out, "; a plain addition takes %.3f ns, in the median rank %.3f", row->cycle_ns,
                median);
}

static void add_faults(const struct ranks *ranks, const struct rank_row *row, struct text *out) {
  double median = median_of(ranks, offsetof(struct rank_row, faults));
  if (row->faults >= FAULTS_LEAST && row->faults >= FAULTS_FACTOR * median)
    text_printf(out, "; page faults %s, in the median rank %s", units_count(row->faults).data,
                units_count(median).data);
}

void ranks_add_reason(const struct ranks *ranks, const struct rank_finding *finding,
                      struct text *out) {
  const struct rank_row *row = &ranks->rows[finding->rank];
  if (finding->kind == RANK_WORK) {
    add_work(finding, out);
    return;
  }
  if (finding->factor.value == finding->by[RANK_BY_WAIT].value) {
    text_printf(out,
                "waits for a processor: its executions take %s the CPU time that they need, "
                "as the others' count",
                units_ratio(finding->factor.value).data);
    add_interval(finding->factor, out);
    return;
  }
  text_printf(out, "the same iterations take %s the CPU time",
              units_ratio(finding->factor.value).data);
  add_interval(finding->factor, out);
  if (finding->kind == RANK_CODE)
    text_printf(out, ", and it runs another build (%.12s)", row->build_id);
  add_core(ranks, row, out);
  add_faults(ranks, row, out);
}

/// Slow ranks of a kind, and all others, by one property.
struct common {
  const char *text; ///< that the slow ones share; null: they don't
  size_t slow;      ///< how many they are
  size_t all;       ///< ranks that have it, slow or not
};

static const char *text_at(const struct rank_row *row, size_t at) {
  const char *text;
  memcpy(&text, (const char *)row + at, sizeof text);
  return text;
}

static struct common common_of(const struct ranks *ranks, enum rank_kind kind, size_t at) {
  struct common common = {0};
  for (size_t i = 0; i < ranks->slow_count; i++) {
    if (ranks->slow[i].worst->kind != kind)
      continue;
    const char *text = text_at(&ranks->rows[ranks->slow[i].worst->rank], at);
    if (common.slow++ && common.text && strcmp(common.text, text) != 0)
      common.text = NULL;
    else if (common.slow == 1)
      common.text = text;
  }
  for (size_t i = 0; common.text && i < ranks->count; i++)
    common.all += strcmp(text_at(&ranks->rows[i], at), common.text) == 0;
  return common;
}

void ranks_add_common(const struct ranks *ranks, enum rank_kind kind, struct text *out) {
  struct common host = common_of(ranks, kind, offsetof(struct rank_row, host));
  struct common cpu = common_of(ranks, kind, offsetof(struct rank_row, cpu_model));
  if (host.slow > 1 && host.text && ranks->hosts > 1) {
    if (host.slow == host.all)
      text_printf(out, "all %zu ranks of host %s", host.all, host.text);
    else
      text_printf(out, "all on host %s, which has %zu ranks", host.text, host.all);
  }
  if (cpu.slow && cpu.text && cpu.all == cpu.slow && cpu.all < ranks->count)
    text_printf(out, "%sall on %s, and no others", out->length ? ", " : "", cpu.text);
}
