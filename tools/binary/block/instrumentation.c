// instrumentation.c - recognises Reticle's code by the symbols and the memory that it touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes: pass/block/FieldCounters.cpp, pass/module/RuntimeCalls.cpp,
// pass/shadow/ShadowMarks.cpp and pass/target/ProbeTargetX86_64.cpp.
#include "tools/binary/block/instrumentation.h"

#include "include/reticle/abi.h"
#include "tools/binary/block/block_probe.h"
#include "tools/binary/code/decode_parts.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/// A mark's address is RETICLE_SHADOW_BASE and the words from the access's base: so near.
#define MARK_WORDS_MOST 0x7fff

/// Addresses of a variable or entry point; of thread-local ones distances from fs, which are below
/// 0, and may end there.
struct range {
  uint64_t start, last;
};

struct instrumentation {
  struct range *ranges; ///< [count] ascending
  size_t count, capacity;
  bool has_marks;
};

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

bool instrumentation_has_function(const char *symbol) {
  return starts_with(symbol, "__reticle_") || starts_with(symbol, "rrt_");
}

/// Entry points in place of the program's own calls to allocators.
static bool is_replacement(const char *symbol) {
  return starts_with(symbol, "__reticle_of_") || starts_with(symbol, "__reticle_heap_") ||
         starts_with(symbol, "__reticle_libc");
}

static bool add(struct instrumentation *own, uint64_t start, uint64_t bytes) {
  if (own->count == own->capacity) {
    size_t capacity = 2 * own->capacity + 64;
    struct range *grown = realloc(own->ranges, capacity * sizeof(*grown));
    if (!grown)
      return false;
    own->ranges = grown;
    own->capacity = capacity;
  }
  own->ranges[own->count++] = (struct range){start, start + bytes - 1};
  return true;
}

static int compare(const void *left, const void *right) {
  const struct range *a = left, *b = right;
  return (a->start > b->start) - (a->start < b->start);
}

static bool holds(const struct instrumentation *own, uint64_t address) {
  size_t low = 0, high = own->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (own->ranges[middle].last < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < own->count && own->ranges[low].start <= address;
}

/// Distance of an executable's first thread-local byte from fs. False without such data.
/// Source: Drepper, "ELF Handling For Thread-Local Storage", variant II.
static bool read_thread_start(Elf *elf, uint64_t *start) {
  size_t count = 0;
  GElf_Phdr segment;
  if (elf_getphdrnum(elf, &count) != 0)
    return false;
  for (size_t i = 0; i < count; i++)
    if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_TLS) {
      uint64_t align = segment.p_align ? segment.p_align : 1;
      uint64_t padding = (0 - segment.p_vaddr - segment.p_memsz) & (align - 1);
      *start = 0 - segment.p_memsz - padding;
      return true;
    }
  return false;
}

/// Returns false if there is no memory.
static bool add_symbol(struct instrumentation *own, const GElf_Sym *symbol, const char *name,
                       const uint64_t *thread_start) {
  int type = GELF_ST_TYPE(symbol->st_info);
  if (symbol->st_shndx == SHN_UNDEF || !symbol->st_size || !starts_with(name, "__reticle_"))
    return true;
  if (type == STT_TLS)
    return !thread_start || add(own, *thread_start + symbol->st_value, symbol->st_size);
  if (type == STT_FUNC)
    return is_replacement(name) || add(own, symbol->st_value, 1);
  if (type != STT_OBJECT)
    return true;
  own->has_marks |= starts_with(name, "__reticle_shadow_mask");
  return add(own, symbol->st_value, symbol->st_size);
}

struct instrumentation *instrumentation_open(const struct elf_file *file) {
  struct instrumentation *own = calloc(1, sizeof(*own));
  Elf *elf = elf_file_handle(file);
  GElf_Shdr header;
  // A library's data lies at another distance in each process.
  uint64_t thread_start;
  bool known =
      elf_file_kind(file) != ELF_FILE_SHARED_LIBRARY && read_thread_start(elf, &thread_start);
  for (Elf_Scn *section = NULL; own && (section = elf_nextscn(elf, section));) {
    Elf_Data *data = NULL;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize ||
        !(data = elf_getdata(section, NULL)))
      continue;
    for (size_t i = 0; own && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Sym symbol;
      const char *name = gelf_getsym(data, (int)i, &symbol)
                             ? elf_strptr(elf, header.sh_link, symbol.st_name)
                             : NULL;
      if (name && !add_symbol(own, &symbol, name, known ? &thread_start : NULL)) {
        instrumentation_close(own);
        own = NULL;
      }
    }
  }
  if (own && own->count)
    qsort(own->ranges, own->count, sizeof(*own->ranges), compare);
  return own;
}

void instrumentation_close(struct instrumentation *own) {
  if (own)
    free(own->ranges);
  free(own);
}

static bool is_mark(const struct instrumentation *own, const struct memory_operand *memory) {
  const int64_t base = (int64_t)RETICLE_SHADOW_BASE;
  return own && own->has_marks && memory->base < REGISTER_RIP && memory->segment == SEGMENT_NONE &&
         memory->displacement >= base - MARK_WORDS_MOST &&
         memory->displacement <= base + MARK_WORDS_MOST;
}

static bool is_own_memory(const struct instrumentation *own, const struct memory_operand *memory,
                          uint64_t next) {
  bool absolute = memory->base == REGISTER_NONE && memory->index == REGISTER_NONE;
  // Programs on x86-64 Linux leave gs alone.
  if (memory->segment == SEGMENT_GS)
    return true;
  if (!own)
    return false;
  if (memory->segment == SEGMENT_FS)
    return absolute && holds(own, (uint64_t)memory->displacement);
  if (memory->base == REGISTER_RIP)
    return holds(own, next + (uint64_t)memory->displacement);
  if (absolute)
    return holds(own, (uint64_t)memory->displacement);
  return is_mark(own, memory);
}

bool instruction_is_instrumentation(const struct instrumentation *own,
                                    const struct instruction *instruction, uint64_t next) {
  if (own && instruction->target && holds(own, instruction->target))
    return true;
  for (unsigned i = 0; i < instruction->memory_count; i++)
    if (is_own_memory(own, &instruction->memory[i], next))
      return true;
  return false;
}

/// What is needed of the instructions in front.
enum step {
  STEP_OTHER,
  STEP_AND,   ///< and reg, ...
  STEP_SHIFT, ///< shr reg, 2
  STEP_COPY,  ///< mov reg, reg; lea reg, [...]
};
struct seen {
  enum step step;
  ZydisRegister target; ///< of 64 bits, that it computes
  size_t offset;
};
enum { SEEN = 4 };

static struct seen look(const ZydisDecodedInstruction *instruction,
                        const ZydisDecodedOperand *operands, size_t offset) {
  struct seen out = {STEP_OTHER, ZYDIS_REGISTER_NONE, offset};
  if (instruction->operand_count < 2 || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
      operands[0].size != 64)
    return out;
  const ZydisDecodedOperand *from = &operands[1];
  out.target = operands[0].reg.value;
  if (instruction->mnemonic == ZYDIS_MNEMONIC_AND)
    out.step = STEP_AND;
  else if (instruction->mnemonic == ZYDIS_MNEMONIC_SHR &&
           from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && from->imm.value.u == 2)
    out.step = STEP_SHIFT;
  else if (instruction->mnemonic == ZYDIS_MNEMONIC_LEA ||
           (instruction->mnemonic == ZYDIS_MNEMONIC_MOV &&
            from->type == ZYDIS_OPERAND_TYPE_REGISTER))
    out.step = STEP_COPY;
  return out;
}

/// What computes the index of marks in that register, right in front: it serves nothing else, as
/// each step changes the register in place.
///
/// last   [count] the nearest first
/// first  STEP_AND, or STEP_SHIFT: the mask was applied
static void take_index(const struct seen *last, size_t count, ZydisRegister target, enum step first,
                       bool *found) {
  size_t taken = 0;
  for (unsigned step = first; step <= STEP_COPY && taken < count; step++) {
    if (last[taken].step == step && last[taken].target == target)
      found[last[taken++].offset] = true;
    else if (step != STEP_SHIFT) // that may stand in front of a loop
      break;
  }
}

/// The whole of the general register that the instruction writes first of all.
static ZydisRegister target_of(const ZydisDecodedOperand *operands) {
  if (operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
    return ZYDIS_REGISTER_NONE;
  return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operands[0].reg.value);
}

/// Whether it only masks, or compares, with a constant the mark that was loaded right in front.
static bool looks_at(const ZydisDecodedInstruction *instruction,
                     const ZydisDecodedOperand *operands, ZydisRegister mark) {
  ZydisMnemonic mnemonic = instruction->mnemonic;
  return mark != ZYDIS_REGISTER_NONE && instruction->operand_count_visible == 2 &&
         operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && target_of(operands) == mark &&
         (mnemonic == ZYDIS_MNEMONIC_AND || mnemonic == ZYDIS_MNEMONIC_XOR ||
          mnemonic == ZYDIS_MNEMONIC_CMP || mnemonic == ZYDIS_MNEMONIC_TEST);
}

static bool writes_flags(const ZydisDecodedInstruction *instruction) {
  return instruction->cpu_flags && instruction->cpu_flags->modified;
}

/// The register in front of a mark's displacement.
static ZydisRegister mark_register(const struct instrumentation *own,
                                   const ZydisDecodedInstruction *instruction,
                                   const ZydisDecodedOperand *operands) {
  for (unsigned i = 0; own && own->has_marks && i < instruction->operand_count; i++)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
        operands[i].mem.index == ZYDIS_REGISTER_NONE &&
        operands[i].mem.disp.value >= (int64_t)RETICLE_SHADOW_BASE - MARK_WORDS_MOST)
      return operands[i].mem.base;
  return ZYDIS_REGISTER_NONE;
}

size_t instrumentation_find(const struct instrumentation *own, const uint8_t *code, size_t bytes,
                            uint64_t address, bool *found) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  struct instruction decoded;
  struct seen last[SEEN]; // the nearest first
  size_t seen = 0, count = 0, cold_end = 0;
  bool own_flags = false;
  ZydisRegister mark = ZYDIS_REGISTER_NONE; // holds one
  memset(found, 0, bytes * sizeof(*found));
  for (size_t at = 0; at < bytes; at += decoded.bytes) {
    if (!decode_instruction(code + at, bytes - at, address + at, &decoded) ||
        !decode_with_zydis(code + at, bytes - at, &instruction, operands))
      break;
    size_t cold = cold_call_bytes(code + at, bytes - at, address + at);
    cold_end = cold ? at + cold : cold_end;
    bool is_own = at < cold_end ||
                  instruction_is_instrumentation(own, &decoded, address + at + decoded.bytes) ||
                  (own_flags && decoded.kind == INSTRUCTION_BRANCH) ||
                  looks_at(&instruction, operands, mark);
    found[at] = is_own;
    struct seen now = look(&instruction, operands, at);
    if (is_own && now.step == STEP_AND)
      take_index(last, seen, now.target, STEP_SHIFT, found);
    else if (is_own)
      take_index(last, seen, mark_register(own, &instruction, operands), STEP_AND, found);
    if (decoded.memory_count && is_mark(own, &decoded.memory[0]))
      mark = target_of(operands);
    else if (!looks_at(&instruction, operands, mark))
      mark = ZYDIS_REGISTER_NONE;
    own_flags = is_own && writes_flags(&instruction);
    if (is_own && now.step == STEP_OTHER) // loads of its own between those steps
      continue;
    memmove(last + 1, last, (SEEN - 1) * sizeof(*last));
    last[0] = now;
    seen = seen < SEEN ? seen + 1 : SEEN;
  }
  for (size_t i = 0; i < bytes; i++)
    count += found[i];
  return count;
}

bool instrumentation_marks(const struct instrumentation *own, const uint8_t *code, size_t bytes,
                           uint64_t address) {
  struct instruction decoded;
  for (size_t at = 0;
       at < bytes && decode_instruction(code + at, bytes - at, address + at, &decoded);
       at += decoded.bytes) {
    for (unsigned i = 0; i < decoded.memory_count; i++)
      if (is_mark(own, &decoded.memory[i]))
        return true;
  }
  return false;
}

bool instrumentation_is_called(const struct instrumentation *own, const uint8_t *code, size_t bytes,
                               uint64_t address) {
  struct instruction decoded;
  for (size_t at = 0;
       own && at < bytes && decode_instruction(code + at, bytes - at, address + at, &decoded);
       at += decoded.bytes)
    if (decoded.kind == INSTRUCTION_CALL && holds(own, decoded.target))
      return true;
  return false;
}
