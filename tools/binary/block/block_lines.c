// block_lines.c - lines of source and inlined copies, from debug information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By libdwfl: an object file's debug information has relocations of its own, which it applies. It
// lays the sections of an object file out side by side, so addresses are translated both ways.
#include "tools/binary/block/block_file.h"
#include "tools/support/demangle.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct block_lines {
  Dwfl *dwfl;
  Dwfl_Module *module; ///< null if the file could not be read again
  Dwarf_Die *unit;     ///< where the last address was found
  Dwarf_Addr bias;     ///< of unit
  uint64_t *starts;    ///< [section_count] where libdwfl puts the map's code sections
};

/// Debug information of other files isn't looked for: that may ask servers.
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **path) {
  (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
  return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_no_debuginfo,
    .section_address = dwfl_offline_section_address,
};

/// Where libdwfl puts each code section.
static void read_starts(const struct block_map *map, struct block_lines *lines) {
  GElf_Addr bias = 0;
  // Section addresses of an object file are assigned when its debug information is read.
  (void)dwfl_module_getdwarf(lines->module, &bias);
  Elf *elf = dwfl_module_getelf(lines->module, &bias);
  for (size_t i = 0; elf && i < map->section_count; i++) {
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(elf, map->sections[i].number);
    if (section && gelf_getshdr(section, &header))
      lines->starts[i] = header.sh_addr + bias;
  }
}

static struct block_lines *open_lines(struct block_map *map) {
  if (map->lines)
    return map->lines;
  struct block_lines *lines = map->lines = calloc(1, sizeof(*lines));
  if (!lines)
    return NULL;
  lines->starts = calloc(map->section_count, sizeof(*lines->starts));
  lines->dwfl = dwfl_begin(&callbacks);
  if (!lines->starts || !lines->dwfl)
    return lines;
  dwfl_report_begin(lines->dwfl);
  Dwfl_Module *module = dwfl_report_offline(lines->dwfl, "file", map->path, -1);
  dwfl_report_end(lines->dwfl, NULL, NULL);
  lines->module = module;
  if (module)
    read_starts(map, lines);
  return lines;
}

void block_lines_release(struct block_lines *lines) {
  if (!lines)
    return;
  dwfl_end(lines->dwfl);
  free(lines->starts);
  free(lines);
}

/// The compile unit that holds an address of libdwfl's. Not by .debug_aranges, which clang leaves
/// out.
static Dwarf_Die *find_unit(struct block_lines *lines, uint64_t address) {
  if (lines->unit && dwarf_haspc(lines->unit, address - lines->bias) > 0)
    return lines->unit;
  Dwarf_Die *unit = NULL;
  Dwarf_Addr bias;
  while ((unit = dwfl_module_nextcu(lines->module, unit, &bias)))
    if (dwarf_haspc(unit, address - bias) > 0) {
      lines->bias = bias;
      return lines->unit = unit;
    }
  return NULL;
}

void block_lines_find(struct block_map *map, size_t section, uint64_t address, const char **file,
                      unsigned *line) {
  struct block_lines *lines = open_lines(map);
  *file = "";
  *line = 0;
  for (size_t i = 0; lines && lines->module && i < map->section_count; i++) {
    if (map->sections[i].number != section)
      continue;
    uint64_t there = address - map->sections[i].start + lines->starts[i];
    Dwarf_Die *unit = find_unit(lines, there);
    Dwarf_Line *found = unit ? dwarf_getsrc_die(unit, there - lines->bias) : NULL;
    int number = 0;
    const char *name = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
    if (name && dwarf_lineno(found, &number) == 0) {
      *file = name;
      *line = number > 0 ? (unsigned)number : 0;
    }
    return;
  }
}

static const char *string_of(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  return dwarf_attr_integrate(die, attribute, &found) ? dwarf_formstring(&found) : NULL;
}

/// Translates libdwfl's range into the file's terms. Returns false if it is not in code.
static bool translate(const struct block_map *map, const struct block_lines *lines, Dwarf_Addr low,
                      Dwarf_Addr high, struct code_range *out) {
  for (size_t i = 0; i < map->section_count; i++) {
    const struct code_section *code = &map->sections[i];
    if (low < lines->starts[i] || low - lines->starts[i] >= code->bytes ||
        high - lines->starts[i] > code->bytes)
      continue;
    *out = (struct code_range){.section = code->number,
                               .address = low - lines->starts[i] + code->start,
                               .bytes = high - low};
    return true;
  }
  return false;
}

static bool add_range(struct block_map *map, const struct code_range *range) {
  struct code_range *moved =
      realloc(map->copy_ranges, (map->copy_range_count + 1) * sizeof(*moved));
  if (!moved)
    return false;
  map->copy_ranges = moved;
  map->copy_ranges[map->copy_range_count++] = *range;
  return true;
}

static void add_copy(struct block_map *map, Dwarf_Die *die, Dwarf_Addr bias, const char *name) {
  struct inlined_copy copy = {.first_range = map->copy_range_count, .name = name};
  Dwarf_Addr base, low, high;
  ptrdiff_t next = 0;
  while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
    struct code_range range;
    if (high <= low || !translate(map, map->lines, low + bias, high + bias, &range) ||
        !add_range(map, &range))
      continue;
    if (!copy.ranges || range.address < copy.address) {
      copy.address = range.address;
      copy.section = range.section;
    }
    copy.ranges++;
  }
  struct inlined_copy *moved =
      copy.ranges ? realloc(map->copies, (map->copy_count + 1) * sizeof(*moved)) : NULL;
  if (!moved)
    return;
  map->copies = moved;
  copy.demangled = demangle(name);
  if (!copy.demangled)
    return;
  map->copies[map->copy_count++] = copy;
}

static bool is_wanted(const char *linkage, const char *name, const char *wanted) {
  if (name && strcmp(name, wanted) == 0)
    return true;
  if (!linkage || !name || !strstr(wanted, name))
    return linkage && strcmp(linkage, wanted) == 0;
  return strcmp(linkage, wanted) == 0 || block_file_demangles_to(linkage, wanted);
}

/// Deepest nesting of scopes that is followed: debug information is not trusted to be sane.
#define DEEPEST_SCOPE 256

static void walk(struct block_map *map, Dwarf_Die *die, Dwarf_Addr bias, const char *wanted,
                 unsigned depth) {
  Dwarf_Die child;
  if (depth > DEEPEST_SCOPE || dwarf_child(die, &child) != 0)
    return;
  do {
    if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
      const char *linkage = string_of(&child, DW_AT_linkage_name);
      const char *name = string_of(&child, DW_AT_name);
      if (is_wanted(linkage, name, wanted))
        add_copy(map, &child, bias, linkage ? linkage : name);
    }
    walk(map, &child, bias, wanted, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0);
}

void block_lines_inlined(struct block_map *map, const char *name) {
  struct block_lines *lines = open_lines(map);
  Dwarf_Die *unit = NULL;
  Dwarf_Addr bias;
  while (lines && lines->module && (unit = dwfl_module_nextcu(lines->module, unit, &bias)))
    walk(map, unit, bias, name, 0);
}
