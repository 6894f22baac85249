// dwarf_units.c - reads the units and their address ranges by libdw, and sorts them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/dwarf_units.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

struct growing {
  size_t units, ranges; ///< capacities
};

static bool grow(void **array, size_t *capacity, size_t count, size_t size) {
  if (count < *capacity)
    return true;
  size_t wanted = *capacity ? 2 * *capacity : 64;
  void *larger = realloc(*array, wanted * size);
  if (!larger)
    return false;
  *array = larger;
  *capacity = wanted;
  return true;
}

static const char *text_attribute(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  const char *text = dwarf_formstring(dwarf_attr(die, name, &attribute));
  return text ? text : "";
}

/// Adds the unit's ranges. Dead ones (the linker threw the code away) start at 0 or at the
/// "tombstone" -1 or -2 (lld).
static bool add_ranges(struct dwarf_units *out, struct growing *room, Dwarf_Die *die) {
  Dwarf_Addr base, low, high;
  ptrdiff_t at = 0;
  while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
    if (low >= high || low == 0 || low >= UINT64_MAX - 1)
      continue;
    if (!grow((void **)&out->ranges, &room->ranges, out->range_count, sizeof(*out->ranges)))
      return false;
    out->ranges[out->range_count++] =
        (struct dwarf_range){.low = low, .high = high, .unit = out->count - 1};
  }
  return true;
}

static bool add_unit(struct dwarf_units *out, struct growing *room, Dwarf_Die *die,
                     Dwarf_Die *split) {
  if (!grow((void **)&out->units, &room->units, out->count, sizeof(*out->units)))
    return false;
  // With -gsplit-dwarf the skeleton has directory and ranges, the .dwo file name and language.
  Dwarf_Die *full = split && dwarf_tag(split) == DW_TAG_compile_unit ? split : die;
  out->units[out->count++] =
      (struct dwarf_unit){.name = text_attribute(full, DW_AT_name),
                          .directory = text_attribute(die, DW_AT_comp_dir),
                          .producer = text_attribute(full, DW_AT_producer),
                          .assembler = dwarf_srclang(full) == DW_LANG_Mips_Assembler};
  return add_ranges(out, room, die);
}

static int compare_ranges(const void *a, const void *b) {
  const struct dwarf_range *x = a, *y = b;
  return (x->low > y->low) - (x->low < y->low);
}

bool dwarf_units_read(const char *path, struct dwarf_units *out) {
  *out = (struct dwarf_units){0};
  if (elf_file_open(path, &out->file) == ELF_FILE_UNREADABLE)
    return false;
  Dwarf *dwarf = out->file ? dwarf_begin_elf(elf_file_handle(out->file), DWARF_C_READ, NULL) : NULL;
  out->handle = dwarf;
  if (!dwarf)
    return true; // no debug information
  struct growing room = {0};
  Dwarf_CU *unit = NULL;
  uint8_t type;
  Dwarf_Die die, split;
  while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &split) == 0) {
    bool code = type == DW_UT_compile || type == DW_UT_skeleton;
    if (code && !add_unit(out, &room, &die, type == DW_UT_skeleton ? &split : NULL))
      break;
  }
  if (out->range_count)
    qsort(out->ranges, out->range_count, sizeof(*out->ranges), compare_ranges);
  return true;
}

void dwarf_units_release(struct dwarf_units *units) {
  if (units->handle)
    dwarf_end(units->handle);
  elf_file_close(units->file);
  free(units->units);
  free(units->ranges);
  *units = (struct dwarf_units){0};
}

const struct dwarf_unit *dwarf_units_find(const struct dwarf_units *units, uint64_t address) {
  size_t from = 0, to = units->range_count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (units->ranges[middle].low <= address)
      from = middle + 1;
    else
      to = middle;
  }
  if (!from || address >= units->ranges[from - 1].high)
    return NULL;
  return &units->units[units->ranges[from - 1].unit];
}
