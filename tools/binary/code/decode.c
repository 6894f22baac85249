// decode.c - the one file that calls Zydis: fills struct instruction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/decode.h"

#include "tools/binary/code/decode_parts.h"

#include <stdio.h>

bool decode_with_zydis(const uint8_t *code, size_t bytes, ZydisDecodedInstruction *instruction,
                       ZydisDecodedOperand *operands) {
  ZydisDecoder decoder;
  if (bytes > DECODE_MAX_BYTES)
    bytes = DECODE_MAX_BYTES;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes, instruction, operands));
}

/// Whether the first operand is the distance to a target in the code.
static bool is_direct(const ZydisDecodedInstruction *instruction,
                      const ZydisDecodedOperand *operands) {
  return instruction->operand_count && operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
         operands[0].imm.is_relative;
}

static enum instruction_kind kind_of(const ZydisDecodedInstruction *instruction, bool direct) {
  switch (instruction->mnemonic) {
  case ZYDIS_MNEMONIC_UD0:
  case ZYDIS_MNEMONIC_UD1:
  case ZYDIS_MNEMONIC_UD2:
  case ZYDIS_MNEMONIC_HLT:
  case ZYDIS_MNEMONIC_INT3:
    return INSTRUCTION_TRAP;
  case ZYDIS_MNEMONIC_SYSCALL:
  case ZYDIS_MNEMONIC_SYSENTER:
    return INSTRUCTION_SYSTEM_CALL;
  default:
    break;
  }
  switch (instruction->meta.category) {
  case ZYDIS_CATEGORY_UNCOND_BR:
    return direct ? INSTRUCTION_JUMP : INSTRUCTION_JUMP_AWAY;
  case ZYDIS_CATEGORY_COND_BR:
    // xend and xabort are in this category too, but go nowhere in a block.
    return direct ? INSTRUCTION_BRANCH : INSTRUCTION_PLAIN;
  case ZYDIS_CATEGORY_CALL:
    return direct ? INSTRUCTION_CALL : INSTRUCTION_CALL_AWAY;
  case ZYDIS_CATEGORY_RET:
  case ZYDIS_CATEGORY_SYSRET:
    return INSTRUCTION_RETURN;
  case ZYDIS_CATEGORY_INTERRUPT:
    return INSTRUCTION_SYSTEM_CALL;
  default:
    return INSTRUCTION_PLAIN;
  }
}

/// Number of a register in an address, whatever its width.
static uint8_t register_number(ZydisRegister reg) {
  ZydisRegisterClass class = ZydisRegisterGetClass(reg);
  if (reg == ZYDIS_REGISTER_NONE)
    return REGISTER_NONE;
  if (class == ZYDIS_REGCLASS_IP)
    return REGISTER_RIP;
  if (class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM || class == ZYDIS_REGCLASS_ZMM)
    return REGISTER_VECTOR;
  return (uint8_t)ZydisRegisterGetId(reg);
}

static uint8_t segment_of(ZydisRegister reg) {
  if (reg == ZYDIS_REGISTER_FS)
    return SEGMENT_FS;
  return reg == ZYDIS_REGISTER_GS ? SEGMENT_GS : SEGMENT_NONE;
}

/// The stack operand of a push lies below the stack pointer.
static int64_t stack_shift(const ZydisDecodedInstruction *instruction,
                           const ZydisDecodedOperand *operand) {
  bool pushes = operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
                operand->mem.base == ZYDIS_REGISTER_RSP &&
                (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
                (instruction->meta.category == ZYDIS_CATEGORY_PUSH ||
                 instruction->meta.category == ZYDIS_CATEGORY_CALL ||
                 instruction->mnemonic == ZYDIS_MNEMONIC_ENTER);
  return pushes ? -(int64_t)(operand->size / 8) : 0;
}

/// "pop [rsp + 8]" computes its address with the stack pointer after the pop.
/// Source: Intel SDM volume 2, POP.
static int64_t pop_shift(const ZydisDecodedInstruction *instruction,
                         const ZydisDecodedOperand *operand) {
  bool pops = instruction->mnemonic == ZYDIS_MNEMONIC_POP &&
              operand->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
              operand->mem.base == ZYDIS_REGISTER_RSP;
  return pops ? operand->size / 8 : 0;
}

static struct memory_operand memory_of(const ZydisDecodedInstruction *instruction,
                                       const ZydisDecodedOperand *operand) {
  const unsigned maybe = ZYDIS_OPERAND_ACTION_CONDREAD | ZYDIS_OPERAND_ACTION_CONDWRITE;
  bool gathers = operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB;
  bool masked = operand->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
                instruction->avx.mask.mode != ZYDIS_MASK_MODE_INVALID &&
                instruction->avx.mask.mode != ZYDIS_MASK_MODE_DISABLED;
  struct memory_operand out = {
      .base = register_number(operand->mem.base),
      .index = register_number(operand->mem.index),
      .scale = operand->mem.index == ZYDIS_REGISTER_NONE ? 0 : operand->mem.scale,
      .segment = segment_of(operand->mem.segment),
      .read = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ,
      .written = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE,
      .conditional = (operand->actions & maybe) || masked,
      .wraps_at_32 = instruction->address_width == 32,
      .bytes = gathers ? operand->element_size / 8 : operand->size / 8,
      .displacement = operand->mem.disp.has_displacement ? operand->mem.disp.value : 0,
  };
  if (out.index == REGISTER_VECTOR)
    out.vector_index = (uint8_t)ZydisRegisterGetId(operand->mem.index);
  out.displacement += stack_shift(instruction, operand) + pop_shift(instruction, operand);
  return out;
}

/// Operands in memory that the instruction only computes the address of, or only hints at.
static bool is_no_access(const ZydisDecodedInstruction *instruction,
                         const ZydisDecodedOperand *operand) {
  if (operand->mem.type != ZYDIS_MEMOP_TYPE_MEM && operand->mem.type != ZYDIS_MEMOP_TYPE_VSIB)
    return true;
  ZydisInstructionCategory category = instruction->meta.category;
  return category == ZYDIS_CATEGORY_NOP || category == ZYDIS_CATEGORY_WIDENOP ||
         category == ZYDIS_CATEGORY_PREFETCH || category == ZYDIS_CATEGORY_PREFETCHWT1;
}

/// Registers other than general and vector ones.
static void note_register(ZydisRegister reg, struct instruction *out) {
  ZydisRegisterClass class = ZydisRegisterGetClass(reg);
  out->x87_or_mmx |= class == ZYDIS_REGCLASS_X87 || class == ZYDIS_REGCLASS_MMX;
  out->mask |= class == ZYDIS_REGCLASS_MASK && reg != ZYDIS_REGISTER_K0;
}

bool decode_instruction(const uint8_t *code, size_t bytes, uint64_t address,
                        struct instruction *out) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!decode_with_zydis(code, bytes, &instruction, operands))
    return false;
  bool direct = is_direct(&instruction, operands);
  *out = (struct instruction){
      .bytes = instruction.length,
      .kind = (uint8_t)kind_of(&instruction, direct),
      .repeats = instruction.attributes &
                 (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE),
      .privileged = instruction.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED,
  };
  if (direct)
    out->target = address + instruction.length + (uint64_t)operands[0].imm.value.s;
  for (unsigned i = 0; i < instruction.operand_count; i++)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
      note_register(operands[i].reg.value, out);
    else if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
             out->memory_count < DECODE_MAX_MEMORY && !is_no_access(&instruction, &operands[i]))
      out->memory[out->memory_count++] = memory_of(&instruction, &operands[i]);
  return true;
}

size_t decode_text(const uint8_t *code, size_t bytes, uint64_t address, char *text, size_t size) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  ZydisFormatter formatter;
  if (!size)
    return 0;
  if (!decode_with_zydis(code, bytes, &instruction, operands)) {
    snprintf(text, size, "(bad)");
    return 0;
  }
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
                            ZYDIS_PADDING_DISABLED);
  if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &instruction, operands,
                                                    instruction.operand_count_visible, text, size,
                                                    address, NULL)))
    snprintf(text, size, "(too long to print)");
  return instruction.length;
}

const char *decode_register_name(unsigned reg) {
  static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
                                      "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
  return reg < sizeof(names) / sizeof(names[0]) ? names[reg] : "";
}
