// struct_elements.c - adds up the allocation sites whose type is a struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_elements.h"

#include "tools/model/heap/site_type.h"
#include "tools/support/memory.h"

#include <math.h>
#include <string.h>

/// Memory that may hold structs of any type, or pieces of an allocator written by hand.
static bool is_untyped(const struct site_type *type) {
  return type->status != SITE_TYPE_KNOWN || strcmp(type->name, "char") == 0;
}

/// Elements of a site at its peak; NAN: any number of them.
static double elements_of(const struct profile_site *site, const struct site_type *type) {
  double mean = site->objects ? (double)site->bytes / (double)site->objects : 0;
  if (type->is_open)
    return NAN;
  if (type->is_array)
    return floor((double)site->peak_bytes / (double)type->size_bytes);
  return mean > 0 ? round((double)site->peak_bytes / mean) : 0;
}

static void add_site(const struct measurement *m, const struct profile_site *site,
                     const struct site_type *type) {
  for (size_t i = 0; i < m->structs.count; i++) {
    const struct profile_struct *record = m->structs.structs[i].record;
    struct element_count *count = &m->struct_elements[i].count;
    if (type->size_bytes != record->size_bytes || strcmp(type->structure->name, record->name) != 0)
      continue;
    double elements = elements_of(site, type);
    count->elements += elements;
    if (elements > 0 && (struct_is_open(&m->structs.structs[i]) || type->has_more))
      count->more_bytes +=
          elements *
          fmax((double)site->bytes / (double)site->objects - (double)type->size_bytes, 0);
    m->struct_elements[i].in_arrays += type->is_array ? elements : 0;
  }
}

static void make(const struct measurement *m) {
  double untyped_bytes = 0;
  for (size_t i = 0; m->sites.marked && i < m->sites.count; i++) {
    const struct profile_site *site = m->sites.sites[i].record;
    struct site_type type = site_type_find(m, &m->sites.sites[i]);
    if (is_untyped(&type))
      untyped_bytes += (double)site->peak_bytes;
    else if (type.structure && type.size_bytes)
      add_site(m, site, &type);
  }
  for (size_t i = 0; i < m->structs.count; i++) {
    struct element_count *count = &m->struct_elements[i].count;
    // A few small arrays beside nodes that are allocated one by one make no array of them.
    count->is_array = m->struct_elements[i].in_arrays > count->elements / 2;
    m->struct_elements[i].by_sites = count->elements;
    if (count->elements > 0)
      count->more_bytes /= count->elements;
    else
      count->more_bytes = struct_is_open(&m->structs.structs[i]) ? NAN : 0;
    double bytes = count->elements * m->structs.structs[i].record->size_bytes;
    if (!(count->elements > 0) ||
        (untyped_bytes >= bytes && untyped_bytes >= ELEMENT_FIRST_CACHE_BYTES))
      count->elements = NAN;
  }
}

const struct visit_walks *struct_walks_get(const struct measurement *m, size_t structure) {
  struct struct_elements *kept = &m->struct_elements[structure];
  const struct profile *profile = &m->input.profile;
  if (!profile->visit_count)
    return NULL;
  if (!kept->has_walks &&
      visit_walks_make(profile, m->structs.structs[structure].record, &kept->walks))
    memory_exhausted();
  kept->has_walks = true;
  return &kept->walks;
}

/// What sites say, where they do; else the elements that visits show.
static struct element_count count_of(const struct measurement *m, size_t structure) {
  const struct struct_elements *kept = &m->struct_elements[structure];
  bool is_array = kept->count.more_bytes == 0; // else nothing lies so many sizes on
  const struct visit_walks *walks =
      isnan(kept->count.elements) && is_array ? struct_walks_get(m, structure) : NULL;
  if (!walks || isnan(walks->elements))
    return kept->count;
  return (struct element_count){fmax(walks->elements, kept->by_sites), walks->is_array, 0};
}

struct element_count struct_elements_get(const struct measurement *m, size_t structure) {
  if (!m->struct_elements[0].is_made)
    make(m);
  m->struct_elements[0].is_made = true;
  return count_of(m, structure);
}

void struct_elements_release(const struct measurement *m) {
  for (size_t i = 0; m->struct_elements && i < m->structs.count; i++)
    visit_walks_release(&m->struct_elements[i].walks);
}
