// block_measure.h - the cycles that a machine basic block needs in isolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block runs in a traced child that owns nothing but the block's code and the pages it touches.
// docs/method/blocks.md has the method. Works without a PMU and without root. The calling process
// needs no more than memory, fork and ptrace; neither malloc nor signals of its own are used.
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_MEASURE_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Longest block in bytes; four copies of it stay within the first instruction cache.
#define HARNESS_BLOCK_MOST_BYTES 4096
#define HARNESS_REGISTERS 16
#define HARNESS_FRAMES_MOST 8
/// Rounds of timings at full effort, at most, and the most that can be asked for.
#define HARNESS_ROUNDS_MOST 384
#define HARNESS_ROUNDS_LIMIT 1024
#define HARNESS_PAGES_MOST 256
#define HARNESS_PAGE_BYTES 4096

enum harness_status {
  HARNESS_OK,
  HARNESS_NOISY,       ///< a value whose interval is wide, or taken beside a busy neighbour
  HARNESS_BAD_ADDRESS, ///< touches what can't be mapped: the first 64 KB, the kernel's half, code
  HARNESS_PROTECTION,  ///< general protection: misaligned vector move, privileged instruction, ...
  HARNESS_DIVIDE,      ///< SIGFPE: a division by zero or with too large a quotient
  HARNESS_ILLEGAL,     ///< no instruction of this processor
  HARNESS_BUS,         ///< SIGBUS: non-canonical stack address, alignment check
  HARNESS_SYSTEM_CALL,
  HARNESS_CONTROL_FLOW, ///< jumps, returns or traps
  HARNESS_TOO_MANY_PAGES,
  HARNESS_TOO_LARGE,
  HARNESS_TIMEOUT,
  HARNESS_NOT_PERMITTED, ///< the system refuses ptrace or what else the harness needs
  HARNESS_NOT_REACHED,   ///< no captured values: the program did not come to the block
  HARNESS_STATUS_COUNT,
};

enum harness_values {
  HARNESS_CONSTANT, ///< the same value in every register and every eight bytes of memory
  HARNESS_SPREAD,   ///< another value in each register
  HARNESS_CAPTURED, ///< those in harness_block.state
};

/// What registers and memory hold before each run of the block.
struct harness_state {
  uint64_t
      registers[HARNESS_REGISTERS]; ///< x86-64: in the order of machine code, rax rcx rdx rbx ...
  uint64_t fs_base, gs_base;
  uint64_t flags;          ///< arithmetic flags; others are left out
  uint64_t fill;           ///< each aligned eight bytes of memory
  uint8_t vectors[16][32]; ///< xmm or ymm registers
  bool has_upper_halves;   ///< false: bytes 16 to 31 of the vectors are not loaded but cleared
  /// Writes the page as the program had it, and returns true; false for a page that it did not
  /// have, which gets `fill`. Null: all pages get it.
  ///
  /// page  its address
  bool (*read_page)(uint64_t page, uint8_t bytes[HARNESS_PAGE_BYTES], void *context);
  void *context;
};

struct harness_block {
  const uint8_t *code; ///< [bytes]
  size_t bytes;
  uint64_t
      address; ///< where the code lies in the program: the first copy has its place in a cache line
  const struct harness_state *state; ///< for HARNESS_CAPTURED
  size_t instructions;               ///< 0: not known
  bool is_relative; ///< addresses memory relative to its code: timed in one place, as others would
                    ///< touch pages of their own
};

/// One step of the block: what it is going to execute, and the registers before.
struct harness_step {
  uint64_t address;                      ///< of the instruction
  uint64_t block_offset;                 ///< of the instruction in the block
  uint64_t registers[HARNESS_REGISTERS]; ///< before it
  uint64_t fs_base, gs_base;
};

struct harness_settings {
  enum harness_values values;
  bool loop;         ///< one copy and a branch back, instead of copies in a row
  int loop_register; ///< loop mode: a general register the block leaves alone; negative: count in
                     ///< memory
  bool map_pages;    ///< false: the first fault ends it (for comparisons)
  bool adapt_copies; ///< fewer copies where all would touch too many pages
  unsigned frames;   ///< 1 to HARNESS_FRAMES_MOST physical pages behind all that is touched
  unsigned attempts; ///< sets of initial values to try before giving up; at least 1
  bool decode;       ///< copies in a row, which are decoded in each run, like code that runs now
                     ///< and then; false: in a loop, like hot code, where pages allow
  unsigned copies;   ///< unrolled copies of the longer run; 0: as many as the size allows
  unsigned rounds_want; ///< accepted rounds that are enough
  unsigned rounds_most; ///< rounds at most
  int cpu; ///< the child stays there; negative: where the caller runs, or where a neighbour
           ///< disturbs less. The calling thread goes along and returns to its processors
  /// Called for each instruction of two copies in a row, in order, after the timing; null: not
  /// traced.
  void (*step)(const struct harness_step *step, void *context);
  void *context;
};

/// A page that the block touches.
struct harness_page {
  uint64_t address;
  uint32_t frame;        ///< number of the physical page behind it
  uint32_t block_offset; ///< of the instruction that touched it first
};

struct harness_result {
  enum harness_status status;
  const char *detail;      ///< what exactly, where the status needs it; null otherwise. Not owned
  int error;               ///< errno of what was refused; 0 if nothing was
  double cycles;           ///< per execution of the block; NaN without a value
  double low, high;        ///< 95 % interval, low <= cycles <= high
  double fastest, slowest; ///< median cycles in the best and in the worst of the places where it
                           ///< was tried in a cache line; NaN if it was in one place only
  double accepted; ///< rounds with a canary within bounds, share of all; NaN if none was run
  unsigned rounds;
  unsigned unroll_low, unroll_high; ///< executions of the block in the two runs compared
  unsigned row; ///< so many of these in a row in each turn of a loop; 0: all in a row, no loop
  unsigned place_low, place_high; ///< where in a cache line these begin, 0 to 63
  unsigned pages;                 ///< touched
  unsigned frames;                ///< distinct physical pages behind them
  unsigned faults;
  unsigned attempt; ///< which set of initial values it was: 0 the one asked for, 1... others
  uint64_t context_switches; ///< during the timing
  double ticks_per_cycle;    ///< in this batch; NaN if not measured
  double canary; ///< mean cycles of the canary over all rounds (1 if undisturbed); NaN if none
  double l1d_misses, l1i_misses; ///< of the first caches in a run of unroll_high executions, by the
                                 ///< PMU; NaN if not counted
  int pmu_error; ///< errno of opening or reading those counters; 0 if they were counted, or
                 ///< nothing was timed
  uint64_t fault_address; ///< of the fault that ended it, where status says so
  uint32_t fault_offset;  ///< in the block, of the instruction; UINT32_MAX if outside of it
  struct harness_page page_list[HARNESS_PAGES_MOST]; ///< [pages]
};

/// Shared memory and times; one for any number of blocks, one block at a time.
struct harness_blocks;

/// Null with an errno in *error when the system refuses it.
struct harness_blocks *harness_blocks_open(int *error);
void harness_blocks_close(struct harness_blocks *blocks);

/// Settings at full effort.
struct harness_settings harness_settings_default(void);

/// Measures the block. Ends within about 2 s whatever the block does, leaves no child behind.
///
/// result  filled in any case
void harness_block_measure(struct harness_blocks *blocks, const struct harness_block *block,
                           const struct harness_settings *settings, struct harness_result *result);

/// "ok", "noisy", "bad_address", ...: as results are written.
const char *harness_status_name(enum harness_status status);
/// The same for people, with what it means.
const char *harness_status_text(enum harness_status status);
/// Whether a result of that status has a value.
bool harness_status_has_value(enum harness_status status);

/// The initial values of an attempt. False if there is no such attempt.
///
/// given  for HARNESS_CAPTURED
bool harness_state_choose(enum harness_values values, unsigned attempt,
                          const struct harness_state *given, struct harness_state *out);

#endif
