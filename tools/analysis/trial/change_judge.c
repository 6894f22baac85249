// change_judge.c - intervals over pairs, or over builds where there are several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/trial/change_judge.h"

#include "tools/analysis/stats/paired.h"
#include "tools/analysis/stats/student.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

const char *change_result_name(enum change_result result) {
  switch (result) {
  case CHANGE_PAYS:
    return "pays";
  case CHANGE_DOES_NOT_PAY:
    return "does-not-pay";
  case CHANGE_REFUTED:
    return "refuted";
  case CHANGE_NOT_TRIED:
    return "not-tried";
  }
  return "unknown";
}

static bool has_times(const struct change_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(pairs[i].plain_s > 0 && pairs[i].changed_s > 0 &&
          isfinite(pairs[i].plain_s / pairs[i].changed_s)))
      return false;
  return true;
}

/// Of so few pairs that none can be left out.
static struct quantity saved_of_few(const struct change_pair *pairs, size_t count) {
  double sum = 0, squares = 0, n = (double)count;
  for (size_t i = 0; i < count; i++)
    sum += log(pairs[i].changed_s / pairs[i].plain_s);
  double mean = sum / n;
  for (size_t i = 0; i < count; i++)
    squares += pow(log(pairs[i].changed_s / pairs[i].plain_s) - mean, 2);
  double half = student_critical(0.05, n - 1) * sqrt(squares / (n - 1) / n);
  return quantity_of(1 - exp(mean), 1 - exp(mean + half), 1 - exp(mean - half));
}

static struct paired compare(const struct change_pair *pairs, size_t count) {
  double *times = memory_zeroed(3 * count, sizeof *times);
  for (size_t i = 0; i < count; i++) {
    times[i] = pairs[i].plain_s;
    times[count + i] = pairs[i].changed_s;
  }
  size_t builds = pairs[count - 1].build - (size_t)pairs[0].build + 1;
  struct paired paired = paired_compare(times, times + count, count, builds, times + 2 * count);
  free(times);
  return paired;
}

struct quantity change_saved(const struct change_pair *pairs, size_t count) {
  if (count < 2)
    return quantity_none(QUANTITY_TOO_FEW, "it was not run twice");
  if (!has_times(pairs, count))
    return quantity_none(QUANTITY_UNSUPPORTED, "a run of no time has no ratio");
  if (count < PAIRED_LEAST)
    return saved_of_few(pairs, count);
  struct quantity gain = compare(pairs, count).gain;
  return quantity_of(1 - 1 / gain.value, 1 - 1 / gain.low, 1 - 1 / gain.high);
}

bool change_is_kept(const struct change_pair *pairs, size_t count) {
  struct quantity saved = change_saved(pairs, count);
  return saved.status == QUANTITY_OK && saved.value >= CHANGE_KEPT;
}

double change_floor(const struct change_pair *pairs, size_t count) {
  struct quantity saved = change_saved(pairs, count);
  return saved.status == QUANTITY_OK ? fmax(fabs(saved.low), fabs(saved.high)) : 0;
}

enum change_result change_judge(const struct change_pair *screened, size_t screened_count,
                                const struct change_pair *confirmed, size_t confirmed_count,
                                double floor) {
  bool is_decided =
      confirmed_count >= CHANGE_CONFIRM_PAIRS && has_times(confirmed, confirmed_count);
  bool is_gain = is_decided && compare(confirmed, confirmed_count).verdict == PAIRED_GAIN;
  if (is_gain && change_saved(confirmed, confirmed_count).value > floor)
    return CHANGE_PAYS;
  if (screened_count < 2 && !is_decided)
    return CHANGE_NOT_TRIED;
  return is_decided && !is_gain && change_is_kept(screened, screened_count) ? CHANGE_REFUTED
                                                                            : CHANGE_DOES_NOT_PAY;
}
