// quantity.h - a number with its interval, or the reason why there is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_QUANTITY_H
#define RETICLE_TOOLS_ANALYSIS_STATS_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/// A number that was not measured is never 0: it has one of these instead.
enum quantity_status {
  QUANTITY_OK,
  QUANTITY_BELOW_FLOOR, ///< smaller than the timer can tell
  QUANTITY_TOO_FEW,     ///< not enough samples
  QUANTITY_TOO_NOISY,   ///< the interval is too wide to be of use
  QUANTITY_UNSUPPORTED, ///< this program, machine or loop cannot be measured so
};

struct quantity {
  double value;     ///< NaN unless status is QUANTITY_OK
  double low, high; ///< 95 % interval, low <= value <= high; NaN unless status is QUANTITY_OK
  enum quantity_status status;
  const char *reason; ///< why there is none, or what to know about the value; never null, not owned
};

/// A value with its interval; low and high are moved where they would exclude the value.
struct quantity quantity_of(double value, double low, double high);

/// No value. status is not QUANTITY_OK; reason stays valid as long as the quantity.
struct quantity quantity_none(enum quantity_status status, const char *reason);

/// The value times a factor > 0, with its interval; status and reason stay.
struct quantity quantity_scaled(struct quantity quantity, double factor);

/// a / b with the widest interval that theirs allow; without both the status and reason of the one
/// that is missing, a before b. QUANTITY_TOO_NOISY where b may be 0.
struct quantity quantity_ratio(struct quantity a, struct quantity b);

/// Whether the interval is so wide that a report says only what the quantity is at least; not
/// without a value. It is >= 0.
bool quantity_is_wide(struct quantity quantity);

/// "ok", "below_floor", "too_few", "too_noisy" or "unsupported": the words of text and JSON.
const char *quantity_status_name(enum quantity_status status);

/// The number as a count: 0 for what is below or no number, UINT64_MAX for what is above. A cast
/// alone is undefined there.
static inline uint64_t quantity_count(double number) {
  return !(number > 0) ? 0 : number < 0x1p64 ? (uint64_t)number : UINT64_MAX;
}

#endif
