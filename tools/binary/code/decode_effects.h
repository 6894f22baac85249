// decode_effects.h - what an x86-64 instruction takes and leaves: registers, and what computes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_CODE_DECODE_EFFECTS_H
#define RETICLE_TOOLS_BINARY_CODE_DECODE_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bits of a set of registers: the 16 general ones as in machine code, 32 vector registers whatever
/// their width, flags, 8 mask registers, x87 and MMX as one.
enum {
  EFFECT_GENERAL = 0,
  EFFECT_VECTOR = 16,
  EFFECT_FLAGS = 48,
  EFFECT_MASK = 49,
  EFFECT_X87 = 57,
  EFFECT_MEMORY = 58, ///< of step_by alone
};

/// By how long results take, and what else in the core waits meanwhile.
enum instruction_unit {
  INSTRUCTION_UNIT_PLAIN,          ///< a cycle, or few: moves, integers, shuffles
  INSTRUCTION_UNIT_FLOAT,          ///< additions, comparisons, conversions
  INSTRUCTION_UNIT_MULTIPLY,       ///< of integers, in general or vector registers
  INSTRUCTION_UNIT_FLOAT_MULTIPLY, ///< also with an addition
  INSTRUCTION_UNIT_DIVIDE,
  INSTRUCTION_UNIT_FLOAT_DIVIDE, ///< also square roots
  INSTRUCTION_UNIT_LONG,         ///< microcode, gathers, string instructions, bit counts
  INSTRUCTION_UNIT_SYNCHRONISED, ///< atomics, fences, pause, serialising ones, system calls
};

struct instruction_effects {
  /// Sets of registers. Of a register that is cleared by "xor r, r" nothing is read; the stack
  /// pointer isn't among those that push, pop, call and ret move, as the core does that aside.
  uint64_t reads, writes;
  int64_t step;     ///< != 0: it adds this constant to the one register it writes
  uint64_t step_by; ///< != 0: it adds this one register, or what it reads, to the one it writes
  enum instruction_unit unit;
  bool sets_condition; ///< cores may join it with a branch behind it: cmp, test, add, sub, and,
                       ///< inc, dec
};

/// Returns false, and leaves *out as it was, if these bytes are no instruction or end within one.
bool decode_effects(const uint8_t *code, size_t bytes, struct instruction_effects *out);

#endif
