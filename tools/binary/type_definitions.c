// type_definitions.c - goes through the types of all units by libdw.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/type_definitions.h"

#include "tools/binary/elf_file.h"
#include "tools/binary/source_files.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/// Types in types, at most.
#define DEPTH_MOST 32

struct search {
  const char *name, *file, *unit, *directory;
  unsigned line;
  struct type_definitions *out;
};

static bool is_record(Dwarf_Die *die) {
  int tag = dwarf_tag(die);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/// The file that declares it; null if unknown. dwarf_decl_file takes file 0 for none, which in
/// DWARF 5 is the unit's own.
static const char *declaring_file(Dwarf_Die *die) {
  Dwarf_Die unit;
  Dwarf_Attribute attribute;
  Dwarf_Word index;
  Dwarf_Files *files;
  size_t count;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_decl_file, &attribute), &index) != 0 ||
      !dwarf_diecu(die, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &count) != 0 ||
      index >= count)
    return NULL;
  return dwarf_filesrc(files, index, NULL, NULL);
}

/// Whether the type stands where the one that is looked for does.
static bool is_wanted(const struct search *s, Dwarf_Die *die) {
  int line;
  const char *name = dwarf_diename(die), *file;
  return is_record(die) && !dwarf_hasattr(die, DW_AT_declaration) &&
         dwarf_decl_line(die, &line) == 0 && line >= 0 && (unsigned)line == s->line &&
         (file = declaring_file(die)) && strcmp(base_name(file), base_name(s->file)) == 0 &&
         (!name || strcmp(name, s->name) == 0);
}

static bool is_aggregate(Dwarf_Die *member) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, peeled;
  if (!dwarf_formref_die(dwarf_attr(member, DW_AT_type, &attribute), &type) ||
      dwarf_peel_type(&type, &peeled) != 0)
    return false;
  int tag = dwarf_tag(&peeled);
  return is_record(&peeled) || tag == DW_TAG_union_type || tag == DW_TAG_array_type;
}

static void add_members(Dwarf_Die *type, struct text *out, struct text *aggregates) {
  Dwarf_Die die;
  text_add(aggregates, " ");
  for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    Dwarf_Attribute attribute;
    Dwarf_Word offset = 0, bits = 0;
    if (dwarf_tag(&die) != DW_TAG_member)
      continue;
    dwarf_formudata(dwarf_attr(&die, DW_AT_data_member_location, &attribute), &offset);
    dwarf_formudata(dwarf_attr(&die, DW_AT_data_bit_offset, &attribute), &bits);
    const char *name = dwarf_diename(&die);
    text_format(out, "%s@%llu ", name ? name : "", (unsigned long long)(8 * offset + bits));
    if (name && is_aggregate(&die))
      text_format(aggregates, "%s ", name);
  }
}

static void add_definition(struct search *s, Dwarf_Die *die) {
  struct text members = {0}, aggregates = {0};
  Dwarf_Word bytes = 0;
  Dwarf_Attribute attribute;
  struct type_definitions *out = s->out;
  add_members(die, &members, &aggregates);
  dwarf_formudata(dwarf_attr(die, DW_AT_byte_size, &attribute), &bytes);
  for (size_t i = 0; i < out->count; i++)
    if (out->all[i].size_bytes == bytes && strcmp(out->all[i].members, text_get(&members)) == 0) {
      text_release(&members);
      text_release(&aggregates);
      return;
    }
  out->all = memory_resized(out->all, out->count + 1, sizeof *out->all);
  out->all[out->count++] = (struct type_definition){
      source_files_path(s->directory, declaring_file(die)), text_copy(s->unit),
      text_copy(text_get(&members)), text_copy(text_get(&aggregates)), bytes};
  text_release(&members);
  text_release(&aggregates);
}

static void add_typedef(struct search *s, Dwarf_Die *die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  const char *name = dwarf_diename(die);
  if (!name || !dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attribute), &type) ||
      !is_wanted(s, &type))
    return;
  struct type_definitions *out = s->out;
  for (size_t i = 0; i < out->typedef_count; i++)
    if (strcmp(out->typedefs[i], name) == 0)
      return;
  out->typedefs = memory_resized(out->typedefs, out->typedef_count + 1, sizeof *out->typedefs);
  out->typedefs[out->typedef_count++] = text_copy(name);
}

static void search_in(struct search *s, Dwarf_Die *parent, unsigned depth) {
  Dwarf_Die die;
  for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    int tag = dwarf_tag(&die);
    if (is_wanted(s, &die))
      add_definition(s, &die);
    if (tag == DW_TAG_typedef)
      add_typedef(s, &die);
    bool holds_types = tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
                       tag == DW_TAG_lexical_block || tag == DW_TAG_union_type || is_record(&die);
    if (holds_types && depth < DEPTH_MOST)
      search_in(s, &die, depth + 1);
  }
}

bool type_definitions_read(const char *executable, const char *name, const char *file,
                           unsigned line, struct type_definitions *out) {
  *out = (struct type_definitions){0};
  struct elf_file *opened;
  if (elf_file_open(executable, &opened) == ELF_FILE_UNREADABLE)
    return false;
  Dwarf *dwarf = opened ? dwarf_begin_elf(elf_file_handle(opened), DWARF_C_READ, NULL) : NULL;
  Dwarf_CU *unit = NULL;
  Dwarf_Die die, split;
  uint8_t type;
  while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &split) == 0) {
    Dwarf_Die *full =
        type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit ? &split : &die;
    const char *source = dwarf_diename(full);
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));
    struct search s = {.name = name,
                       .file = file,
                       .unit = source ? source : "?",
                       .directory = directory ? directory : "",
                       .line = line,
                       .out = out};
    search_in(&s, full, 0);
  }
  if (dwarf)
    dwarf_end(dwarf);
  elf_file_close(opened);
  return true;
}

void type_definitions_release(struct type_definitions *types) {
  for (size_t i = 0; i < types->count; i++) {
    free(types->all[i].file);
    free(types->all[i].unit);
    free(types->all[i].members);
    free(types->all[i].aggregates);
  }
  for (size_t i = 0; i < types->typedef_count; i++)
    free(types->typedefs[i]);
  free(types->all);
  free(types->typedefs);
  *types = (struct type_definitions){0};
}
