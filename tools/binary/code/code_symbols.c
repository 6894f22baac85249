// code_symbols.c - reads symbol tables and sorts them by address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/code_symbols.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/// Code of one section.
struct section {
  uint64_t start, end;
};

struct code_symbols {
  struct section *sections;       ///< [section_count] by number; start == end if it has no code
  struct elf_function *functions; ///< [count] ascending by address
  size_t section_count, count;
  bool whole;
};

static bool read_sections(Elf *elf, struct code_symbols *symbols) {
  if (elf_getshdrnum(elf, &symbols->section_count) != 0)
    return false;
  symbols->sections = calloc(symbols->section_count + 1, sizeof(*symbols->sections));
  for (size_t i = 0; symbols->sections && i < symbols->section_count; i++) {
    GElf_Shdr header;
    if (gelf_getshdr(elf_getscn(elf, i), &header) && header.sh_flags & SHF_EXECINSTR)
      symbols->sections[i] = (struct section){header.sh_addr, header.sh_addr + header.sh_size};
  }
  return symbols->sections;
}

static Elf_Scn *find_table(Elf *elf, uint32_t type, GElf_Shdr *header) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
    if (gelf_getshdr(section, header) && header->sh_type == type && header->sh_entsize)
      return section;
  return NULL;
}

/// Assembly often leaves out the type of its functions; local ones are mostly labels then.
static bool is_function(const struct code_symbols *symbols, const GElf_Sym *entry) {
  int type = GELF_ST_TYPE(entry->st_info);
  if (entry->st_shndx >= symbols->section_count)
    return false;
  const struct section *section = &symbols->sections[entry->st_shndx];
  if (entry->st_value < section->start || entry->st_value >= section->end)
    return false;
  return type == STT_FUNC || type == STT_GNU_IFUNC ||
         (type == STT_NOTYPE && GELF_ST_BIND(entry->st_info) != STB_LOCAL);
}

/// Of those at one address, what is global comes first; then the name without underscores.
static int compare(const void *left, const void *right) {
  const struct elf_function *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  if (a->file_number != b->file_number)
    return a->file_number < b->file_number ? -1 : 1;
  size_t x = strspn(a->name, "_"), y = strspn(b->name, "_");
  return x != y ? (x < y ? -1 : 1) : strcmp(a->name, b->name);
}

static void read_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                       struct code_symbols *symbols) {
  Elf_Data *data = elf_getdata(section, NULL);
  size_t most = header->sh_size / header->sh_entsize;
  symbols->functions = data ? calloc(most + 1, sizeof(*symbols->functions)) : NULL;
  GElf_Sym entry;
  for (size_t i = 0; symbols->functions && i < most && gelf_getsym(data, (int)i, &entry); i++) {
    const char *name = elf_strptr(elf, header->sh_link, entry.st_name);
    if (!name || !*name || !is_function(symbols, &entry))
      continue;
    symbols->functions[symbols->count++] =
        (struct elf_function){.address = entry.st_value,
                              .bytes = entry.st_size,
                              .name = name,
                              .file = "",
                              .file_number = GELF_ST_BIND(entry.st_info) == STB_LOCAL,
                              .section = entry.st_shndx};
  }
  if (symbols->count)
    qsort(symbols->functions, symbols->count, sizeof(*symbols->functions), compare);
}

struct code_symbols *code_symbols_read(const struct elf_file *file) {
  Elf *elf = (Elf *)elf_file_handle(file);
  struct code_symbols *symbols = calloc(1, sizeof(*symbols));
  GElf_Shdr header;
  if (!symbols || !read_sections(elf, symbols)) {
    free(symbols);
    return NULL;
  }
  Elf_Scn *section = find_table(elf, SHT_SYMTAB, &header);
  symbols->whole = section;
  if (!section)
    section = find_table(elf, SHT_DYNSYM, &header);
  if (section)
    read_table(elf, section, &header, symbols);
  return symbols;
}

void code_symbols_release(struct code_symbols *symbols) {
  if (!symbols)
    return;
  free(symbols->functions);
  free(symbols->sections);
  free(symbols);
}

bool code_symbols_are_whole(const struct code_symbols *symbols) {
  return symbols && symbols->whole;
}

const struct elf_function *code_symbols_find(const struct code_symbols *symbols, uint64_t address) {
  size_t low = 0, high = symbols ? symbols->count : 0; // the last one at or before the address
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (symbols->functions[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  const struct elf_function *sized = NULL, *open_ended = NULL;
  uint64_t start = low ? symbols->functions[low - 1].address : 0;
  for (size_t i = low; i-- > 0 && symbols->functions[i].address == start;) {
    const struct elf_function *f = &symbols->functions[i];
    if (address - start < f->bytes)
      sized = f;
    else if (!f->bytes && address < symbols->sections[f->section].end)
      open_ended = f;
  }
  return sized ? sized : open_ended;
}
