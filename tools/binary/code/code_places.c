// code_places.c - answers for one load file from its symbols and DWARF.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/code_places.h"

#include "tools/binary/code/code_scopes.h"
#include "tools/binary/code/code_symbols.h"
#include "tools/binary/debug_file.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>

struct code_places {
  struct elf_file *file;
  struct elf_file *debug; ///< the file of its debug information, null if it is in the file itself
  struct code_symbols *symbols;
  Dwarf *dwarf; ///< null without debug information
  struct code_scopes *scopes;
  bool dwarf_opened;
};

enum elf_file_status code_places_open(const char *path, struct code_places **out) {
  struct code_places *places = calloc(1, sizeof(*places));
  *out = NULL;
  if (!places)
    return ELF_FILE_UNREADABLE;
  enum elf_file_status status = elf_file_open(path, &places->file);
  if (status != ELF_FILE_OK) {
    free(places);
    return status;
  }
  places->symbols = code_symbols_read(places->file);
  bool is_whole = code_symbols_are_whole(places->symbols);
  if (!is_whole || !elf_file_has_section(places->file, ".debug_info"))
    places->debug = debug_file_open(places->file, path);
  if (!is_whole && places->debug) {
    code_symbols_release(places->symbols);
    places->symbols = code_symbols_read(places->debug);
  }
  *out = places;
  return ELF_FILE_OK;
}

void code_places_close(struct code_places *places) {
  if (!places)
    return;
  code_scopes_close(places->scopes);
  dwarf_end(places->dwarf);
  code_symbols_release(places->symbols);
  elf_file_close(places->debug);
  elf_file_close(places->file);
  free(places);
}

struct elf_file *code_places_file(const struct code_places *places) { return places->file; }

/// The loaded segment of code that `holds` accepts.
static bool find_segment(const struct code_places *places, uint64_t value, bool by_offset,
                         GElf_Phdr *out) {
  Elf *elf = (Elf *)elf_file_handle(places->file);
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0)
    return false;
  for (size_t i = 0; i < count; i++) {
    if (!gelf_getphdr(elf, (int)i, out) || out->p_type != PT_LOAD || !(out->p_flags & PF_X))
      continue;
    uint64_t start = by_offset ? out->p_offset : out->p_vaddr;
    if (value >= start && value - start < out->p_filesz)
      return true;
  }
  return false;
}

bool code_places_address(const struct code_places *places, uint64_t offset, uint64_t *address) {
  GElf_Phdr segment;
  if (!find_segment(places, offset, true, &segment))
    return false;
  *address = offset - segment.p_offset + segment.p_vaddr;
  return true;
}

bool code_places_segment(const struct code_places *places, uint64_t address, uint64_t *start,
                         uint64_t *limit, uint64_t *offset) {
  GElf_Phdr segment;
  if (!find_segment(places, address, false, &segment))
    return false;
  *start = segment.p_vaddr;
  *limit = segment.p_vaddr + segment.p_filesz;
  *offset = segment.p_offset;
  return true;
}

const uint8_t *code_places_code(const struct code_places *places, uint64_t address, size_t *bytes) {
  GElf_Phdr segment;
  size_t size;
  const char *raw = elf_rawfile((Elf *)elf_file_handle(places->file), &size);
  if (!raw || !find_segment(places, address, false, &segment))
    return NULL;
  uint64_t offset = address - segment.p_vaddr + segment.p_offset;
  uint64_t end = segment.p_offset + segment.p_filesz;
  end = end < size ? end : size;
  if (offset >= end)
    return NULL;
  *bytes = end - offset;
  return (const uint8_t *)raw + offset;
}

const struct elf_function *code_places_function(struct code_places *places, uint64_t address) {
  return code_symbols_find(places->symbols, address);
}

static void open_dwarf(struct code_places *places) {
  if (places->dwarf_opened)
    return;
  places->dwarf_opened = true;
  bool has_own = elf_file_has_section(places->file, ".debug_info");
  const struct elf_file *from = places->debug && !has_own ? places->debug : places->file;
  places->dwarf = dwarf_begin_elf((Elf *)elf_file_handle(from), DWARF_C_READ, NULL);
  if (places->dwarf)
    places->scopes = code_scopes_open(places->dwarf);
}

bool code_places_has_lines(struct code_places *places) {
  open_dwarf(places);
  return code_scopes_count(places->scopes) > 0;
}

size_t code_places_frames(struct code_places *places, uint64_t address, struct code_frame *out) {
  open_dwarf(places);
  return code_scopes_frames(places->scopes, address, out);
}
