// loop_variance.c - work or processor: splits the variance of a loop's time by its trip count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_parts.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>

/// Groups stay exact up to so many trip counts; above, one for each power of two.
#define EXACT_GROUPS 16
#define GROUPS 65
/// Samples without which nothing is said.
#define SAMPLES_MIN 30
/// Parts left out in turn for the interval.
#define PARTS 10
/// An interval of a share wider than this says nothing.
#define WIDTH_MAX 0.5

/// Weighted sums of a group, kept around its means (West 1979), which loses no digits.
struct group {
  uint64_t work; ///< exact groups only
  size_t n;
  double weight, mean_x, mean_y, xx, xy, yy;
};

struct split {
  size_t count; ///< groups in use
  struct group groups[GROUPS];
  bool is_exact;
};

static void group_add(struct group *group, double x, double y, double weight) {
  group->n++;
  group->weight += weight;
  double dx = x - group->mean_x, dy = y - group->mean_y, part = weight / group->weight;
  group->mean_x += part * dx;
  group->mean_y += part * dy;
  group->xx += weight * dx * (x - group->mean_x);
  group->xy += weight * dx * (y - group->mean_y);
  group->yy += weight * dy * (y - group->mean_y);
}

/// The group of a trip count; null when there are more distinct ones than exact groups.
static struct group *group_of(struct split *split, uint64_t work) {
  if (!split->is_exact)
    return &split->groups[work ? 64 - __builtin_clzll(work) : 0];
  for (size_t i = 0; i < split->count; i++)
    if (split->groups[i].work == work)
      return &split->groups[i];
  if (split->count == EXACT_GROUPS)
    return NULL;
  split->groups[split->count].work = work;
  return &split->groups[split->count++];
}

/// Which of PARTS stretches of time a sample belongs to.
static size_t part_of(const struct loop_point *point, uint32_t first, uint32_t last) {
  return (size_t)((uint64_t)(point->when - first) * PARTS / ((uint64_t)(last - first) + 1));
}

/// Fills in groups and the group of all, leaving out one part (PARTS: none). False when exact
/// groups do not suffice.
static bool fill(const struct loop_sample *sample, size_t without, uint32_t first, uint32_t last,
                 struct split *split, struct group *all) {
  split->count = split->is_exact ? 0 : GROUPS;
  for (size_t i = 0; i < GROUPS; i++)
    split->groups[i] = (struct group){0};
  *all = (struct group){0};
  for (size_t i = 0; i < sample->own_count; i++) {
    const struct loop_point *point = &sample->points[i];
    if (point->work == RETICLE_WORK_UNKNOWN || part_of(point, first, last) == without)
      continue;
    struct group *group = group_of(split, point->work);
    if (!group)
      return false;
    group_add(group, (double)point->work, point->ns, point->weight);
    group_add(all, (double)point->work, point->ns, point->weight);
  }
  return true;
}

/// Share of the variance that is left within the groups, quantisation taken out of both. Negative
/// when there is no variance beyond quantisation, NaN when there are too few samples for so many
/// groups.
static double processor_share(const struct split *split, const struct group *all, double step_ns) {
  double left = 0, freedom = 0;
  for (size_t i = 0; i < split->count; i++) {
    const struct group *group = &split->groups[i];
    if (group->n == 0)
      continue;
    // A straight line through the group where it holds several trip counts, else its mean.
    bool has_slope = group->xx > 0;
    double explained = has_slope ? group->xy * group->xy / group->xx : 0;
    double degrees = (double)group->n - (has_slope ? 2 : 1);
    if (degrees <= 0)
      continue;
    left += fmax(0, group->yy - explained);
    freedom += degrees;
  }
  if (2 * freedom < (double)all->n || all->n < 2)
    return NAN;
  double n = (double)all->n;
  double total = all->yy / all->weight * n / (n - 1);
  double within = left / all->weight * n / freedom;
  double quantisation = step_ns * step_ns / 6; // of the difference of two readings
  if (total <= 2 * quantisation)
    return -1;
  return fmin(1, fmax(0, within - quantisation) / (total - quantisation));
}

/// Sets both shares from what the trip counts leave, and its standard error. Unless the trip count
/// is all of the work, that is the paths' or the processor's.
///
/// rest  what else there is then
static void set_shares(double share, double error, bool is_all_work, const char *rest,
                       struct loop_stats *out) {
  double low = fmax(0, share - STATISTICS_Z95 * error);
  double high = fmin(1, share + STATISTICS_Z95 * error);
  if (high - low > WIDTH_MAX) {
    out->variance_work = out->variance_processor =
        quantity_none(QUANTITY_TOO_NOISY, "the share differs too much between parts of the run");
    return;
  }
  out->variance_work = quantity_of(1 - share, 1 - high, is_all_work ? 1 - low : 1);
  if (is_all_work) {
    out->variance_processor = quantity_of(share, low, high);
    return;
  }
  out->variance_work.reason = "at least: what else differs, as paths taken, is not counted";
  out->variance_processor = quantity_none(QUANTITY_UNSUPPORTED, rest);
}

/// Standard error of the share by leaving out one stretch of time after the other (jackknife); so
/// neighbours that vary together count once.
static double jackknife(const struct loop_sample *sample, uint32_t first, uint32_t last,
                        struct split *split) {
  double shares[PARTS], n = 0, sum = 0, squares = 0;
  for (size_t part = 0; part < PARTS; part++) {
    struct group all;
    fill(sample, part, first, last, split, &all); // fewer samples: exact groups still suffice
    shares[part] = processor_share(split, &all, sample->step_ns);
    if (!(shares[part] >= 0)) // nothing left without this part
      continue;
    n++;
    sum += shares[part];
    squares += shares[part] * shares[part];
  }
  if (n < 2)
    return 1;
  return sqrt((n - 1) * fmax(0, squares / n - sum / n * (sum / n)));
}

/// Why the split cannot be made for this loop; null if it can.
static const char *why_not(const struct profile_loop *loop, const struct loop_sample *sample) {
  if (loop->flags & RETICLE_LOOP_REGION && !loop->is_tagged)
    return "work not controlled: a region by hand; RETICLE_TAG(amount) in it says how much";
  if (loop->work_class != RETICLE_WORK_CLASS_F && loop->work_class != RETICLE_WORK_CLASS_P &&
      !loop->is_tagged)
    return "work not controlled: calls or inner loops";
  double known = 0, all = 0;
  for (size_t i = 0; i < sample->own_count; i++) {
    all += sample->points[i].weight;
    if (sample->points[i].work != RETICLE_WORK_UNKNOWN)
      known += sample->points[i].weight;
  }
  if (known >= 0.9 * all)
    return NULL;
  if (loop->is_tagged)
    return "work not controlled: more than a tenth of the executions have no RETICLE_TAG";
  return loop->flags & RETICLE_LOOP_HAS_TRIP_COUNT
             ? "work not controlled: the trip count is not known"
             : "work not controlled: no trip count is read; try -fplugin-arg-reticle-trip_counts=1";
}

void loop_variance(const struct profile_loop *loop, const struct loop_sample *sample,
                   struct loop_stats *out) {
  const char *reason = why_not(loop, sample);
  if (reason || !sample->is_raw || sample->own_count < SAMPLES_MIN) {
    out->variance_work = out->variance_processor =
        reason ? quantity_none(QUANTITY_UNSUPPORTED, reason)
               : quantity_none(QUANTITY_TOO_FEW, "fewer than 30 raw samples");
    return;
  }
  uint32_t first = UINT32_MAX, last = 0;
  for (size_t i = 0; i < sample->own_count; i++) {
    uint32_t when = sample->points[i].when;
    first = when < first ? when : first;
    last = when > last ? when : last;
  }
  struct split split = {.is_exact = true};
  struct group all;
  if (!fill(sample, PARTS, first, last, &split, &all)) {
    split.is_exact = false;
    fill(sample, PARTS, first, last, &split, &all);
  }
  double share = processor_share(&split, &all, sample->step_ns);
  if (isnan(share))
    out->variance_work = out->variance_processor =
        quantity_none(QUANTITY_TOO_FEW, "too few samples for so many trip counts");
  else if (share < 0)
    out->variance_work = out->variance_processor =
        quantity_none(QUANTITY_BELOW_FLOOR, "varies less than a step of the timer");
  else
    set_shares(share, jackknife(sample, first, last, &split),
               !loop->is_tagged && (loop->work_class == RETICLE_WORK_CLASS_F ||
                                    loop->flags & RETICLE_LOOP_ONE_PATH),
               loop->is_tagged ? "what the tag leaves is other work or the processor's"
                               : "several paths: what the trip count leaves is theirs or the "
                                 "processor's",
               out);
}
