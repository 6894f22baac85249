// import_call.c - follows a call through the linker's stub to the slot that the loader fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/import_call.h"

#include <gelf.h>
#include <string.h>

/// Bytes of a call or jump relative to its end: one of opcode, or two, and the distance.
enum { RELATIVE_BYTES = 5, SLOT_BYTES = 6, STUB_BYTES = 16 };

static uint64_t behind(const uint8_t *distance, uint64_t end) {
  int32_t value;
  memcpy(&value, distance, sizeof value);
  return end + (uint64_t)(int64_t)value;
}

static bool is_through_slot(const uint8_t *code) { // call or jmp *distance(%rip)
  return code[0] == 0xff && (code[1] == 0x15 || code[1] == 0x25);
}

/// The slot that a stub jumps through: after endbr64 and a prefix, where it has them. 0: no stub.
static uint64_t slot_of_stub(const struct code_places *places, uint64_t stub) {
  static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  size_t bytes, at = 0;
  const uint8_t *code = code_places_code(places, stub, &bytes);
  if (!code || bytes < STUB_BYTES)
    return 0;
  if (memcmp(code, endbr64, sizeof endbr64) == 0)
    at = sizeof endbr64;
  if (code[at] == 0xf2) // bnd
    at++;
  return is_through_slot(code + at) ? behind(code + at + 2, stub + at + SLOT_BYTES) : 0;
}

static const char *name_of_slot(Elf *elf, uint64_t slot) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header, symbols;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !header.sh_entsize)
      continue;
    Elf_Scn *table = elf_getscn(elf, header.sh_link);
    Elf_Data *data = elf_getdata(section, NULL), *names = table ? elf_getdata(table, NULL) : NULL;
    if (!data || !names || !gelf_getshdr(table, &symbols))
      continue;
    GElf_Rela record;
    GElf_Sym symbol;
    for (int i = 0; (uint64_t)i < header.sh_size / header.sh_entsize; i++)
      if (gelf_getrela(data, i, &record) && record.r_offset == slot &&
          gelf_getsym(names, (int)GELF_R_SYM(record.r_info), &symbol))
        return elf_strptr(elf, symbols.sh_link, symbol.st_name);
  }
  return NULL;
}

const char *import_call_name(const struct code_places *places, uint64_t address) {
  struct elf_file *file = code_places_file(places);
  GElf_Ehdr header;
  size_t bytes;
  if (!gelf_getehdr(elf_file_handle(file), &header) || header.e_machine != EM_X86_64)
    return NULL;
  uint64_t end = address + 1, slot = 0;
  const uint8_t *code = code_places_code(places, end - SLOT_BYTES, &bytes);
  if (code && bytes >= SLOT_BYTES && is_through_slot(code))
    slot = behind(code + 2, end);
  else if ((code = code_places_code(places, end - RELATIVE_BYTES, &bytes)) &&
           bytes >= RELATIVE_BYTES && (code[0] == 0xe8 || code[0] == 0xe9))
    slot = slot_of_stub(places, behind(code + 1, end));
  const char *name = slot ? name_of_slot(elf_file_handle(file), slot) : NULL;
  return name && *name ? name : NULL;
}
