// child_variance.c - adds up samples of inner loops over each execution around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/child_variance.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Executions, and samples of an inner loop, without which nothing is said.
#define EXECUTIONS_LEAST 30
/// Begins are known in steps: an execution must take so many of them.
#define STEPS_LEAST 8
/// Samples of an inner loop for each execution, on average.
#define SAMPLES_LEAST 0.5
/// A loop that is executed so often for each execution around it is executed once in each.
#define ONCE_LEAST 0.8
#define ONCE_MOST 1.2
/// Stretches of time that are left out in turn, for the standard error.
#define PARTS 10
/// What explains less at its lower end isn't told.
#define SHARE_LEAST 0.1

struct span {
  uint32_t thread;
  uint32_t when;
  double end;   ///< in steps of `when`
  double ticks; ///< duration
  double inner; ///< of the loop that is looked at, ticks; NaN: it wasn't timed in this one
};

struct spans {
  struct span *items; ///< [count] by thread and time
  size_t count;
  double ticks;      ///< of all
  double executions; ///< of which these are the ones timed
};

static int compare(const void *left, const void *right) {
  const struct span *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a->when > b->when) - (a->when < b->when);
}

/// The execution that was under way; null: none that was timed.
static struct span *around(const struct spans *spans, const struct profile_sample *sample) {
  size_t low = 0, high = spans->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct span *s = &spans->items[middle];
    if (s->thread < sample->thread || (s->thread == sample->thread && s->when <= sample->when))
      low = middle + 1;
    else
      high = middle;
  }
  struct span *s = low ? &spans->items[low - 1] : NULL;
  return s && s->thread == sample->thread && (double)sample->when <= s->end ? s : NULL;
}

/// Fills in what the inner loop took in each execution. False: it isn't inside, or too few samples.
static bool add_up(const struct spans *spans, const struct profile_loop *loop) {
  double kept = 0, inside = 0, sum = 0, each = (double)loop->executions / spans->executions;
  bool is_once = each >= ONCE_LEAST && each <= ONCE_MOST;
  for (size_t i = 0; i < spans->count; i++)
    spans->items[i].inner = is_once ? NAN : 0;
  for (size_t i = 0; i < loop->raw_count; i++) {
    const struct profile_sample *sample = &loop->raw[i];
    double ticks = (double)sample->duration_ticks * (is_once ? 1 : sample->weight);
    struct span *s = around(spans, sample);
    kept += ticks;
    if (!s || (double)sample->duration_ticks > s->ticks)
      continue;
    s->inner = isnan(s->inner) ? ticks : s->inner + ticks;
    sum += ticks;
    inside++;
  }
  if (inside < EXECUTIONS_LEAST || inside < SAMPLES_LEAST * (double)spans->count || !(kept > 0))
    return false;
  // Of all samples a choice is kept.
  double factor = is_once ? 1 : fmax(1, (double)loop->weighted_ticks / kept);
  for (size_t i = 0; i < spans->count; i++)
    spans->items[i].inner *= factor;
  return sum * factor < spans->ticks; // else it is around, and begins in the same step
}

/// Covariance over variance, one stretch of time left out; `without` PARTS: none.
static double share_of(const struct spans *spans, size_t without) {
  double n = 0, x = 0, y = 0, xy = 0, yy = 0;
  for (size_t i = 0; i < spans->count; i++) {
    const struct span *s = &spans->items[i];
    if (i * PARTS / spans->count == without || isnan(s->inner))
      continue;
    n++;
    double dx = s->inner - x, dy = s->ticks - y;
    x += dx / n;
    y += dy / n;
    xy += dx * (s->ticks - y);
    yy += dy * (s->ticks - y);
  }
  return yy > 0 ? xy / yy : 0;
}

static struct quantity judge(const struct spans *spans) {
  double share = share_of(spans, PARTS), sum = 0, squares = 0;
  for (size_t part = 0; part < PARTS; part++) {
    double without = share_of(spans, part);
    sum += without;
    squares += without * without;
  }
  double mean = sum / PARTS;
  double error = sqrt((PARTS - 1) * fmax(0, squares / PARTS - mean * mean));
  double low = fmax(0, share - 2 * error), high = fmin(1, share + 2 * error);
  return quantity_of(fmin(1, fmax(0, share)), fmin(low, 1), fmax(high, 0));
}

static void insert(struct child_variance child, struct child_variance *out, size_t *count) {
  size_t at = *count < CHILD_VARIANCE_MOST ? (*count)++ : CHILD_VARIANCE_MOST - 1;
  if (at == CHILD_VARIANCE_MOST - 1 && *count == CHILD_VARIANCE_MOST && out[at].loop &&
      out[at].share.low >= child.share.low)
    return;
  for (; at && out[at - 1].share.low < child.share.low; at--)
    out[at] = out[at - 1];
  out[at] = child;
}

static void make_spans(const struct profile_loop *outer, double step, struct spans *out) {
  for (size_t i = 0; i < outer->raw_count; i++) {
    const struct profile_sample *sample = &outer->raw[i];
    double ticks = (double)sample->duration_ticks;
    out->items[out->count++] = (struct span){.thread = sample->thread,
                                             .when = sample->when,
                                             .end = (double)sample->when + ticks / step,
                                             .ticks = ticks};
    out->ticks += ticks;
  }
  qsort(out->items, out->count, sizeof *out->items, compare);
}

size_t child_variance_of(const struct profile *profile, const struct profile_loop *outer,
                         struct child_variance *out) {
  size_t count = 0;
  double step = exp2(profile_when_shift(&profile->env));
  if (outer->raw_count < EXECUTIONS_LEAST)
    return 0;
  struct spans spans = {.items = memory_zeroed(outer->raw_count, sizeof *spans.items),
                        .executions = fmax(1, (double)outer->executions)};
  for (size_t i = 0; i < CHILD_VARIANCE_MOST; i++)
    out[i] = (struct child_variance){0};
  make_spans(outer, step, &spans);
  bool is_long = spans.ticks >= STEPS_LEAST * step * (double)spans.count;
  for (size_t i = 0; is_long && i < profile->loop_count; i++) {
    const struct profile_loop *loop = &profile->loops[i];
    if (loop == outer || !add_up(&spans, loop))
      continue;
    struct child_variance child = {loop, judge(&spans)};
    if (child.share.low >= SHARE_LEAST)
      insert(child, out, &count);
  }
  free(spans.items);
  return count;
}
