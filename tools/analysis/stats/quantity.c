// quantity.c - makes quantities, scales and divides them; names of their states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/quantity.h"

#include <math.h>

struct quantity quantity_of(double value, double low, double high) {
  return (struct quantity){.value = value,
                           .low = low < value ? low : value,
                           .high = high > value ? high : value,
                           .status = QUANTITY_OK,
                           .reason = ""};
}

struct quantity quantity_none(enum quantity_status status, const char *reason) {
  return (struct quantity){
      .value = NAN, .low = NAN, .high = NAN, .status = status, .reason = reason};
}

struct quantity quantity_scaled(struct quantity quantity, double factor) {
  quantity.value *= factor;
  quantity.low *= factor;
  quantity.high *= factor;
  return quantity;
}

struct quantity quantity_ratio(struct quantity a, struct quantity b) {
  if (a.status != QUANTITY_OK)
    return a;
  if (b.status != QUANTITY_OK)
    return b;
  if (!(b.low > 0))
    return quantity_none(QUANTITY_TOO_NOISY, "what it is divided by may be 0");
  return quantity_of(a.value / b.value, a.low / b.high, a.high / b.low);
}

/// The low end is less than this part of the value.
#define WIDE 0.5

bool quantity_is_wide(struct quantity quantity) {
  return quantity.status == QUANTITY_OK && quantity.low < WIDE * quantity.value;
}

const char *quantity_status_name(enum quantity_status status) {
  switch (status) {
  case QUANTITY_OK:
    return "ok";
  case QUANTITY_BELOW_FLOOR:
    return "below_floor";
  case QUANTITY_TOO_FEW:
    return "too_few";
  case QUANTITY_TOO_NOISY:
    return "too_noisy";
  case QUANTITY_UNSUPPORTED:
    return "unsupported";
  }
  return "unknown";
}
