// block_state.c - the initial values that blocks are tried with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value serves as a pointer and as a number. As a pointer it is a multiple of 64, as vector
// moves need it. As a number it has no trap, alignment or direction flag (POPF), and it divides
// others of its kind without overflow where that can be had.
#include "runtime/harness/block/block_image.h"

#include "runtime/sys/sys.h"

enum { ATTEMPTS = 8 };

/// 1.0 as double; as two floats 0 and 1.875: neither denormal nor NaN.
#define VECTOR_ELEMENT UINT64_C(0x3ff0000000000000)

struct choice {
  uint64_t pointers;    ///< rbx, rsi, rdi, r8 to r15, segment bases
  uint64_t stack;       ///< rsp and rbp
  uint64_t accumulator; ///< rax: index, factor, lower half of what is divided
  uint64_t count;       ///< rcx: of string instructions and shifts
  uint64_t data;        ///< rdx: upper half of what is divided, so less than any divisor
  uint64_t fill;
};

// The order is that of how many blocks each set makes run that the ones before it don't.
static const struct choice choices[ATTEMPTS] = {
    {0x12345600, 0x12345800, 0x12345600, 0x12345600, 0x12345600, 0x0000001112345600},
    // Short numbers: products and scaled indices of them are addresses still.
    {0x12345600, 0x12345800, 0x100000, 0x100000, 0x100000, 0x0000000000100000},
    // Two short halves: loads of eight bytes from the middle of a word give addresses as well.
    {0x12342080, 0x12342800, 0x101040, 0x101040, 0x101040, 0x0000010100002080},
    // Divisors larger than what is divided.
    {0x12342080, 0x12342800, 0x11141040, 0x12342080, 0x11141040, 0x0000234512342080},
    {0x12342080, 0x12342800, 0x101040, 0x40, 0x101040, 0x0000000012342080},
    {0x100000, 0x12342800, 0x40, 0x40, 0x40, 0x0000000000000040},
    {0x12345600, 0x12345800, 0x12345600, 0x12345600, 0x12345600, 0x0000000012345600},
    {0x7ff012340000, 0x7ff012341000, 0x100000, 0x40, 0x40, 0x0000000000100000},
};

/// HARNESS_SPREAD: each register is so much larger than the one before. Neither a multiple of a
/// page nor so small that two of them share a cache line.
enum { SPREAD_STEP = 0x240 };

static void choose(const struct choice *choice, bool spread, struct harness_state *out) {
  enum { RAX, RCX, RDX, RSP = 4, RBP };
  for (size_t i = 0; i < HARNESS_REGISTERS; i++) {
    uint64_t base = i == RDX               ? choice->data
                    : i == RCX             ? choice->count
                    : i == RAX             ? choice->accumulator
                    : i == RSP || i == RBP ? choice->stack
                                           : choice->pointers;
    out->registers[i] = base + (spread && base == choice->pointers ? i * SPREAD_STEP : 0);
  }
  if (spread)
    out->registers[RBP] += 5 * SPREAD_STEP;
  out->fs_base = out->gs_base = choice->pointers;
  out->fill = choice->fill;
  for (size_t i = 0; i < 16; i++)
    for (size_t half = 0; half < 2; half++) {
      const uint64_t element = VECTOR_ELEMENT;
      rrt_copy(out->vectors[i] + 8 * half, &element, sizeof(element));
    }
}

bool harness_state_choose(enum harness_values values, unsigned attempt,
                          const struct harness_state *given, struct harness_state *out) {
  rrt_zero(out, sizeof(*out));
  if (values == HARNESS_CAPTURED) {
    if (attempt || !given)
      return false;
    rrt_copy(out, given, sizeof(*out));
    return true;
  }
  if (attempt >= ATTEMPTS)
    return false;
  choose(&choices[attempt], values == HARNESS_SPREAD, out);
  return true;
}
