// block_measure.c - cycles that a machine basic block needs in isolation: attempts and their order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_measure.h"

#include "runtime/harness/block/block_code.h"
#include "runtime/harness/block/block_counters.h"
#include "runtime/harness/block/block_registers.h"
#include "runtime/harness/block/block_rounds.h"
#include "runtime/harness/block/block_time.h"
#include "runtime/harness/block/block_trace.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/trace.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <sys/mman.h>

/// Time for all attempts; the alarm that stops a child comes a little later.
#define BLOCK_NS UINT64_C(1400000000)
/// So many processors at most, where a neighbour disturbs.
enum { PROCESSORS_TRIED = 3 };
/// Pages that the first TLB holds on all processors of the last ten years.
enum { PAGES_GOOD = 64 };
/// Loop mode: turns while pages are looked for. Timings take more where nothing speaks against it.
enum { TURNS = 256 };
/// Rows of copies in a loop: bytes of a row, at least, and turns, at most. Rows are short enough
/// for the cache of decoded instructions and long enough that the branch back hardly counts. With
/// 10 turns cores still got faster from turn to turn, with 20 hardly.
enum { ROW_BYTES = 1200, ROW_TURNS = 40 };
/// Bytes of a place besides the copies, at most: the branch back, the time, and the way to the next
/// offset in a cache line.
enum { PLACE_ROOM = 160 };

struct harness_settings harness_settings_default(void) {
  return (struct harness_settings){.values = HARNESS_CONSTANT,
                                   .loop_register = -1,
                                   .map_pages = true,
                                   .adapt_copies = true,
                                   .frames = HARNESS_FRAMES_MOST,
                                   .attempts = 8,
                                   .rounds_want = 40,
                                   .rounds_most = HARNESS_ROUNDS_MOST,
                                   .cpu = -1};
}

struct harness_blocks *harness_blocks_open(int *error) {
  struct harness_blocks *blocks = rrt_sys_map(sizeof(*blocks));
  *error = ENOMEM;
  if (!blocks)
    return NULL;
  blocks->samples = rrt_sys_map(block_samples_bytes());
  blocks->fd = rrt_sys_memory_file("reticle-block", BLOCK_SHARED_BYTES);
  long at = blocks->fd < 0
                ? blocks->fd
                : rrt_sys_map_shared(0, BLOCK_SHARED_BYTES, PROT_READ | PROT_WRITE, blocks->fd, 0);
  if (at < 0 || !blocks->samples) {
    *error = at < 0 ? (int)-at : ENOMEM;
    harness_blocks_close(blocks);
    return NULL;
  }
  blocks->shared = (uint8_t *)at;
  blocks->image.code = blocks->shared + BLOCK_CODE_OFFSET;
  blocks->control = (struct block_control *)(blocks->shared + BLOCK_CONTROL_OFFSET);
  blocks->frames = blocks->shared + BLOCK_FRAMES_OFFSET;
  *error = 0;
  return blocks;
}

void harness_blocks_close(struct harness_blocks *blocks) {
  if (!blocks)
    return;
  block_child_end(blocks);
  if (blocks->shared)
    rrt_sys_unmap(blocks->shared, BLOCK_SHARED_BYTES);
  if (blocks->fd >= 0)
    rrt_sys_close(blocks->fd);
  if (blocks->samples)
    rrt_sys_unmap(blocks->samples, block_samples_bytes());
  rrt_sys_unmap(blocks, sizeof(*blocks));
}

static void clear(struct harness_result *result) {
  rrt_zero(result, offsetof(struct harness_result, page_list));
  result->cycles = result->low = result->high = NAN;
  result->fastest = result->slowest = NAN;
  result->accepted = result->ticks_per_cycle = result->canary = NAN;
  result->l1d_misses = result->l1i_misses = NAN;
  result->fault_offset = UINT32_MAX;
}

static size_t copies_by_size(const struct harness_block *block) {
  if (!block->instructions)
    return BLOCK_UNKNOWN_BYTES / block->bytes;
  size_t by_bytes = BLOCK_UNROLLED_BYTES / block->bytes;
  size_t by_instructions = BLOCK_UNROLLED_INSTRUCTIONS / block->instructions;
  return by_bytes < by_instructions ? by_bytes : by_instructions;
}

/// How many copies in a row should be a loop's body; 0: none, all copies stand in a row.
static size_t row_copies(const struct harness_settings *settings,
                         const struct harness_block *block) {
  if (settings->loop)
    return 1;
  return settings->copies || settings->decode ? 0 : (ROW_BYTES + block->bytes - 1) / block->bytes;
}

static size_t most_copies(const struct harness_settings *settings,
                          const struct harness_block *block, size_t row) {
  size_t bytes = block->bytes;
  if (settings->loop)
    return settings->copies ? settings->copies : TURNS;
  if (row)
    return row * ROW_TURNS;
  size_t copies = settings->copies ? settings->copies : copies_by_size(block);
  size_t fit = (BLOCK_CODE_BYTES / 2) / bytes;
  copies = copies > fit ? fit : copies;
  return copies < BLOCK_COPIES_LEAST ? BLOCK_COPIES_LEAST : copies;
}

/// In how many places a row of copies is tried: as many in each offset in a cache line.
static size_t place_count(const struct block_run *run) {
  if (!run->row || run->settings->loop || run->block->is_relative)
    return 1;
  size_t fit = BLOCK_PLACES_BYTES / (run->row * run->block->bytes + PLACE_ROOM);
  fit = fit < BLOCK_PLACES_MOST ? fit / BLOCK_OFFSETS * BLOCK_OFFSETS : BLOCK_PLACES_MOST;
  return fit < BLOCK_OFFSETS ? BLOCK_OFFSETS : fit;
}

/// Writes code and control for this many copies.
static void prepare(struct block_run *run) {
  struct harness_blocks *blocks = run->blocks;
  const struct block_plan plan = {.code = run->block->code,
                                  .bytes = run->block->bytes,
                                  .copies = run->row ? run->row : run->copies,
                                  .loop = run->row > 0,
                                  .places = place_count(run),
                                  .loop_register = run->settings->loop_register,
                                  .address = run->block->address,
                                  .has_upper_halves = run->state->has_upper_halves};
  rrt_zero(blocks->control, sizeof(*blocks->control));
  run->filled = run->copied = 0;
  block_arch_emit(&plan, &blocks->image);
  block_arch_load(run->state, blocks->control);
  blocks->control->fill = run->state->fill;
  for (size_t i = 0; i < BLOCK_SLOTS; i++)
    block_arch_set_slot(&blocks->image, blocks->control, i, 0, run->copies);
  blocks->control->count = 1;
}

static void note_failure(const struct block_run *run, const struct block_stop *stop) {
  struct harness_result *result = run->result;
  result->status = stop->status;
  result->detail = stop->detail;
  result->fault_address = stop->address;
  result->fault_offset = block_offset(&run->blocks->image, run->block->bytes, stop->where);
}

/// One set of initial values, one number of copies.
static void run_once(struct block_run *run, struct block_stop *stop) {
  struct harness_blocks *blocks = run->blocks;
  uint64_t now = rrt_sys_monotonic_raw_ns();
  double seconds = now < run->deadline_ns ? (double)(run->deadline_ns - now) * 1e-9 : 0.001;
  unsigned attempt = run->result->attempt;
  clear(run->result);
  run->result->attempt = attempt;
  prepare(run);
  block_frames_fill(run);
  if (!block_child_start(blocks, run->cpu, seconds, stop, &run->result->error)) {
    note_failure(run, stop);
    return;
  }
  block_pages_run(run, stop);
  if (stop->kind == BLOCK_STOP_DONE)
    block_time(run, stop);
  if (stop->kind == BLOCK_STOP_DONE && harness_status_has_value(run->result->status))
    block_counters_check(run, stop);
  if (stop->kind != BLOCK_STOP_DONE)
    note_failure(run, stop);
  else if (run->settings->step && !run->is_traced) {
    block_trace(run);
    run->is_traced = true;
  }
  block_child_end(blocks);
}

/// Whether other initial values, or fewer executions, might help.
static bool depends_on_values(enum harness_status status) {
  return status == HARNESS_BAD_ADDRESS || status == HARNESS_PROTECTION ||
         status == HARNESS_DIVIDE || status == HARNESS_BUS || status == HARNESS_TOO_MANY_PAGES;
}

/// Takes fewer executions of the block after it failed; false if that can't help. Pointers that
/// grow with each copy are good for some: what ran until the fault runs again.
static bool shorten(struct block_run *run, const struct block_stop *stop) {
  const struct block_image *image = &run->blocks->image;
  size_t least = BLOCK_COPIES_LEAST, now = run->copies;
  bool too_many = run->result->status == HARNESS_TOO_MANY_PAGES;
  bool is_row = run->row && !run->settings->loop; // copies without a loop come next
  if (is_row || !run->settings->adapt_copies || !depends_on_values(run->result->status))
    return false;
  run->may_lengthen = false;
  if (now > least && too_many)
    run->copies = now / 4 > least ? now / 4 : least;
  else if (too_many && run->pages_most < HARNESS_PAGES_MOST)
    run->pages_most = HARNESS_PAGES_MOST;
  else if (run->settings->loop && now > least)
    run->copies = now / 4 > least ? now / 4 : least;
  else if (!run->settings->loop && run->result->fault_offset != UINT32_MAX)
    run->copies = (stop->where - BLOCK_CODE_AT - image->body) / image->copy_bytes;
  else
    return false;
  return run->copies < now ? run->copies >= least : too_many;
}

/// One set of initial values, with copies in a loop or not.
static void try_row(struct block_run *run, size_t row) {
  struct block_stop stop;
  run->row = row;
  run->copies = most_copies(run->settings, run->block, row);
  run->pages_most = PAGES_GOOD;
  run->may_lengthen = run->settings->loop && !run->settings->copies;
  do
    run_once(run, &stop);
  while (shorten(run, &stop) && rrt_sys_monotonic_raw_ns() < run->deadline_ns);
}

/// One set of initial values. Where pointers grow until they are good no more, or touch too many
/// pages, fewer executions without a loop help.
static void try_values(struct block_run *run) {
  size_t row = row_copies(run->settings, run->block);
  try_row(run, row);
  if (row && !run->settings->loop && run->settings->adapt_copies &&
      depends_on_values(run->result->status) && rrt_sys_monotonic_raw_ns() < run->deadline_ns)
    try_row(run, 0);
}

static bool is_refused(const struct harness_block *block, struct harness_result *result) {
  if (!block_arch_supported()) {
    result->status = HARNESS_NOT_PERMITTED;
    result->detail = "blocks are measured on x86-64 only";
  } else if (!block->bytes) {
    result->status = HARNESS_ILLEGAL;
    result->detail = "the block is empty";
  } else if (block->bytes > HARNESS_BLOCK_MOST_BYTES) {
    result->status = HARNESS_TOO_LARGE;
    result->detail = "more than 4096 bytes";
  } else {
    return false;
  }
  return true;
}

static void try_all_values(struct block_run *run, struct harness_state *state) {
  struct harness_result *result = run->result, first = *result;
  for (unsigned attempt = 0; attempt < run->settings->attempts; attempt++) {
    if (!harness_state_choose(run->settings->values, attempt, run->block->state, state))
      break;
    result->attempt = attempt;
    try_values(run);
    if (attempt == 0)
      first = *result;
    if (!depends_on_values(result->status) || rrt_sys_monotonic_raw_ns() > run->deadline_ns)
      return;
  }
  *result = first; // no values helped: what the ones asked for met is what counts
}

/// Hyperthreads that another process, or another guest of the host, keeps busy, often have idle
/// ones beside them. The better result stays, and the next block begins where that was taken.
static void try_processors(struct block_run *run, struct harness_state *state) {
  struct harness_blocks *blocks = run->blocks;
  struct harness_result *result = run->result;
  int first = blocks->has_cpu ? blocks->cpu : (int)rrt_sys_current_cpu(), cpu = first;
  struct rrt_processors all;
  rrt_sys_get_processors(&all);
  for (unsigned i = 0; i < PROCESSORS_TRIED; i++) {
    struct harness_result before = *result;
    int next = rrt_sys_next_processor(&all, cpu);
    run->cpu = cpu;
    run->may_move = next != first && i + 1 < PROCESSORS_TRIED;
    clear(result);
    rrt_sys_stay_on(cpu); // parent and child take turns: on two processors each turn is a wait
    try_all_values(run, state);
    bool is_better = i == 0 || result->accepted > before.accepted;
    if (is_better)
      blocks->cpu = cpu;
    else
      *result = before;
    bool is_disturbed = result->status == HARNESS_NOISY && result->accepted < BLOCK_DISTURBED_SHARE;
    if (!is_disturbed || !run->may_move || rrt_sys_monotonic_raw_ns() > run->deadline_ns)
      break;
    cpu = next;
  }
  blocks->has_cpu = true;
  rrt_sys_set_processors(&all);
}

void harness_block_measure(struct harness_blocks *blocks, const struct harness_block *block,
                           const struct harness_settings *settings, struct harness_result *result) {
  clear(result);
  if (is_refused(block, result))
    return;
  struct harness_state state;
  struct block_run run = {.blocks = blocks,
                          .block = block,
                          .settings = settings,
                          .state = &state,
                          .result = result,
                          .deadline_ns = rrt_sys_monotonic_raw_ns() + BLOCK_NS};
  if (settings->cpu >= 0) {
    run.cpu = settings->cpu;
    try_all_values(&run, &state);
  } else {
    try_processors(&run, &state);
  }
}
