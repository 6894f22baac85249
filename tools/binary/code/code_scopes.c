// code_scopes.c - indexes the functions and inlined copies of DWARF by address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/code_scopes.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/// Deepest nesting of scopes that is followed: debug information is not trusted to be sane.
#define DEEPEST_SCOPE 256
/// Of a copy: discriminator of the call. Source: llvm/include/llvm/BinaryFormat/Dwarf.def.
#define DW_AT_GNU_discriminator 0x2136

struct range {
  uint64_t low, high;
  size_t index;
};

struct ranges {
  struct range *items; ///< [count], ascending by low once sorted
  size_t count, capacity;
};

struct unit {
  Dwarf_Die lines; ///< has the line table
  Dwarf_Die tree;  ///< has the functions: of split debug information that of the other file
  bool indexed;
  struct ranges functions; ///< index: in dies
  Dwarf_Die *dies;
  size_t die_count, die_capacity;
};

struct code_scopes {
  struct unit *units; ///< [count]
  size_t count, capacity;
  struct ranges ranges; ///< index: in units
};

static void *grow(void *items, size_t count, size_t *capacity, size_t bytes) {
  if (count < *capacity)
    return items;
  size_t wanted = 2 * *capacity + 16;
  void *moved = realloc(items, wanted * bytes);
  if (moved)
    *capacity = wanted;
  return moved;
}

static void add_ranges(struct ranges *ranges, Dwarf_Die *die, size_t index) {
  Dwarf_Addr base, low, high;
  ptrdiff_t next = 0;
  while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
    if (high <= low || low == 0) // what the linker dropped
      continue;
    struct range *moved =
        grow(ranges->items, ranges->count, &ranges->capacity, sizeof(*ranges->items));
    if (!moved)
      return;
    ranges->items = moved;
    ranges->items[ranges->count++] = (struct range){low, high, index};
  }
}

static int compare_ranges(const void *left, const void *right) {
  const struct range *a = left, *b = right;
  return (a->low > b->low) - (a->low < b->low);
}

static void sort_ranges(struct ranges *ranges) {
  if (ranges->count)
    qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
}

/// The range that starts last at or before the address and reaches beyond it.
static const struct range *find_range(const struct ranges *ranges, uint64_t address) {
  size_t low = 0, high = ranges->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ranges->items[middle].low <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low && address < ranges->items[low - 1].high ? &ranges->items[low - 1] : NULL;
}

struct code_scopes *code_scopes_open(Dwarf *dwarf) {
  struct code_scopes *scopes = calloc(1, sizeof(*scopes));
  Dwarf_CU *cu = NULL;
  Dwarf_Die lines, tree;
  uint8_t type;
  while (scopes && dwarf_get_units(dwarf, cu, &cu, NULL, &type, &lines, &tree) == 0) {
    struct unit *moved =
        grow(scopes->units, scopes->count, &scopes->capacity, sizeof(*scopes->units));
    if (!moved)
      break;
    scopes->units = moved;
    bool is_split = type == DW_UT_skeleton && dwarf_tag(&tree) != DW_TAG_invalid;
    scopes->units[scopes->count] = (struct unit){.lines = lines, .tree = is_split ? tree : lines};
    add_ranges(&scopes->ranges, &lines, scopes->count++);
  }
  if (scopes)
    sort_ranges(&scopes->ranges);
  return scopes;
}

void code_scopes_close(struct code_scopes *scopes) {
  if (!scopes)
    return;
  for (size_t i = 0; i < scopes->count; i++) {
    free(scopes->units[i].functions.items);
    free(scopes->units[i].dies);
  }
  free(scopes->units);
  free(scopes->ranges.items);
  free(scopes);
}

size_t code_scopes_count(const struct code_scopes *scopes) {
  return scopes ? scopes->ranges.count : 0;
}

static bool add_function(struct unit *unit, Dwarf_Die *die) {
  Dwarf_Die *moved = grow(unit->dies, unit->die_count, &unit->die_capacity, sizeof(*unit->dies));
  if (!moved)
    return false;
  unit->dies = moved;
  unit->dies[unit->die_count] = *die;
  add_ranges(&unit->functions, die, unit->die_count++);
  return true;
}

/// Functions also stand in namespaces and types.
static void index_functions(struct unit *unit, Dwarf_Die *parent, unsigned depth) {
  Dwarf_Die child;
  if (depth > DEEPEST_SCOPE || dwarf_child(parent, &child) != 0)
    return;
  do {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) {
      if ((dwarf_hasattr(&child, DW_AT_low_pc) || dwarf_hasattr(&child, DW_AT_ranges)) &&
          !add_function(unit, &child))
        return;
    } else if (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
               tag == DW_TAG_structure_type || tag == DW_TAG_module) {
      index_functions(unit, &child, depth + 1);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

static const char *string_of(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  const char *text = dwarf_attr_integrate(die, attribute, &found) ? dwarf_formstring(&found) : NULL;
  return text ? text : "";
}

static const char *name_of(Dwarf_Die *die) {
  const char *name = string_of(die, DW_AT_linkage_name);
  return *name ? name : string_of(die, DW_AT_name);
}

/// The function of a scope; where in it isn't known yet.
static struct code_frame frame_of(Dwarf_Die *die) {
  struct code_frame frame = {.name = name_of(die), .file = ""};
  Dwarf_Attribute attribute;
  Dwarf_Word line;
  if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_line, &attribute), &line) == 0)
    frame.first_line = (unsigned)line;
  return frame;
}

/// Where the copy was called, in the function around it.
static void read_call(const struct unit *unit, Dwarf_Die *die, struct code_frame *caller) {
  Dwarf_Attribute attribute;
  Dwarf_Word line, number;
  Dwarf_Files *files;
  size_t count;
  caller->file = "";
  caller->line = caller->column = caller->discriminator = 0;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0)
    caller->line = (unsigned)line;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_call_column, &attribute), &line) == 0)
    caller->column = (unsigned)line;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_GNU_discriminator, &attribute), &line) == 0)
    caller->discriminator = (unsigned)line;
  Dwarf_Die lines = unit->lines;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) == 0 &&
      dwarf_getsrcfiles(&lines, &files, &count) == 0 && number < count) {
    const char *name = dwarf_filesrc(files, number, NULL, NULL);
    caller->file = name ? name : "";
  }
}

/// The child scope that holds the address; blocks are looked into.
static bool find_copy(Dwarf_Die *parent, uint64_t address, Dwarf_Die *out, unsigned depth) {
  Dwarf_Die child;
  if (depth > DEEPEST_SCOPE || dwarf_child(parent, &child) != 0)
    return false;
  do {
    int tag = dwarf_tag(&child);
    if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
        dwarf_haspc(&child, address) > 0) {
      if (tag == DW_TAG_inlined_subroutine) {
        *out = child;
        return true;
      }
      return find_copy(&child, address, out, depth + 1);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/// The line of the address, as a frame without a name.
static bool read_line(struct unit *unit, uint64_t address, struct code_frame *out) {
  Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address);
  int number = 0, column = 0;
  unsigned discriminator = 0;
  const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
  if (!file || dwarf_lineno(line, &number) != 0)
    return false;
  if (dwarf_linecol(line, &column) != 0 || column < 0)
    column = 0;
  if (dwarf_linediscriminator(line, &discriminator) != 0)
    discriminator = 0;
  *out = (struct code_frame){.name = "",
                             .file = file,
                             .line = number > 0 ? (unsigned)number : 0,
                             .column = (unsigned)column,
                             .discriminator = discriminator};
  return true;
}

size_t code_scopes_frames(struct code_scopes *scopes, uint64_t address, struct code_frame *out) {
  const struct range *found = scopes ? find_range(&scopes->ranges, address) : NULL;
  if (!found)
    return 0;
  struct unit *unit = &scopes->units[found->index];
  if (!unit->indexed) {
    index_functions(unit, &unit->tree, 0);
    sort_ranges(&unit->functions);
    unit->indexed = true;
  }
  found = find_range(&unit->functions, address);
  if (!found) // of split debug information whose other file is gone: the lines are here
    return read_line(unit, address, out) ? 1 : 0;
  // From the function down to the innermost copy, then turned around.
  struct code_frame frames[CODE_FRAMES_MAX];
  Dwarf_Die scope = unit->dies[found->index], copy;
  size_t count = 0;
  frames[count++] = frame_of(&scope);
  while (count < CODE_FRAMES_MAX && find_copy(&scope, address, &copy, 0)) {
    read_call(unit, &copy, &frames[count - 1]);
    frames[count++] = frame_of(&copy);
    scope = copy;
  }
  struct code_frame line;
  if (read_line(unit, address, &line)) {
    frames[count - 1].file = line.file;
    frames[count - 1].line = line.line;
    frames[count - 1].column = line.column;
    frames[count - 1].discriminator = line.discriminator;
  }
  for (size_t i = 0; i < count; i++)
    out[i] = frames[count - 1 - i];
  return count;
}
