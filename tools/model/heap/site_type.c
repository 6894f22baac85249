// site_type.c - asks the section of types, then DWARF, and says where both disagree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_type.h"

#include "tools/support/names.h"

#include <string.h>

/// What an allocator may add to a block (glibc: a header, and 16 bytes of alignment), and aligned
/// forms.
#define ALLOCATOR_BYTES 48u

static struct site_type unknown(const char *reason) {
  return (struct site_type){.status = SITE_TYPE_UNKNOWN, .reason = reason, .name = ""};
}

/// What all places at one point of the source say together.
struct saying {
  const struct allocation_place *place; ///< null: none
  bool differ, returned, bytes;
};

static struct saying ask(const struct allocation_place *places, size_t count, const char *file) {
  struct saying out = {0};
  for (size_t i = 0; i < count; i++) {
    const struct allocation_place *p = &places[i];
    if (strcmp(base_name(p->file), base_name(file)) != 0)
      continue;
    out.differ |= (p->flags & RETICLE_ALLOCATION_SEVERAL) != 0 ||
                  (out.place && strcmp(out.place->type, p->type) != 0);
    out.returned |= (p->flags & RETICLE_ALLOCATION_RETURNED) != 0;
    out.bytes |= (p->flags & RETICLE_ALLOCATION_BYTES) != 0;
    out.place = p;
  }
  return out;
}

/// The type that a place names, if the sizes of the objects agree.
static struct site_type judge(const struct allocation_place *place, const struct site_use *use) {
  const struct profile_site *site = use->record;
  struct site_type type = {.name = place->type,
                           .reason = "",
                           .size_bytes = place->size_bytes,
                           .structure = place->structure};
  const struct allocation_struct *structure = place->structure;
  const struct allocation_member *end = structure && structure->member_count
                                            ? &structure->members[structure->member_count - 1]
                                            : NULL;
  // Of an array without a length at the end nothing need be there, nor what pads the struct.
  bool has_tail = end && !end->size_bytes;
  if (site->min_bytes < (has_tail ? end->offset_bytes : place->size_bytes))
    return unknown("objects are smaller than the type that the source gives them");
  bool fits_one = site->max_bytes <= place->size_bytes + ALLOCATOR_BYTES;
  bool fits_two = site->max_bytes >= 2 * place->size_bytes;
  // n * sizeof with an n that is always 1 makes no array.
  type.is_array = fits_two && !has_tail &&
                  (place->flags & RETICLE_ALLOCATION_ARRAY ||
                   (place->flags & RETICLE_ALLOCATION_ONE && !fits_one));
  type.has_more =
      !type.is_array && (has_tail || place->flags & RETICLE_ALLOCATION_MORE || !fits_one);
  // malloc(bytes), malloc(bytes * n): elements, or one and its data.
  type.is_open =
      fits_two && !type.is_array && !has_tail && !(place->flags & RETICLE_ALLOCATION_MORE);
  return type;
}

static struct site_type heap_type(const struct site_use *use, const struct site_caller *callers,
                                  size_t count) {
  bool bytes = false;
  for (size_t i = 0; i < count; i++) {
    const struct site_caller *c = &callers[i];
    if (!c->module || !c->module->types)
      return unknown("allocated by code without the feature shadow, or changed since");
    if (!c->line || !*c->linkage)
      return unknown("no debug information (-g) at the allocation");
    size_t places;
    const struct allocation_place *place =
        allocation_types_find(c->module->types, c->linkage, c->line, c->column, &places);
    struct saying said = ask(place, places, c->file);
    if (said.differ)
      return (struct site_type){
          .status = SITE_TYPE_MIXED, .reason = "the source gives it several types", .name = ""};
    if (said.place && *said.place->type)
      return judge(said.place, use);
    bytes |= said.bytes;
    if (!said.returned)
      break;
  }
  if (bytes)
    return (struct site_type){.name = "char", .reason = "", .size_bytes = 1, .is_array = true};
  return unknown("the source gives it none: kept as void *, or handed on");
}

static struct site_type global_type(const struct measurement *m, const struct site_use *use) {
  const struct profile_site *site = use->record;
  struct saying all = {0};
  for (size_t i = 0; i < m->site_names.module_count; i++) {
    const struct allocation_types *types = m->site_names.modules[i].types;
    size_t count;
    if (!types)
      continue;
    const struct allocation_place *place =
        allocation_types_find(types, site->name, site->line, 0, &count);
    struct saying said = ask(place, count, site->file);
    all.differ |=
        said.differ || (said.place && all.place && strcmp(said.place->type, all.place->type) != 0);
    all.place = said.place ? said.place : all.place;
  }
  if (all.differ)
    return (struct site_type){
        .status = SITE_TYPE_MIXED, .reason = "several variables of this name", .name = ""};
  return all.place ? judge(all.place, use)
                   : unknown("the compiler left nothing about this variable, or -g is missing");
}

struct site_type site_type_find(const struct measurement *m, const struct site_use *use) {
  if (use->record->kind == RETICLE_SITE_GLOBAL)
    return global_type(m, use);
  struct site_caller *callers;
  size_t count = site_callers(&m->site_names, use, &callers);
  struct site_type type = heap_type(use, callers, count);
  site_callers_free(callers, count);
  return type;
}

void site_type_add_name(const struct site_type *type, struct text *out) {
  if (type->status == SITE_TYPE_KNOWN)
    text_printf(out, "%s%s%s", type->name, type->is_array ? "[]" : "",
                type->has_more ? " and more" : "");
  else
    text_add(out, type->status == SITE_TYPE_MIXED ? "mixed" : "unknown");
}
