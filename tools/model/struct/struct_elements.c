// struct_elements.c - adds up the allocation sites whose type is a struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_elements.h"

#include "tools/model/measurement/lazy.h"

#include "tools/model/heap/site_type.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What sites say of one struct.
struct told {
  struct element_count count;
  double by_sites;  ///< elements of which sites know, others may be elsewhere; NaN: any number
  double in_arrays; ///< of these
};

/// [structs.count] of the measurement
struct told_all {
  struct told *structs;
};

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
                     const struct site_type *type, struct told_all *out) {
  for (size_t i = 0; i < m->structs.count; i++) {
    const struct profile_struct *record = m->structs.structs[i].record;
    struct element_count *count = &out->structs[i].count;
    if (type->size_bytes != record->size_bytes || strcmp(type->structure->name, record->name) != 0)
      continue;
    double elements = elements_of(site, type);
    count->elements += elements;
    if (elements > 0 && (struct_is_open(&m->structs.structs[i]) || type->has_more))
      count->more_bytes +=
          elements *
          fmax((double)site->bytes / (double)site->objects - (double)type->size_bytes, 0);
    out->structs[i].in_arrays += type->is_array ? elements : 0;
  }
}

static void make(const struct measurement *m, struct told_all *out) {
  out->structs = memory_zeroed(m->structs.count + 1, sizeof *out->structs);
  double untyped_bytes = 0;
  for (size_t i = 0; m->sites.marked && i < m->sites.count; i++) {
    const struct profile_site *site = m->sites.sites[i].record;
    struct site_type type = site_type_find(m, &m->sites.sites[i]);
    if (is_untyped(&type))
      untyped_bytes += (double)site->peak_bytes;
    else if (type.structure && type.size_bytes)
      add_site(m, site, &type, out);
  }
  for (size_t i = 0; i < m->structs.count; i++) {
    struct element_count *count = &out->structs[i].count;
    // A few small arrays beside nodes that are allocated one by one make no array of them.
    count->is_array = out->structs[i].in_arrays > count->elements / 2;
    out->structs[i].by_sites = count->elements;
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

static void release(struct told_all *all) { free(all->structs); }

static LAZY(told, struct told_all, make, release)

    static void make_walks(const struct measurement *m, const struct struct_use *use,
                           struct visit_walks *out) {
  visit_walks_make(&m->input.profile, use->record, out);
}

static LAZY_OF(walks, struct visit_walks, struct struct_use, make_walks, visit_walks_release)

    const struct visit_walks *struct_walks_get(const struct measurement *m,
                                               const struct struct_use *use) {
  return m->input.profile.visit_count ? walks_get(m, use) : NULL;
}

struct element_count struct_elements_get(const struct measurement *m,
                                         const struct struct_use *use) {
  // What sites say, where they do; else the elements that visits show.
  const struct told *told = &told_get(m)->structs[use - m->structs.structs];
  bool is_array = told->count.more_bytes == 0; // else nothing lies so many sizes on
  const struct visit_walks *walks =
      isnan(told->count.elements) && is_array ? struct_walks_get(m, use) : NULL;
  if (!walks || isnan(walks->elements))
    return told->count;
  return (struct element_count){fmax(walks->elements, told->by_sites), walks->is_array, 0};
}
