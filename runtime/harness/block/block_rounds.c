// block_rounds.c - rounds of timings: canary, acceptance, ticks per cycle, pooling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_rounds.h"

#include "runtime/sys/sys.h"

#include <math.h>

enum { USED = BLOCK_REPEATS - BLOCK_WARM };

/// In harness_blocks.samples.
struct block_samples {
  double low[BLOCK_ROUNDS_MOST * USED], high[BLOCK_ROUNDS_MOST * USED],
      quotients[BLOCK_ROUNDS_MOST];
  double copy_low[BLOCK_ROUNDS_MOST * USED], copy_high[BLOCK_ROUNDS_MOST * USED],
      copy_quotients[BLOCK_ROUNDS_MOST];
  double starts[BLOCK_ROUNDS_MOST], copy_starts[BLOCK_ROUNDS_MOST]; ///< see block_place_times
  unsigned pairs[BLOCK_ROUNDS_MOST]; ///< which pair of runs the round timed
  unsigned copy_pairs[BLOCK_ROUNDS_MOST];
};

size_t block_samples_bytes(void) { return sizeof(struct block_samples); }

/// Timings of a slot in one round, in ticks: those after warming up, some of them several times
/// where fewer count.
static void slot_times(const uint64_t *all, size_t round, size_t slot, double values[USED]) {
  const uint64_t *times = all + (round * BLOCK_SLOTS + slot) * BLOCK_REPEATS;
  size_t from = block_settled(times, BLOCK_REPEATS, BLOCK_WARM);
  for (size_t i = 0; i < USED; i++)
    values[i] = (double)times[from + i % (BLOCK_REPEATS - from)];
}

/// Typical time of a slot in one round, in ticks.
static double slot_ticks(const uint64_t *times, size_t round, size_t slot, double step_ticks) {
  double values[USED];
  slot_times(times, round, slot, values);
  return block_typical(values, USED, step_ticks);
}

/// Ticks per cycle in the rounds of this batch that `use` names; NaN if there is no telling.
static double batch_ticks_per_cycle(const uint64_t *times, const bool *use, double step_ticks) {
  double values[2][BLOCK_ROUNDS * USED], ticks[2];
  for (size_t k = 0; k < 2; k++) {
    size_t n = 0;
    for (size_t round = 0; round < BLOCK_ROUNDS; round++)
      for (size_t i = BLOCK_WARM; i < BLOCK_REPEATS && use[round]; i++)
        values[k][n++] =
            (double)times[(round * BLOCK_SLOTS + BLOCK_SLOT_CHAIN_SHORT + k) * BLOCK_REPEATS + i];
    ticks[k] = n ? block_typical(values[k], n, step_ticks) : NAN;
  }
  double each = (ticks[1] - ticks[0]) / (BLOCK_CHAIN_LONG - BLOCK_CHAIN_SHORT);
  return each > 0.05 && each < 20 ? each : NAN;
}

/// Cycles of a turn of the canary in front of the round's other slots, or behind them.
static double canary_cycles(const struct block_rounds *r, const uint64_t *times, size_t round,
                            bool behind, double ticks) {
  size_t shorter = behind ? BLOCK_SLOT_CANARY_SHORT_AFTER : BLOCK_SLOT_CANARY_SHORT;
  size_t longer = behind ? BLOCK_SLOT_CANARY_LONG_AFTER : BLOCK_SLOT_CANARY_LONG;
  return (slot_ticks(times, round, longer, r->step_ticks) -
          slot_ticks(times, round, shorter, r->step_ticks)) /
         ticks / (BLOCK_CANARY_LONG - BLOCK_CANARY_SHORT);
}

/// Accepted rounds stand in front, so that the others serve only where these are too few.
static void keep_round(struct block_rounds *r, const uint64_t *times, size_t round, unsigned pair,
                       double ticks_per_cycle, bool accepted) {
  struct block_samples *samples = r->samples;
  size_t bytes = USED * sizeof(double), at = r->kept;
  if (r->kept == BLOCK_ROUNDS_MOST)
    return;
  if (accepted) {
    at = r->accepted++;
    rrt_copy(samples->low + r->kept * USED, samples->low + at * USED, bytes);
    rrt_copy(samples->high + r->kept * USED, samples->high + at * USED, bytes);
    samples->quotients[r->kept] = samples->quotients[at];
    samples->starts[r->kept] = samples->starts[at];
    samples->pairs[r->kept] = samples->pairs[at];
  }
  r->kept++;
  double *low = samples->low + at * USED, *high = samples->high + at * USED;
  slot_times(times, round, BLOCK_SLOT_LOW, low);
  slot_times(times, round, BLOCK_SLOT_HIGH, high);
  for (size_t i = 0; i < USED; i++) {
    low[i] /= ticks_per_cycle;
    high[i] /= ticks_per_cycle;
  }
  samples->pairs[at] = pair;
  double short_run = slot_ticks(times, round, BLOCK_SLOT_LOW, r->step_ticks) / ticks_per_cycle;
  double long_run = slot_ticks(times, round, BLOCK_SLOT_HIGH, r->step_ticks) / ticks_per_cycle;
  double adds = slot_ticks(times, round, BLOCK_SLOT_CHAIN_SHORT, r->step_ticks) / ticks_per_cycle;
  double quotient = (long_run - short_run) / r->extra;
  samples->quotients[at] = quotient;
  samples->starts[at] = short_run - r->low * quotient - (adds - BLOCK_CHAIN_SHORT);
}

void block_rounds_take(struct block_rounds *r, struct harness_blocks *blocks, unsigned pair) {
  const uint64_t *times = blocks->control->times;
  bool all[BLOCK_ROUNDS], accepted[BLOCK_ROUNDS], any = false;
  for (size_t round = 0; round < BLOCK_ROUNDS; round++)
    all[round] = true;
  r->rounds += BLOCK_ROUNDS;
  double ticks = batch_ticks_per_cycle(times, all, r->step_ticks);
  if (isnan(ticks))
    return;
  double canaries[BLOCK_ROUNDS][2];
  for (size_t i = 0; i < 2 * (size_t)BLOCK_ROUNDS; i++) {
    double cycles = canary_cycles(r, times, i / 2, i % 2, ticks);
    canaries[i / 2][i % 2] = cycles;
    r->canary_sum += cycles / 2;
    if (cycles > 0.5 && (!blocks->canary_least || cycles < blocks->canary_least))
      blocks->canary_least = cycles;
  }
  double expected = block_canary_expected(blocks->canary_least);
  for (size_t round = 0; round < BLOCK_ROUNDS; round++) {
    accepted[round] = fabs(canaries[round][0] - expected) <= BLOCK_CANARY_TOLERANCE * expected &&
                      fabs(canaries[round][1] - expected) <= BLOCK_CANARY_TOLERANCE * expected;
    any |= accepted[round];
  }
  // What disturbs a canary may have slowed the chain as well.
  double clean = any ? batch_ticks_per_cycle(times, accepted, r->step_ticks) : ticks;
  if (isnan(clean))
    clean = ticks;
  r->batches++;
  r->ticks_per_cycle_sum += clean;
  for (size_t round = 0; round < BLOCK_ROUNDS; round++)
    keep_round(r, times, round, pair, clean, accepted[round]);
}

/// The rounds that make up the value: the first so many.
static size_t rounds_used(const struct block_rounds *r) {
  return r->accepted >= BLOCK_ACCEPTED_LEAST ? r->accepted : r->kept;
}

/// Of the timer, in cycles.
static double step_cycles(const struct block_rounds *r) {
  return r->batches ? r->step_ticks * (double)r->batches / r->ticks_per_cycle_sum : r->step_ticks;
}

/// The rounds that count of runs in several places, in the copies.
static struct block_place_times place_times(const struct block_rounds *r, bool *is_right) {
  struct block_samples *s = r->samples;
  struct block_place_times times = {.quotients = s->copy_quotients,
                                    .starts = s->copy_starts,
                                    .offsets = s->copy_pairs,
                                    .sorted = s->copy_low,
                                    .rounds = rounds_used(r),
                                    .extra = r->extra,
                                    .step = step_cycles(r)};
  rrt_copy(times.quotients, s->quotients, times.rounds * sizeof(*times.quotients));
  rrt_copy(times.starts, s->starts, times.rounds * sizeof(*times.starts));
  for (size_t i = 0; i < times.rounds; i++)
    times.offsets[i] = s->pairs[i] % BLOCK_OFFSETS;
  *is_right = block_place_select(&times);
  return times;
}

void block_rounds_places(const struct block_rounds *r, double *fastest, double *slowest) {
  bool is_right;
  *fastest = *slowest = NAN;
  if (r->places < 2)
    return;
  const struct block_place_times times = place_times(r, &is_right);
  for (size_t offset = 0; offset < BLOCK_OFFSETS; offset++) {
    size_t n = 0;
    for (size_t round = 0; round < times.rounds; round++)
      if (times.offsets[round] == offset)
        times.sorted[n++] = times.quotients[round];
    if (!n)
      continue;
    block_sort(times.sorted, n);
    *fastest = fmin(*fastest, times.sorted[n / 2]); // fmin and fmax ignore NaN
    *slowest = fmax(*slowest, times.sorted[n / 2]);
  }
}

struct block_value block_rounds_value(const struct block_rounds *r) {
  struct block_samples *s = r->samples;
  size_t rounds = rounds_used(r);
  if (r->places > 1) {
    bool is_right;
    const struct block_place_times in_places = place_times(r, &is_right);
    struct block_value value = block_estimate_places(&in_places);
    value.is_doubtful = !is_right;
    return value;
  }
  struct block_times times = {
      .quotients = s->copy_quotients, .rounds = rounds, .extra = r->extra, .step = step_cycles(r)};
  rrt_copy(s->copy_quotients, s->quotients, rounds * sizeof(double));
  size_t at = 0;
  for (unsigned pair = 0; pair < BLOCK_PAIRS; pair++) {
    struct block_pair *to = &times.pairs[pair];
    *to = (struct block_pair){s->copy_low + at, s->copy_high + at, 0};
    for (size_t round = 0; round < rounds; round++) {
      if (s->pairs[round] != pair)
        continue;
      rrt_copy(s->copy_low + at, s->low + round * USED, USED * sizeof(double));
      rrt_copy(s->copy_high + at, s->high + round * USED, USED * sizeof(double));
      at += USED;
      to->count += USED;
    }
  }
  return block_estimate(&times);
}
