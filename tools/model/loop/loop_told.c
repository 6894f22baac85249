// loop_told.c - decides whether a loop's number is a value, a bound, or no number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_told.h"

#include <math.h>
#include <stdio.h>

/// Behind lost time whose verdict is inconclusive, and in front of what is at least or at most so
/// much.
#define MARK_INCONCLUSIVE " ?"
#define MARK_LEAST ">"
#define MARK_MOST "<"
/// Bounds below say nothing: they would read "<0.1 %", and next to nothing.
#define LEAST_SHARE 0.001
#define LEAST_NS 1000

static struct told none(const char *words, const char *reason) {
  struct told told = {.value = NAN, .reason = reason};
  snprintf(told.words, sizeof told.words, "%s", words);
  return told;
}

static struct told tell(struct quantity quantity, bool is_least, double least,
                        struct units (*number)(double), const char *mark) {
  bool is_wide = quantity_is_wide(quantity) && quantity.value >= least;
  struct told told = {.value = is_wide ? quantity.low : quantity.value,
                      .reason = "",
                      .is_least = is_least || is_wide};
  if (quantity.status != QUANTITY_OK)
    return none("n/a", quantity.reason);
  if (told.is_least && told.value < least)
    return none("n/a", "too few samples to say how much it is at least");
  snprintf(told.words, sizeof told.words, "%s%s%s", told.is_least ? MARK_LEAST : "",
           number(told.value).data, mark);
  return told;
}

struct told told_share(struct quantity share, bool is_least) {
  return tell(share, is_least, LEAST_SHARE, units_share, "");
}

static struct told told_most(struct quantity share) {
  struct told told = {.value = share.high, .reason = "", .is_most = true};
  struct units number = units_share(told.value); // next to nothing has the sign already
  snprintf(told.words, sizeof told.words, "%s%s", *number.data == *MARK_MOST ? "" : MARK_MOST,
           number.data);
  return told;
}

struct told loop_told_share(const struct measured_loop *loop) {
  bool is_most = loop->stats.is_most && loop->share.status == QUANTITY_OK;
  return is_most ? told_most(loop->share) : told_share(loop->share, loop->stats.is_least);
}

static bool is_unsaid(const struct loop_stats *stats) {
  return stats->verdict == LOOP_BELOW_FLOOR || stats->verdict == LOOP_TOO_FEW;
}

struct told loop_told_amplitude(const struct measured_loop *loop) {
  const struct loop_stats *stats = &loop->stats;
  if (is_unsaid(stats))
    return none("n/a", stats->reason);
  struct quantity amplitude = stats->amplitude;
  if (amplitude.status != QUANTITY_OK)
    return none("n/a", amplitude.reason);
  struct told told = {.value = amplitude.value, .reason = ""};
  snprintf(told.words, sizeof told.words, "%s", units_ratio(amplitude.value).data);
  return told;
}

struct told loop_told_lost(const struct measured_loop *loop) {
  const struct loop_stats *stats = &loop->stats;
  if (stats->verdict == LOOP_STEADY || is_unsaid(stats))
    return none(loop_verdict_words(stats->verdict), stats->reason);
  return tell(stats->lost_ns, false, LEAST_NS, units_lost,
              stats->verdict == LOOP_INCONCLUSIVE ? MARK_INCONCLUSIVE : "");
}
