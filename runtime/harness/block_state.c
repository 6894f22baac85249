// block_state.c - the initial values that blocks are tried with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value serves as a pointer and as a number. As a pointer it is a multiple of 64, as vector
// moves need it. As a number it has no trap, alignment or direction flag (POPF), and it divides
// others of its kind without overflow where that can be had.
#include "runtime/harness/block_image.h"

#include "runtime/sys/sys.h"

enum { ATTEMPTS = 4 };

/// 1.0 as double; as two floats 0 and 1.875: neither denormal nor NaN.
#define VECTOR_ELEMENT UINT64_C(0x3ff0000000000000)

struct choice {
  uint64_t registers;   ///< in all of them
  uint64_t stack;       ///< rsp and rbp
  uint64_t data, count; ///< rdx, rcx
  uint64_t step;        ///< each register is so much larger than the one before
  uint64_t fill;
};

// rdx is the upper half of what is divided: less than any divisor, or the quotient overflows.
// rcx counts in string instructions and shifts.
static const struct choice constant[ATTEMPTS] = {
    {0x12345600, 0x12345800, 0x12345600, 0x12345600, 0, 0x0000234512345600},
    // Both halves of eight bytes are short, so loads from the middle give addresses as well.
    {0x12345600, 0x12345800, 0x12345600, 0x12345600, 0, 0x0000234500002080},
    {0x12342080, 0x12342800, 0x11141040, 0x12342080, 0, 0x0000234512342080},
    {0x12342080, 0x12342800, 0x11141040, 0x40, 0, 0x0000234500002080},
};
static const struct choice spread[ATTEMPTS] = {
    {0x12340040, 0x12342800, 0x12340040, 0x12340040, 0x240, 0x0000234512345600},
    {0x12340040, 0x12342800, 0x12340040, 0x12340040, 0x240, 0x0000234500002080},
    {0x12342080, 0x12342800, 0x11141040, 0x12342080, 0x240, 0x0000234512342080},
    {0x12342080, 0x12342800, 0x11141040, 0x40, 0x240, 0x0000234500002080},
};

static void choose(const struct choice *choice, struct harness_state *out) {
  enum { RCX = 1, RDX = 2, RSP = 4, RBP = 5 };
  for (size_t i = 0; i < HARNESS_REGISTERS; i++) {
    uint64_t base = i == RDX ? choice->data : i == RCX ? choice->count : choice->registers;
    out->registers[i] = base + (base > BLOCK_USER_START ? i * choice->step : 0);
  }
  out->registers[RSP] = out->registers[RBP] = choice->stack;
  if (choice->step)
    out->registers[RBP] += 5 * choice->step;
  out->fs_base = out->gs_base = choice->registers;
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
  choose(values == HARNESS_SPREAD ? &spread[attempt] : &constant[attempt], out);
  return true;
}
