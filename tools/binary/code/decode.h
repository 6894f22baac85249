// decode.h - one x86-64 machine instruction: length, kind, memory it touches, text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With decode_effects.h and instrumentation.h the only place that knows the disassembler (Zydis).
// For the tool alone: nothing of it runs in a measured program.
#ifndef RETICLE_TOOLS_BINARY_CODE_DECODE_H
#define RETICLE_TOOLS_BINARY_CODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Longest instruction. Source: Intel SDM volume 2, 2.3.11.
#define DECODE_MAX_BYTES 15
/// Most memory operands of one instruction (two: "push mem", "movs"; a call through memory).
#define DECODE_MAX_MEMORY 4

/// What an instruction does to the flow of control.
enum instruction_kind {
  INSTRUCTION_PLAIN,       ///< goes on with the next one
  INSTRUCTION_JUMP,        ///< always, to `target`
  INSTRUCTION_BRANCH,      ///< on a condition, to `target`: jcc, loop, jrcxz, xbegin
  INSTRUCTION_JUMP_AWAY,   ///< always, to an address in a register or in memory
  INSTRUCTION_CALL,        ///< to `target`
  INSTRUCTION_CALL_AWAY,   ///< to an address in a register or in memory
  INSTRUCTION_RETURN,      ///< ret, iret
  INSTRUCTION_SYSTEM_CALL, ///< syscall, sysenter, int n
  INSTRUCTION_TRAP,        ///< never goes on: ud2, hlt, int3
};

/// Registers of an address: 0 to 15 are rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15, as in machine
/// code.
enum {
  REGISTER_RIP = 16,    ///< address of the next instruction
  REGISTER_VECTOR = 17, ///< index of a gather or scatter: one address for each element
  REGISTER_NONE = 18,
};

/// Segments that have a base of their own in 64-bit mode.
enum segment_base { SEGMENT_NONE, SEGMENT_FS, SEGMENT_GS };

/// Address = segment base + base + index * scale + displacement, of the registers' values before
/// the instruction. Pushes and pops count as accesses to the stack, with rsp as base.
struct memory_operand {
  uint8_t base;    ///< 0 to 15, REGISTER_RIP or REGISTER_NONE
  uint8_t index;   ///< 0 to 15, REGISTER_VECTOR or REGISTER_NONE
  uint8_t scale;   ///< 1, 2, 4, 8; 0 without index
  uint8_t segment; ///< enum segment_base
  bool read, written;
  bool conditional;     ///< may touch less, or nothing: masked moves, cmov from memory
  bool wraps_at_32;     ///< the sum is cut to 32 bits (prefix 67h)
  uint8_t vector_index; ///< number of the vector register where index is REGISTER_VECTOR
  uint32_t bytes;       ///< size of one access; of one element with `repeats` and for gathers; 0 if
                        ///< it depends on the processor (xsave)
  int64_t displacement; ///< bytes
};

struct instruction {
  uint8_t bytes; ///< length
  uint8_t kind;  ///< enum instruction_kind
  bool repeats;  ///< rep, repe, repne: rcx times, upwards unless the direction flag is set
  bool privileged;
  bool x87_or_mmx; ///< names or uses one of these registers
  bool mask;       ///< names one of the mask registers k1 to k7
  uint8_t memory_count;
  uint64_t target; ///< of a direct jump, branch or call; 0 otherwise
  struct memory_operand memory[DECODE_MAX_MEMORY]; ///< [memory_count]; not of lea, nop, prefetch
};

/// Decodes the instruction at the start of `code`.
///
/// code     [bytes]
/// address  where the code lies, for targets
///
/// Returns false, and leaves *out as it was, if these bytes are no instruction or end within one.
bool decode_instruction(const uint8_t *code, size_t bytes, uint64_t address,
                        struct instruction *out);

/// Writes the instruction as assembly text in Intel's syntax, targets as addresses.
///
/// text  [size], always terminated; "(bad)" if these bytes are no instruction
///
/// Returns the instruction's length, 0 if these bytes are none.
size_t decode_text(const uint8_t *code, size_t bytes, uint64_t address, char *text, size_t size);

/// "rax", ..., "rip"; "" for REGISTER_NONE and REGISTER_VECTOR.
const char *decode_register_name(unsigned reg);

#endif
