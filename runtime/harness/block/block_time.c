// block_time.c - timing a block whose pages are mapped: what runs, and for how long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A round:  canary short, long | block long, short | adds short, long | canary long, short
//
// The block's long run comes first: some cores get faster at code for thousands of cycles, and the
// run that came second gained by what the first one had taught. Behind the short one it was too
// fast, and the difference below what the core can do. Each is timed BLOCK_REPEATS times, the first
// ones for warming up. Adds tell what a tick is worth in cycles. The canary is two chains of adds
// and four nops: one cycle on a core that issues six instructions, and more beside a busy
// hyperthread, whatever of the core that one uses. Four chains of adds, the obvious choice,
// take 1.16 cycles on Intel's Golden Cove even alone, as they share five ports unevenly. Rounds
// with a slow canary are dropped; the others are pooled.
#define _GNU_SOURCE // RUSAGE_THREAD
#include "runtime/harness/block/block_time.h"

#include "runtime/harness/block/block_code.h"
#include "runtime/harness/block/block_rounds.h"
#include "runtime/probe/clock/step.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <math.h>
#include <stddef.h>
#include <sys/resource.h>

enum {
  PROBES = 6, ///< first timings, to choose the number of executions
  PAGE_RETRIES = 8,
  STEP_READS = 100,
  LOW_LEAST = 2, ///< executions of the shorter run
};

/// Rounds go on until the interval is within this, or the time is up.
#define ERROR_GOOD 0.01
/// A value with a wider interval, or with fewer accepted rounds, is called noisy.
#define ERROR_CLEAN 0.02
#define ACCEPTED_CLEAN 0.5
/// After so many rounds those end in which nothing is right, and those whose interval will hardly
/// become narrow enough: it narrows by the square root of the rounds, or so much faster.
#define HOPELESS_ROUNDS 48
/// After so many rounds, of which fewer than BLOCK_DISTURBED_SHARE were accepted, the neighbour
/// won't leave; the second where another processor can be tried.
#define DISTURBED_ROUNDS 64
#define MOVING_ROUNDS 16
#define HOPEFUL 1.25
/// Cycles by which the long run should exceed the short one: 1 % of it is more than timings differ.
#define EXTRA_CYCLES 2000.0
/// Cycles that one run may take, where the block leaves a choice.
#define RUN_CYCLES 60000.0
/// Bytes of code by which the pairs of runs begin apart, at least: no multiple of a cache line, so
/// that short blocks begin in different places of one.
#define SHIFT_BYTES 80
/// The pairs' shifts take this part of what the long run has more, at most.
#define SHIFT_PART 4
/// Copies before the steady state: as many instructions as are in flight at most, and where they
/// were not counted, their bytes.
#define STEADY_INSTRUCTIONS 512
#define STEADY_BYTES 2560
/// Time for the rounds of one block.
#define ROUNDS_NS UINT64_C(60000000)

struct timing {
  struct block_run *run;
  struct block_rounds rounds;
  size_t low, high; ///< executions in the two runs of the first pair, low < high
  size_t shift;     ///< each pair has so many less than the one before
  unsigned pairs;   ///< how many
};

static void set_slot(struct timing *t, size_t slot, size_t place, size_t executions) {
  block_arch_set_slot(&t->run->blocks->image, t->run->blocks->control, slot, place, executions);
}

static void set_slots(struct timing *t) {
  const struct block_image *image = &t->run->blocks->image;
  struct block_control *control = t->run->blocks->control;
  uint64_t short_canary = block_arch_canary_entry(image, BLOCK_CANARY_SHORT);
  uint64_t long_canary = block_arch_canary_entry(image, BLOCK_CANARY_LONG);
  uint64_t short_chain = block_arch_chain_entry(image, BLOCK_CHAIN_SHORT);
  uint64_t long_chain = block_arch_chain_entry(image, BLOCK_CHAIN_LONG);
  block_arch_set_entry(image, control, BLOCK_SLOT_CANARY_SHORT, short_canary);
  block_arch_set_entry(image, control, BLOCK_SLOT_CANARY_LONG, long_canary);
  block_arch_set_entry(image, control, BLOCK_SLOT_CANARY_SHORT_AFTER, short_canary);
  block_arch_set_entry(image, control, BLOCK_SLOT_CANARY_LONG_AFTER, long_canary);
  block_arch_set_entry(image, control, BLOCK_SLOT_CHAIN_SHORT, short_chain);
  block_arch_set_entry(image, control, BLOCK_SLOT_CHAIN_LONG, long_chain);
}

static void set_pair(struct timing *t, unsigned pair) {
  size_t place = pair % t->run->blocks->image.places;
  set_slot(t, BLOCK_SLOT_LOW, place, t->low - pair * t->shift);
  set_slot(t, BLOCK_SLOT_HIGH, place, t->high - pair * t->shift);
}

/// Runs so many timings. Values that are read may differ from run to run (RDTSC, RDRAND), and with
/// them the pages: these are mapped, and the timings start over.
static bool run_batch(struct timing *t, size_t timings, unsigned shift, struct block_stop *stop) {
  struct block_run *run = t->run;
  struct block_control *control = run->blocks->control;
  for (int again = 0; again < PAGE_RETRIES; again++) {
    unsigned faults = run->result->faults;
    control->index = 0;
    control->count = timings;
    control->slot_shift = shift;
    block_pages_run(run, stop);
    if (stop->kind != BLOCK_STOP_DONE)
      return false;
    if (run->result->faults == faults)
      return true;
  }
  return true;
}

/// The shorter run is as short as the steady state allows: what the longer one has more is what
/// counts. Where that takes few executions its entry lies like that of the longer one in a cache
/// line: the first fetch of a run depends on it, by some cycles.
static size_t choose_low(const struct timing *t) {
  size_t bytes = t->run->block->bytes, half = t->high / 2, quarter = t->high / 4;
  size_t row = t->run->row;
  if (row)
    return half < row ? row : half / row * row;
  size_t step = BLOCK_LINE_BYTES / (size_t)rrt_common_divisor(bytes, BLOCK_LINE_BYTES);
  size_t low = (STEADY_BYTES + bytes - 1) / bytes, instructions = t->run->block->instructions;
  if (instructions && low > STEADY_INSTRUCTIONS / instructions)
    low = STEADY_INSTRUCTIONS / instructions;
  low = low < quarter ? quarter : low > half ? half : low;
  low = low < LOW_LEAST ? LOW_LEAST : low;
  size_t extra = t->high - low, aligned = extra / step * step;
  return aligned >= extra - extra / 8 ? t->high - aligned : low;
}

/// How many executions the two runs should have, from the time that a run takes.
static void choose_executions(struct timing *t, double run_cycles) {
  const struct block_run *run = t->run;
  // A loop that was not shortened may take more turns than its pages were looked for with.
  size_t most = run->may_lengthen ? SIZE_MAX : run->copies;
  size_t row = run->row ? run->row : 1, least = BLOCK_COPIES_LEAST * row;
  double each = fmax(run_cycles / (double)t->high, 0.01);
  double want = fmax(2 * EXTRA_CYCLES / each, 2 * STEADY_BYTES / (double)run->block->bytes);
  want = fmin(want, RUN_CYCLES / each);
  t->high = want < (double)least ? least : (size_t)want / row * row;
  t->high = t->high > most ? most : t->high;
  t->low = choose_low(t);
  if (run->row) { // the pairs are the same runs in other places
    t->pairs = (unsigned)run->blocks->image.places;
    return;
  }
  size_t shift = (SHIFT_BYTES + run->block->bytes - 1) / run->block->bytes;
  size_t fit = (t->high - t->low) / SHIFT_PART / shift;
  t->pairs = fit < BLOCK_PAIRS ? 1 + (unsigned)fit : BLOCK_PAIRS;
  t->shift = shift;
  t->low += (t->pairs - 1) * shift;
}

static bool probe(struct timing *t, struct block_stop *stop) {
  const struct block_control *control = t->run->blocks->control;
  for (size_t i = 0; i < BLOCK_SLOTS; i++)
    set_slot(t, i, 0, t->high);
  if (!run_batch(t, PROBES, 0, stop))
    return false;
  uint64_t least = UINT64_MAX;
  for (size_t i = PROBES / 2; i < PROBES; i++)
    least = control->times[i] < least ? control->times[i] : least;
  // A tick is about a cycle; that is near enough here.
  if (!t->run->settings->copies)
    choose_executions(t, (double)least);
  return true;
}

/// Involuntary and voluntary context switches between the two readings.
static uint64_t switches(const struct block_control *control) {
  struct rusage usage[2];
  for (size_t i = 0; i < 2; i++)
    rrt_copy(&usage[i], control->usage[i], sizeof(usage[i]));
  // The stop that ends a batch is a voluntary one.
  return (uint64_t)(usage[1].ru_nivcsw - usage[0].ru_nivcsw);
}

static bool read_usage(struct block_run *run, size_t which, struct block_stop *stop) {
  struct block_control *control = run->blocks->control;
  uint64_t to =
      BLOCK_CONTROL_AT + offsetof(struct block_control, usage) + which * sizeof(control->usage[0]);
  control->calls[0] = (struct block_call){SYS_getrusage, {(uint64_t)RUSAGE_THREAD, to}, 0};
  return block_child_calls(run->blocks, 1, stop);
}

static bool is_enough(const struct timing *t, uint64_t start_ns) {
  const struct harness_settings *settings = t->run->settings;
  const struct block_rounds *rounds = &t->rounds;
  uint64_t now = rrt_sys_monotonic_raw_ns();
  if (rounds->rounds + BLOCK_ROUNDS > settings->rounds_most ||
      rounds->kept + BLOCK_ROUNDS > BLOCK_ROUNDS_MOST || now >= t->run->deadline_ns ||
      now - start_ns > ROUNDS_NS)
    return true;
  size_t disturbed = t->run->may_move ? MOVING_ROUNDS : DISTURBED_ROUNDS;
  if (rounds->rounds >= disturbed &&
      (double)rounds->accepted < BLOCK_DISTURBED_SHARE * (double)rounds->rounds)
    return true;
  // Each offset, or pair of runs, has as many rounds.
  if (rounds->accepted < settings->rounds_want || rounds->rounds % BLOCK_OFFSETS)
    return false;
  struct block_value value = block_rounds_value(rounds);
  if (value.is_doubtful && rounds->accepted < HOPELESS_ROUNDS)
    return false;
  double error = block_random_error(&value);
  // What all rounds would leave of it, at best.
  double left = error * sqrt((double)rounds->rounds / settings->rounds_most) / HOPEFUL;
  return error <= ERROR_GOOD || (rounds->accepted >= HOPELESS_ROUNDS && left > ERROR_CLEAN);
}

static void conclude(const struct timing *t) {
  struct harness_result *result = t->run->result;
  const struct block_rounds *rounds = &t->rounds;
  struct block_value value = block_rounds_value(rounds);
  result->cycles = value.cycles;
  result->low = value.low;
  result->high = value.high;
  block_rounds_places(rounds, &result->fastest, &result->slowest);
  result->rounds = (unsigned)rounds->rounds;
  result->accepted = (double)rounds->accepted / (double)rounds->rounds;
  if (rounds->batches) {
    result->ticks_per_cycle = rounds->ticks_per_cycle_sum / (double)rounds->batches;
    result->canary = rounds->canary_sum / (double)(rounds->batches * BLOCK_ROUNDS);
  }
  result->status = HARNESS_NOISY;
  if (value.cycles <= 0) {
    result->cycles = result->low = result->high = NAN;
    result->detail = "the longer run took no longer than the shorter one";
  } else if (isnan(value.cycles))
    result->detail = "the timer and the core's clock don't go together";
  else if (rounds->accepted < BLOCK_ACCEPTED_LEAST || result->accepted < ACCEPTED_CLEAN)
    result->detail = "other work on this core slowed the canary in most rounds";
  else if (!(block_value_error(&value) <= ERROR_CLEAN))
    result->detail = "rounds differ";
  else
    result->status = HARNESS_OK;
}

void block_time(struct block_run *run, struct block_stop *stop) {
  struct timing t = {.run = run, .pairs = 1};
  struct harness_result *result = run->result;
  const struct block_image *image = &run->blocks->image;
  uint64_t start_ns = rrt_sys_monotonic_raw_ns();
  t.rounds.samples = run->blocks->samples;
  t.rounds.step_ticks = (double)rrt_timer_step_ticks(STEP_READS);
  t.high = run->copies;
  t.low = choose_low(&t);
  if (!probe(&t, stop))
    return;
  result->row = (unsigned)run->row;
  result->unroll_low = (unsigned)t.low;
  result->unroll_high = (unsigned)t.high;
  result->place_low = (unsigned)(block_image_entry(image, 0, t.low) % BLOCK_LINE_BYTES);
  result->place_high = (unsigned)(block_image_entry(image, 0, t.high) % BLOCK_LINE_BYTES);
  t.rounds.extra = (double)(t.high - t.low);
  t.rounds.low = (double)t.low;
  t.rounds.places = image->places;
  set_slots(&t);
  if (!read_usage(run, 0, stop))
    return;
  unsigned shift = (unsigned)__builtin_ctz(BLOCK_REPEATS);
  for (unsigned batch = 0; !batch || !is_enough(&t, start_ns); batch++) {
    unsigned pair = batch % t.pairs;
    set_pair(&t, pair);
    if (!run_batch(&t, BLOCK_TIMES, shift, stop))
      return;
    block_rounds_take(&t.rounds, run->blocks, pair);
  }
  if (!read_usage(run, 1, stop))
    return;
  result->context_switches = switches(run->blocks->control);
  conclude(&t);
}
