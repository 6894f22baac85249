// block_estimate.c - cycles per execution from timings of a short and a long run. Pure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_estimate.h"

#include <math.h>

/// Timings of one run differ by about so much of their duration without being disturbed.
#define WINDOW_SHARE 0.004
/// The window is so many times as wide as the lower half of the values is, without its lowest ones.
#define WINDOW_SPREADS 2.0
/// 1.4826: deviation of a normal distribution by its median absolute deviation. 1.2533: standard
/// error of a median by that of a mean. 1.96: 95 %.
#define MEDIAN_INTERVAL (1.96 * 1.2533 * 1.4826)
/// Standard deviation of a uniform distribution of width 1, of a difference of two: 1 / sqrt(6).
#define STEP_DEVIATION 0.408

/// Ticks per cycle are known to about so much: chains of multiplications come out 0.13 % too fast.
#define CALIBRATION_SHARE 0.002
/// Runs take whole cycles, and a long one starts a few cycles faster than a short one or slower.
/// The mean of several pairs is right within so many cycles, however often they repeat.
#define PAIRS_CYCLES 2.5
/// The same of one pair or two. Both were found on Golden Cove, with blocks of known limits.
#define PAIR_CYCLES 5.0

/// Cycles besides executions that a run may have more than one of adds. Stores that wait for the
/// cache at the end of a run take up to 65.
#define START_LEAST (-30.0)
#define START_MOST 100.0
/// What nine of ten blocks have. What is beyond may be paid by one of the two runs alone: then
/// twice what that pays, as the short run has half the executions of the long one.
#define START_USUAL_LEAST (-12.0)
#define START_USUAL_MOST 33.0
/// Rounds that can be right make up the value where they are one of so many.
#define RIGHT_PART 8
/// Deviations by which the middle may be off. Rounds go on until the interval is narrow: with the
/// usual 1.96 two measurements of blocks with several speeds differed by over 2 % in 2 % of cases.
#define LOOKS_DEVIATIONS 3.0

static void sift(double *values, size_t at, size_t n) {
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && values[child] < values[child + 1])
      child++;
    if (!(values[at] < values[child]))
      return;
    double swapped = values[at];
    values[at] = values[child];
    values[child] = swapped;
  }
}

static void insert(double *values, size_t n) {
  for (size_t i = 1; i < n; i++) {
    double value = values[i];
    size_t to = i;
    for (; to && values[to - 1] > value; to--)
      values[to] = values[to - 1];
    values[to] = value;
  }
}

void block_sort(double *values, size_t n) {
  enum { FEW = 16 };
  if (n <= FEW) {
    insert(values, n);
    return;
  }
  for (size_t i = n / 2; i-- > 0;)
    sift(values, i, n);
  for (size_t end = n; end-- > 1;) {
    double last = values[end];
    values[end] = values[0];
    values[0] = last;
    sift(values, 0, end);
  }
}

/// End of the values within the window above values[from]. to: at most that end.
static size_t window_end(const double *values, size_t n, size_t from, size_t to, double window) {
  while (to < n && values[to] <= values[from] + window)
    to++;
  return to;
}

static double dense_mean(const double *values, size_t n, double window) {
  size_t most = 0, start = 0, end = 0;
  for (size_t i = 0; i < n; i++) {
    end = window_end(values, n, i, end, window);
    most = end - i > most ? end - i : most;
  }
  end = window_end(values, n, 0, 0, window);
  while (2 * (end - start) < most) {
    start++;
    end = window_end(values, n, start, end, window);
  }
  size_t best = start, best_count = end - start;
  for (size_t i = start + 1; i < n && values[i] <= values[start] + window; i++) {
    end = window_end(values, n, i, end, window);
    if (end - i > best_count) {
      best = i;
      best_count = end - i;
    }
  }
  double sum = 0;
  for (size_t i = best; i < best + best_count; i++)
    sum += values[i];
  return sum / (double)best_count;
}

double block_dense_mean(double *values, size_t n, double window) {
  block_sort(values, n);
  return dense_mean(values, n, window);
}

double block_canary_expected(double least) {
  static const double known[] = {1.0, 6.0 / 5, 6.0 / 4};
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    if (fabs(least - known[i]) <= BLOCK_CANARY_TOLERANCE * known[i])
      return known[i];
  return known[0];
}

static double median(const double *sorted, size_t n) {
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double block_typical(double *values, size_t n, double step) {
  block_sort(values, n);
  double window = fmax(WINDOW_SHARE * values[0], 2 * step);
  window = fmax(window, WINDOW_SPREADS * (values[n / 2] - values[n / 20]));
  return dense_mean(values, n, window);
}

size_t block_settled(const uint64_t *times, size_t n, size_t warm) {
  size_t last = n / 4;
  uint64_t highest = 0, lowest = UINT64_MAX;
  for (size_t i = n - last; i < n; i++)
    highest = times[i] > highest ? times[i] : highest;
  // Those in between may belong to either.
  for (size_t i = warm; i < n - 2 * last + 2; i++)
    lowest = times[i] < lowest ? times[i] : lowest;
  return highest < lowest ? n - last / 2 : warm;
}

/// Cycles per execution by each pair's typical runs. Returns how many pairs have values.
static size_t pair_values(const struct block_times *times, double values[BLOCK_PAIRS]) {
  size_t n = 0;
  for (size_t i = 0; i < BLOCK_PAIRS; i++) {
    const struct block_pair *pair = &times->pairs[i];
    if (pair->count)
      values[n++] = (block_typical(pair->high, pair->count, times->step) -
                     block_typical(pair->low, pair->count, times->step)) /
                    times->extra;
  }
  return n;
}

static double mean(const double *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += values[i];
  return sum / (double)n;
}

/// Half of the 95 % interval of the mean of some pairs, by what they differ. How rounds of one pair
/// differ is a part of that.
static double pairs_error(const double *values, size_t n, double extra) {
  // By n - 1, 97.5 %. With fewer than three pairs it is not measured, but known from others.
  static const double student[BLOCK_PAIRS] = {0, 0, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365};
  double middle = mean(values, n), squares = 0;
  if (n < 3)
    return PAIR_CYCLES / extra;
  for (size_t i = 0; i < n; i++)
    squares += (values[i] - middle) * (values[i] - middle);
  return student[n - 1] * sqrt(squares / (double)(n - 1) / (double)n);
}

/// One round says nothing about how rounds differ.
static void uncertain(struct block_value *value) {
  value->low = fmin(value->low, 0.5 * value->cycles);
  value->high = fmax(value->high, 1.5 * value->cycles);
  value->random_error = (value->high - value->low) / 2;
}

struct block_value block_estimate(struct block_times *times) {
  struct block_value value = {NAN, NAN, NAN, NAN, false};
  double pairs[BLOCK_PAIRS];
  size_t n = times->rounds, count = 0, pair_count = n ? pair_values(times, pairs) : 0;
  for (size_t i = 0; i < BLOCK_PAIRS; i++)
    count += times->pairs[i].count;
  if (!n || !pair_count)
    return value;
  block_sort(times->quotients, n);
  double middle = median(times->quotients, n);
  // Where the dense parts of the two runs stem from different rounds, the rounds know better.
  value.cycles = mean(pairs, pair_count);
  value.cycles = fmax(value.cycles, times->quotients[n / 4]);
  value.cycles = fmin(value.cycles, times->quotients[n - 1 - n / 4]);
  for (size_t i = 0; i < n; i++)
    times->quotients[i] = fabs(times->quotients[i] - middle);
  block_sort(times->quotients, n);
  double spread = MEDIAN_INTERVAL * median(times->quotients, n) / sqrt((double)n);
  double steps = 1.96 * STEP_DEVIATION * times->step / sqrt((double)count) / times->extra;
  double half = spread + steps + CALIBRATION_SHARE * fabs(value.cycles);
  double fixed =
      fmax(PAIRS_CYCLES / times->extra, pairs_error(pairs, pair_count, times->extra) - spread);
  value.low = fmin(value.cycles - half, middle - steps);
  value.high = fmax(value.cycles + half, middle + steps);
  value.random_error = (value.high - value.low) / 2;
  value.low -= fixed;
  value.high += fixed;
  if (n == 1)
    uncertain(&value);
  value.low = fmin(fmax(value.low, 0), value.cycles);
  return value;
}

bool block_place_select(struct block_place_times *times) {
  size_t right = 0;
  for (size_t i = 0; i < times->rounds; i++)
    right += times->starts[i] >= START_LEAST && times->starts[i] <= START_MOST;
  if (right * RIGHT_PART < times->rounds)
    return false;
  size_t to = 0;
  for (size_t i = 0; i < times->rounds; i++)
    if (times->starts[i] >= START_LEAST && times->starts[i] <= START_MOST) {
      times->quotients[to] = times->quotients[i];
      times->starts[to] = times->starts[i];
      times->offsets[to++] = times->offsets[i];
    }
  times->rounds = to;
  return true;
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/// Standard error of the mean of the middle half, by what rounds of the same offset differ: what
/// offsets differ by is no chance. Values beyond the quartiles count as those.
static double middle_error(const struct block_place_times *times, double low, double high) {
  double squares = 0, freedom = 0, n = (double)times->rounds;
  for (unsigned offset = 0; offset < BLOCK_OFFSETS; offset++) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < times->rounds; i++)
      if (times->offsets[i] == offset) {
        sum += clamp(times->quotients[i], low, high);
        count++;
      }
    for (size_t i = 0; i < times->rounds; i++)
      if (times->offsets[i] == offset) {
        double off = clamp(times->quotients[i], low, high) - sum / count;
        squares += off * off;
      }
    freedom += count > 0 ? count - 1 : 0;
  }
  return freedom > 0 ? 2 * sqrt(squares / freedom / n) : high - low;
}

/// The same by what stretches of rounds differ, each with all offsets: a speed may stay for some
/// of them.
static double stretches_error(const struct block_place_times *times, double low, double high) {
  size_t count = times->rounds / BLOCK_OFFSETS;
  double sum = 0, squares = 0;
  if (count < 2)
    return 0;
  for (size_t k = 0; k < count; k++) {
    size_t from = k * times->rounds / count, to = (k + 1) * times->rounds / count;
    double mine = 0;
    for (size_t i = from; i < to; i++)
      mine += clamp(times->quotients[i], low, high) / (double)(to - from);
    sum += mine;
    squares += mine * mine;
  }
  double variance = fmax(0, squares - sum * sum / (double)count) / (double)(count - 1);
  return 2 * sqrt(variance / (double)count);
}

/// Widens the interval by what one of the two runs may have paid alone, in the middle round.
static void doubt_starts(const struct block_place_times *times, struct block_value *value) {
  size_t n = times->rounds;
  for (size_t i = 0; i < n; i++)
    times->sorted[i] = times->starts[i];
  block_sort(times->sorted, n);
  double start = median(times->sorted, n);
  value->low -= fmax(0, START_USUAL_LEAST - start) / 2 / times->extra;
  value->high += fmax(0, start - START_USUAL_MOST) / 2 / times->extra;
}

struct block_value block_estimate_places(const struct block_place_times *times) {
  struct block_value value = {NAN, NAN, NAN, NAN, false};
  size_t n = times->rounds, cut = n / 4;
  double *sorted = times->sorted;
  if (!n)
    return value;
  for (size_t i = 0; i < n; i++)
    sorted[i] = times->quotients[i];
  block_sort(sorted, n);
  value.cycles = mean(sorted + cut, n - 2 * cut);
  double steps = 1.96 * STEP_DEVIATION * times->step / sqrt((double)n) / times->extra;
  double low = sorted[cut], high = sorted[n - 1 - cut];
  double error = fmax(middle_error(times, low, high), stretches_error(times, low, high));
  value.random_error = LOOKS_DEVIATIONS * error + steps + CALIBRATION_SHARE * fabs(value.cycles);
  value.low = value.cycles - value.random_error - PAIRS_CYCLES / times->extra;
  value.high = value.cycles + value.random_error + PAIRS_CYCLES / times->extra;
  doubt_starts(times, &value);
  if (n == 1)
    uncertain(&value);
  value.low = fmin(fmax(value.low, 0), value.cycles);
  return value;
}

double block_value_error(const struct block_value *value) {
  if (!(value->cycles > 0))
    return INFINITY;
  return (value->high - value->low) / 2 / value->cycles;
}

double block_random_error(const struct block_value *value) {
  return value->cycles > 0 ? value->random_error / value->cycles : INFINITY;
}
