// block_open.c - opens a file for its blocks: checks, code sections, BB address map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/block/block_file.h"

#include "tools/profile/regular.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(struct block_map_error *error, enum block_map_status status, const char *text) {
  error->status = status;
  snprintf(error->text, sizeof(error->text), "%s", text);
  return false;
}

/// What a file that is no ELF file is instead, and what to name in its place.
static const char *foreign_text(const char *path) {
  char magic[8] = {0};
  FILE *file = regular_fopen(path);
  size_t have = file ? fread(magic, 1, sizeof(magic), file) : 0;
  if (file)
    fclose(file);
  if (!have)
    return "is an empty file, no ELF file: name a program, a library or an object file";
  if (memcmp(magic, "!<arch>\n", 8) == 0 || memcmp(magic, "!<thin>\n", 8) == 0)
    return "is an archive: take the object file out (ar x), or name the program it is linked to";
  if (memcmp(magic, "BC\xC0\xDE", 4) == 0)
    return "is LLVM bitcode (-flto), which has no machine code yet: name the linked program";
  if (memcmp(magic, "#!", 2) == 0)
    return "is a script, no ELF file: name the program that it starts";
  return "is no ELF file: name a program, a library or an object file";
}

static const char *machine_name(unsigned machine) {
  switch (machine) {
  case EM_AARCH64:
    return "AArch64";
  case EM_386:
    return "32-bit x86";
  case EM_ARM:
    return "32-bit ARM";
  case EM_RISCV:
    return "RISC-V";
  case EM_PPC64:
    return "PowerPC";
  case EM_S390:
    return "s390";
  case EM_X86_64:
    return "x32 (x86-64 with 32-bit pointers)";
  }
  return "another machine";
}

static bool check_header(Elf *elf, bool *object, struct block_map_error *error) {
  GElf_Ehdr header;
  if (!gelf_getehdr(elf, &header))
    return refuse(error, BLOCK_MAP_DAMAGED, "is a damaged ELF file: build it again");
  if (header.e_machine != EM_X86_64 || gelf_getclass(elf) != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    error->status = BLOCK_MAP_OTHER_MACHINE;
    snprintf(error->text, sizeof(error->text),
             "is for %s (ELF machine %u), but blocks are read from 64-bit x86-64 code alone: "
             "name a build for x86-64",
             machine_name(header.e_machine), (unsigned)header.e_machine);
    return false;
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN && header.e_type != ET_REL)
    return refuse(error, BLOCK_MAP_NO_CODE, "is a core file: name the program that left it");
  *object = header.e_type == ET_REL;
  return true;
}

static int compare_address(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/// The relocations of a section of an object file, null if it has none.
static Elf_Data *relocations_of(Elf *elf, size_t number, GElf_Shdr *header) {
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, header) && header->sh_type == SHT_RELA && header->sh_info == number &&
        header->sh_entsize)
      return elf_getdata(section, NULL);
  return NULL;
}

static void read_code_relocations(Elf *elf, struct code_section *section) {
  GElf_Shdr header;
  Elf_Data *data = relocations_of(elf, section->number, &header);
  size_t count = data ? data->d_size / header.sh_entsize : 0;
  section->relocations = count ? calloc(count, sizeof(*section->relocations)) : NULL;
  GElf_Rela record;
  for (size_t i = 0; section->relocations && i < count && gelf_getrela(data, (int)i, &record); i++)
    section->relocations[section->relocation_count++] = record.r_offset;
  if (section->relocation_count)
    qsort(section->relocations, section->relocation_count, sizeof(*section->relocations),
          compare_address);
}

static bool read_sections(struct block_map *map, Elf *elf) {
  size_t sections = 0;
  elf_getshdrnum(elf, &sections);
  map->sections = calloc(sections ? sections : 1, sizeof(*map->sections));
  Elf_Scn *section = NULL;
  while (map->sections && (section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
        header.sh_type == SHT_NOBITS || !header.sh_size)
      continue;
    Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf || data->d_size != header.sh_size)
      continue;
    struct code_section *code = &map->sections[map->section_count++];
    *code = (struct code_section){
        .number = elf_ndxscn(section),
        .start = map->object ? 0 : header.sh_addr,
        .bytes = data->d_size,
        .code = data->d_buf,
    };
    if (map->object)
      read_code_relocations(elf, code);
  }
  return map->sections != NULL;
}

static int compare_relocation(const void *a, const void *b) {
  const struct bb_relocation *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/// Where the addresses of an object file's map point to. Returns [count], never null unless there
/// is no memory.
static struct bb_relocation *read_map_relocations(Elf *elf, size_t number, size_t *count) {
  GElf_Shdr header, table;
  Elf_Data *data = relocations_of(elf, number, &header);
  size_t records = data ? data->d_size / header.sh_entsize : 0;
  Elf_Scn *symbols = data ? elf_getscn(elf, header.sh_link) : NULL;
  Elf_Data *names = symbols && gelf_getshdr(symbols, &table) ? elf_getdata(symbols, NULL) : NULL;
  struct bb_relocation *out = calloc(records + 1, sizeof(*out));
  *count = 0;
  for (size_t i = 0; out && names && i < records; i++) {
    GElf_Rela record;
    GElf_Sym symbol;
    if (!gelf_getrela(data, (int)i, &record) ||
        !gelf_getsym(names, (int)GELF_R_SYM(record.r_info), &symbol) ||
        GELF_R_TYPE(record.r_info) != R_X86_64_64)
      continue;
    out[(*count)++] = (struct bb_relocation){
        .offset = record.r_offset,
        .value = symbol.st_value + (uint64_t)record.r_addend,
        .section = symbol.st_shndx,
    };
  }
  if (out && *count)
    qsort(out, *count, sizeof(*out), compare_relocation);
  return out;
}

static void warn_map(struct block_map *map, const char *why) {
  if (!map->warning[0])
    snprintf(map->warning, sizeof(map->warning),
             "section " BB_ADDRESS_MAP_SECTION_NAME
             ": %s; functions behind that are disassembled instead",
             why);
}

static void read_map_section(struct block_map *map, Elf *elf, Elf_Scn *section,
                             const GElf_Shdr *header) {
  char why[128];
  size_t count = 0;
  struct bb_relocation *relocations = NULL;
  // Compressed like a section of debug information (objcopy --compress-sections).
  if ((header->sh_flags & SHF_COMPRESSED) && elf_compress(section, 0, 0) < 0) {
    warn_map(map, "can't be decompressed");
    return;
  }
  Elf_Data *data = elf_rawdata(section, NULL);
  if (!data || (!data->d_buf && data->d_size)) {
    warn_map(map, "lies outside of the file");
    return;
  }
  if (map->object && !(relocations = read_map_relocations(elf, elf_ndxscn(section), &count))) {
    warn_map(map, "memory is short");
    return;
  }
  if (!bb_address_map_add(&map->map, data->d_buf, data->d_size, relocations, count, why,
                          sizeof(why)))
    warn_map(map, why);
  free(relocations);
}

/// Ranges of linked files say no section: the address tells. What the linker dropped has none.
static void place_ranges(struct block_map *map) {
  for (size_t i = 0; i < map->map.range_count; i++) {
    struct bb_range *range = &map->map.ranges[i];
    const struct code_section *section =
        map->object ? block_file_section(map, range->section) : block_file_find(map, range->base);
    uint64_t bytes = block_file_range_bytes(map, range);
    range->section = section ? section->number : 0;
    if (block_file_code(section, range->base, bytes))
      continue;
    if (section && range->base)
      warn_map(map, "a function reaches behind its code");
    range->entries = 0;
  }
}

static void read_map(struct block_map *map, Elf *elf) {
  size_t names;
  Elf_Scn *section = NULL;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
      continue;
    const char *name = elf_strptr(elf, names, header.sh_name);
    // Some linkers give the section a plain type.
    if (header.sh_type == BB_ADDRESS_MAP_SECTION_TYPE ||
        (name && strcmp(name, BB_ADDRESS_MAP_SECTION_NAME) == 0))
      read_map_section(map, elf, section, &header);
  }
  place_ranges(map);
}

bool block_map_open(const char *path, struct block_map **out, struct block_map_error *error) {
  *out = NULL;
  *error = (struct block_map_error){0};
  struct elf_file *file = NULL;
  enum elf_file_status status = elf_file_open(path, &file);
  if (status == ELF_FILE_UNREADABLE)
    return refuse(error, BLOCK_MAP_UNREADABLE, regular_problem(errno));
  if (status == ELF_FILE_NOT_ELF)
    return refuse(error, BLOCK_MAP_NOT_ELF, foreign_text(path));
  if (status != ELF_FILE_OK)
    return refuse(error, BLOCK_MAP_DAMAGED, elf_file_error(status));
  Elf *elf = elf_file_handle(file);
  struct block_map *map = calloc(1, sizeof(*map));
  bool object = false;
  if (!map || !check_header(elf, &object, error)) {
    free(map);
    elf_file_close(file);
    return map ? false : refuse(error, BLOCK_MAP_UNREADABLE, strerror(ENOMEM));
  }
  map->file = file;
  map->object = object;
  map->path = strdup(path);
  if (!map->path || !read_sections(map, elf)) {
    block_map_close(map);
    return refuse(error, BLOCK_MAP_UNREADABLE, strerror(ENOMEM));
  }
  if (!map->section_count) {
    block_map_close(map);
    return refuse(error, BLOCK_MAP_NO_CODE,
                  "has no section with machine code (debug information alone, cut off, or without "
                  "section headers): name the program as it was linked");
  }
  read_map(map, elf);
  *out = map;
  return true;
}

void block_map_close(struct block_map *map) {
  if (!map)
    return;
  for (size_t i = 0; i < map->section_count; i++)
    free(map->sections[i].relocations);
  for (size_t i = 0; i < map->demangled_count; i++)
    free(map->demangled[i]);
  for (size_t i = 0; i < map->name_count; i++)
    free(map->names[i]);
  for (size_t i = 0; i < map->copy_count; i++)
    free(map->copies[i].demangled);
  free(map->sections);
  free(map->demangled);
  free(map->names);
  free(map->copies);
  free(map->copy_ranges);
  free(map->path);
  bb_address_map_release(&map->map);
  block_lines_release(map->lines);
  elf_file_close(map->file);
  free(map);
}

const char *block_map_build_id(const struct block_map *map) { return elf_file_build_id(map->file); }

const char *block_map_warning(const struct block_map *map) {
  return map->warning[0] ? map->warning : NULL;
}
