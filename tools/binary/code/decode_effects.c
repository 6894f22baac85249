// decode_effects.c - reads, writes and units of an x86-64 instruction, from Zydis's operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/decode_effects.h"

#include "tools/binary/code/decode_parts.h"

#include <string.h>

/// Starts of mnemonics, without the v of their AVX forms. Those that end in '$' are whole ones.
static const struct {
  enum instruction_unit unit;
  const char *starts;
} units[] = {
    {INSTRUCTION_UNIT_DIVIDE, "div$ idiv$"},
    {INSTRUCTION_UNIT_FLOAT_DIVIDE, "divs divp fdiv fidiv sqrt fsqrt"},
    {INSTRUCTION_UNIT_MULTIPLY, "mul$ mulx$ imul$ pmul pmadd pdpb pdpw"},
    {INSTRUCTION_UNIT_FLOAT_MULTIPLY, "muls mulp fmul fimul fmadd fmsub fnmadd fnmsub dpp"},
    {INSTRUCTION_UNIT_FLOAT, "adds addp subs subp mins minp maxs maxp cvt comis ucomis cmpp cmpss "
                             "hadd hsub fadd fsub round rcp rsqrt rndscale fcom fucom"},
    {INSTRUCTION_UNIT_LONG,
     "fsin fcos fptan fpatan f2xm1 fyl2x fprem fscale aes pclmul crc32$ popcnt$ lzcnt$ tzcnt$ bsf$ "
     "bsr$ pdep$ pext$ gather pgather scatter pscatter sha1 sha256 rdrand$ rdseed$ pcompress "
     "compress pcmpestr pcmpistr enter$ xsave xrstor fxsave fxrstor"},
    {INSTRUCTION_UNIT_SYNCHRONISED,
     "mfence$ lfence$ sfence$ pause$ cpuid$ rdtsc$ rdtscp$ rdpmc$ serialize$ umwait$ tpause$ "
     "umonitor$ syscall$ sysenter$ int$ int1$ cmpxchg16b$ xgetbv$"},
};

static bool starts_with_one(const char *name, const char *starts) {
  while (*starts) {
    size_t length = strcspn(starts, " ");
    bool whole = starts[length - 1] == '$';
    if (whole ? strlen(name) == length - 1 && memcmp(name, starts, length - 1) == 0
              : strncmp(name, starts, length) == 0)
      return true;
    starts += length + strspn(starts + length, " ");
  }
  return false;
}

static enum instruction_unit unit_of(const ZydisDecodedInstruction *instruction,
                                     const ZydisDecodedOperand *operands) {
  const ZyanU64 repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  const char *name = ZydisMnemonicGetString(instruction->mnemonic);
  bool swaps = instruction->mnemonic == ZYDIS_MNEMONIC_XCHG &&
               (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
                operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY); // locks without a prefix
  if (instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK || swaps)
    return INSTRUCTION_UNIT_SYNCHRONISED;
  if (instruction->attributes & repeats)
    return INSTRUCTION_UNIT_LONG;
  if (!name)
    return INSTRUCTION_UNIT_PLAIN;
  if (name[0] == 'v')
    name++;
  for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
    if (starts_with_one(name, units[i].starts))
      return units[i].unit;
  return INSTRUCTION_UNIT_PLAIN;
}

static uint64_t bit_of(ZydisRegister reg) {
  ZydisRegisterClass class = ZydisRegisterGetClass(reg);
  unsigned number = (unsigned)ZydisRegisterGetId(reg);
  switch (class) {
  case ZYDIS_REGCLASS_GPR8:
  case ZYDIS_REGCLASS_GPR16:
  case ZYDIS_REGCLASS_GPR32:
  case ZYDIS_REGCLASS_GPR64: // ids of 8-bit registers count ah to bh
    number = (unsigned)ZydisRegisterGetId(
        ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
    return number < 16 ? UINT64_C(1) << (EFFECT_GENERAL + number) : 0;
  case ZYDIS_REGCLASS_XMM:
  case ZYDIS_REGCLASS_YMM:
  case ZYDIS_REGCLASS_ZMM:
    return number < 32 ? UINT64_C(1) << (EFFECT_VECTOR + number) : 0;
  case ZYDIS_REGCLASS_MASK:
    return number < 8 ? UINT64_C(1) << (EFFECT_MASK + number) : 0;
  case ZYDIS_REGCLASS_X87:
  case ZYDIS_REGCLASS_MMX:
    return UINT64_C(1) << EFFECT_X87;
  case ZYDIS_REGCLASS_FLAGS:
    return UINT64_C(1) << EFFECT_FLAGS;
  default:
    return 0;
  }
}

/// "xor eax, eax" and its like have no operands but in name.
static bool clears(const ZydisDecodedInstruction *instruction,
                   const ZydisDecodedOperand *operands) {
  unsigned last = instruction->operand_count_visible;
  switch (instruction->mnemonic) {
  case ZYDIS_MNEMONIC_XOR:
  case ZYDIS_MNEMONIC_SUB:
  case ZYDIS_MNEMONIC_PXOR:
  case ZYDIS_MNEMONIC_XORPS:
  case ZYDIS_MNEMONIC_XORPD:
  case ZYDIS_MNEMONIC_VPXOR:
  case ZYDIS_MNEMONIC_VPXORD:
  case ZYDIS_MNEMONIC_VPXORQ:
  case ZYDIS_MNEMONIC_VXORPS:
  case ZYDIS_MNEMONIC_VXORPD:
    return last >= 2 && operands[last - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operands[last - 2].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operands[last - 1].reg.value == operands[last - 2].reg.value;
  default:
    return false;
  }
}

/// What push, pop, call and ret do to the stack pointer doesn't wait for anything.
static bool moves_stack(const ZydisDecodedInstruction *instruction,
                        const ZydisDecodedOperand *operand) {
  ZydisInstructionCategory category = instruction->meta.category;
  return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
         (category == ZYDIS_CATEGORY_PUSH || category == ZYDIS_CATEGORY_POP ||
          category == ZYDIS_CATEGORY_CALL || category == ZYDIS_CATEGORY_RET);
}

static int64_t step_of(const ZydisDecodedInstruction *instruction,
                       const ZydisDecodedOperand *operands) {
  if (operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
    return 0;
  bool constant = operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  switch (instruction->mnemonic) {
  case ZYDIS_MNEMONIC_INC:
    return 1;
  case ZYDIS_MNEMONIC_DEC:
    return -1;
  case ZYDIS_MNEMONIC_ADD:
    return constant ? operands[1].imm.value.s : 0;
  case ZYDIS_MNEMONIC_SUB:
    return constant ? -operands[1].imm.value.s : 0;
  case ZYDIS_MNEMONIC_LEA:
    return operands[1].mem.index == ZYDIS_REGISTER_NONE &&
                   operands[1].mem.base == operands[0].reg.value
               ? operands[1].mem.disp.value
               : 0;
  default:
    return 0;
  }
}

/// What is added to a register, as a set of one; 0: it does something else.
static uint64_t added(const ZydisDecodedInstruction *instruction,
                      const ZydisDecodedOperand *operands) {
  const ZydisDecodedOperand *to = &operands[0], *from = &operands[1];
  if (to->type != ZYDIS_OPERAND_TYPE_REGISTER)
    return 0;
  if (instruction->mnemonic == ZYDIS_MNEMONIC_ADD)
    return from->type == ZYDIS_OPERAND_TYPE_REGISTER ? bit_of(from->reg.value)
           : from->type == ZYDIS_OPERAND_TYPE_MEMORY ? UINT64_C(1) << EFFECT_MEMORY
                                                     : 0;
  if (instruction->mnemonic != ZYDIS_MNEMONIC_LEA)
    return 0;
  if (from->mem.base == to->reg.value)
    return bit_of(from->mem.index);
  return from->mem.index == to->reg.value && from->mem.scale == 1 ? bit_of(from->mem.base) : 0;
}

static bool sets_condition(ZydisMnemonic mnemonic) {
  return mnemonic == ZYDIS_MNEMONIC_CMP || mnemonic == ZYDIS_MNEMONIC_TEST ||
         mnemonic == ZYDIS_MNEMONIC_ADD || mnemonic == ZYDIS_MNEMONIC_SUB ||
         mnemonic == ZYDIS_MNEMONIC_AND || mnemonic == ZYDIS_MNEMONIC_INC ||
         mnemonic == ZYDIS_MNEMONIC_DEC;
}

static void add_operand(const ZydisDecodedInstruction *instruction,
                        const ZydisDecodedOperand *operand, bool cleared,
                        struct instruction_effects *out) {
  const ZydisOperandActions written = ZYDIS_OPERAND_ACTION_MASK_WRITE;
  if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
    out->reads |= bit_of(operand->mem.base) | bit_of(operand->mem.index);
    return;
  }
  if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || moves_stack(instruction, operand))
    return;
  uint64_t bit = bit_of(operand->reg.value);
  // What is written on a condition keeps its old value otherwise.
  bool kept = operand->actions & ZYDIS_OPERAND_ACTION_CONDWRITE;
  if ((operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ || kept) && !cleared)
    out->reads |= bit;
  if (operand->actions & written)
    out->writes |= bit;
}

bool decode_effects(const uint8_t *code, size_t bytes, struct instruction_effects *out) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT] = {0};
  if (!decode_with_zydis(code, bytes, &instruction, operands))
    return false;
  *out = (struct instruction_effects){.unit = unit_of(&instruction, operands),
                                      .step = step_of(&instruction, operands),
                                      .step_by = added(&instruction, operands),
                                      .sets_condition = sets_condition(instruction.mnemonic)};
  bool cleared = clears(&instruction, operands);
  bool no_operands = instruction.meta.category == ZYDIS_CATEGORY_NOP ||
                     instruction.meta.category == ZYDIS_CATEGORY_WIDENOP;
  for (unsigned i = 0; i < instruction.operand_count && !no_operands; i++)
    add_operand(&instruction, &operands[i], cleared, out);
  return true;
}
