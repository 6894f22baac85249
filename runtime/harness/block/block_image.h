// block_image.h - what parent and child of the block harness share: code, control, frames.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file in memory, in three parts. The parent maps all of it where there is room; the child maps
// the parts apart, and frames wherever the block touches memory:
//
//   BLOCK_CODE_AT       code, readable and executable in the child
//   BLOCK_CONTROL_AT    struct block_control
//   touched pages       the frames, one after the other; with more pages than frames they are
//   shared
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_IMAGE_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_IMAGE_H

#include "runtime/harness/block/block_estimate.h"
#include "runtime/harness/block/block_measure.h"

enum {
  BLOCK_LINE_BYTES = 64,
  BLOCK_PAGE_BYTES = HARNESS_PAGE_BYTES,
  BLOCK_CODE_BYTES = 128 << 10,
  BLOCK_CONTROL_BYTES = 128 << 10,
  BLOCK_FRAMES_BYTES = HARNESS_FRAMES_MOST * BLOCK_PAGE_BYTES,
  BLOCK_CODE_OFFSET = 0,
  BLOCK_CONTROL_OFFSET = BLOCK_CODE_BYTES,
  BLOCK_FRAMES_OFFSET = BLOCK_CONTROL_OFFSET + BLOCK_CONTROL_BYTES,
  BLOCK_SHARED_BYTES = BLOCK_FRAMES_OFFSET + BLOCK_FRAMES_BYTES,

  BLOCK_CALLS_MOST = 8,
  BLOCK_SLOTS = 8,   ///< variants timed in one round, one after the other
  BLOCK_REPEATS = 8, ///< timings of a slot in a row
  BLOCK_ROUNDS = 1,  ///< in a batch: what the child runs without its parent
  BLOCK_WARM = 2,    ///< first timings of a slot, not used
  BLOCK_TIMES = BLOCK_SLOTS * BLOCK_REPEATS * BLOCK_ROUNDS,

  // Runs of known length, in executions. A short and a long one of each: the difference counts.
  BLOCK_CHAIN_SHORT = 256,
  BLOCK_CHAIN_LONG = 2304, ///< dependent adds, a cycle each
  BLOCK_CANARY_SHORT = 64,
  BLOCK_CANARY_LONG = 320, ///< turns of six instructions: what a busy neighbour slows down

  // Copies without a loop.
  BLOCK_UNROLLED_BYTES = 12288,       ///< of all together
  BLOCK_UNROLLED_INSTRUCTIONS = 3000, ///< the same
  BLOCK_UNKNOWN_BYTES = 8192,         ///< of all copies, where instructions were not counted
  BLOCK_COPIES_LEAST = 4,

  // A row of copies in a loop, in several places.
  BLOCK_PLACES_MOST = 32,        ///< as many in each of BLOCK_OFFSETS
  BLOCK_PLACES_BYTES = 64 << 10, ///< of all together
};

/// What is timed in a round, in this order.
enum block_slot_name {
  BLOCK_SLOT_CANARY_SHORT,
  BLOCK_SLOT_CANARY_LONG,
  BLOCK_SLOT_HIGH,
  BLOCK_SLOT_LOW,
  BLOCK_SLOT_CHAIN_SHORT,
  BLOCK_SLOT_CHAIN_LONG,
  BLOCK_SLOT_CANARY_LONG_AFTER,
  BLOCK_SLOT_CANARY_SHORT_AFTER,
};

/// Far from where programs lie, and control within reach of a 32-bit displacement from the code
/// without being near to it: blocks address memory relative to their code.
#define BLOCK_CODE_AT UINT64_C(0x2b0000000000)
#define BLOCK_CONTROL_AT (BLOCK_CODE_AT + UINT64_C(0x70000000))
/// End of a process's address space. Source: Linux Documentation/arch/x86/x86_64/mm.rst.
#define BLOCK_USER_END UINT64_C(0x7ffffffff000)
/// Linux's default for vm.mmap_min_addr: below it only root maps memory.
#define BLOCK_LOW_END UINT64_C(0x10000)

struct block_call {
  uint64_t number, arguments[6];
  int64_t result;
};

/// What a run consists of: the code that leads to where it starts, and its counter in loop mode.
struct block_slot {
  uint64_t gate, loops;
};

/// Shared between parent and child, so hostile code may write to it: the parent believes no number
/// in it that could lead it astray.
struct block_control {
  uint64_t index, count; ///< of timings, done and wanted
  uint64_t start_ticks, end_ticks;
  uint64_t fill, fill_count, copy_count;
  uint64_t flags, fs_base, gs_base;
  uint64_t registers[HARNESS_REGISTERS];
  struct block_slot now;
  uint64_t counter;    ///< loop mode without a register
  uint64_t slot_shift; ///< index >> slot_shift & (BLOCK_SLOTS - 1) is the slot
  struct block_slot slots[BLOCK_SLOTS];
  uint64_t fill_pages[HARNESS_FRAMES_MOST]; ///< get `fill` before each run
  uint64_t copy_pages[HARNESS_FRAMES_MOST]; ///< get what stands in `originals`
  uint64_t call_count;
  struct block_call calls[BLOCK_CALLS_MOST];
  int64_t child_error;   ///< negative errno of a child that could not start
  uint8_t usage[2][256]; ///< struct rusage before and after a batch
  uint64_t stack[64];
  _Alignas(64) uint8_t vectors[8192]; ///< image for xrstor or fxrstor
  _Alignas(64) uint8_t originals[HARNESS_FRAMES_MOST][BLOCK_PAGE_BYTES];
  uint64_t times[BLOCK_TIMES]; ///< in ticks
};
_Static_assert(sizeof(struct block_control) <= BLOCK_CONTROL_BYTES, "control is too large");

/// Places in the code, as offsets from its start.
struct block_image {
  uint8_t *code; ///< [BLOCK_CODE_BYTES], the parent's view
  size_t used;
  size_t call,
      call_end; ///< runs the calls of the control block, then stops; end of the instruction
  size_t ready; ///< a breakpoint: where a child first stops
  size_t start; ///< a batch of timings
  size_t stop;  ///< the breakpoint at its end, address after it
  size_t gates[BLOCK_SLOTS], gate_ends[BLOCK_SLOTS]; ///< what comes last before a slot's run
  size_t chain_end, canary_end;                      ///< ends of these runs' copies
  size_t body, body_end;
  size_t copy_bytes;   ///< of one copy
  size_t row;          ///< copies in a row that are a loop's body; 0: no loop
  size_t places;       ///< so many such loops
  size_t place_bytes;  ///< of one of them
  size_t place_stride; ///< bytes from the start of one to the next
};

/// Where a run of so many executions of the block starts: the body of a place's loop, else the last
/// so many copies, so that a shorter run is a part of the longer one.
static inline uint64_t block_image_entry(const struct block_image *image, size_t place,
                                         size_t executions) {
  return BLOCK_CODE_AT + (image->row ? image->body + place * image->place_stride
                                     : image->body_end - executions * image->copy_bytes);
}

/// Whether the address is in a copy of the block, or in the branch behind a row of them.
/// offset: where in its place
static inline bool block_image_has(const struct block_image *image, uint64_t address,
                                   size_t *offset) {
  *offset = (size_t)(address - BLOCK_CODE_AT - image->body) % image->place_stride;
  return address >= BLOCK_CODE_AT + image->body && address < BLOCK_CODE_AT + image->body_end &&
         *offset < image->place_bytes;
}

/// How many turns of the loop that takes; without a loop the number means nothing.
static inline size_t block_image_turns(const struct block_image *image, size_t executions) {
  return image->row ? executions / image->row : executions;
}

#endif
