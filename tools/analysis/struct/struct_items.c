// struct_items.c - what of a struct moves as one, and which of it must stay where it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_advice_parts.h"

#include <string.h>

uint32_t advice_align_of(uint32_t flags, unsigned shift) {
  uint32_t log = flags >> shift & RETICLE_MEMBER_ALIGN_MASK;
  return log && log <= 32 ? UINT32_C(1) << (log - 1) : 0;
}

/// Where the member can't move: a base class's part, or the table of virtual functions.
static bool is_fixed(const struct profile_member *m) {
  return m->flags & (RETICLE_MEMBER_BASE | RETICLE_MEMBER_VPTR);
}

static bool continues(const struct profile_member *m, const struct profile_member *before) {
  return m->flags & RETICLE_MEMBER_CONTINUES ||
         (m->flags & before->flags & RETICLE_MEMBER_BITFIELD);
}

void advice_items_make(struct struct_advice *a) {
  const struct struct_use *use = a->use;
  uint32_t end_fixed = 0;
  for (size_t i = 0; i < use->field_count; i++) {
    const struct profile_member *m = use->fields[i].member;
    uint32_t end = m->offset_bytes + m->size_bytes;
    // A virtual base lies behind the fields, and moves with them.
    if (is_fixed(m)) {
      if (!a->item_count && end > end_fixed)
        end_fixed = end;
      continue;
    }
    if (a->item_count && continues(m, m - 1)) {
      a->items[a->item_count - 1].count++;
    } else {
      a->items[a->item_count++] = (struct advice_item){m, 1};
    }
    struct layout_item *item = &a->layout_items[a->item_count - 1];
    uint32_t start = a->items[a->item_count - 1].first->offset_bytes;
    item->size_bytes = end > start ? end - start : 0;
    bool is_packed = use->record->flags & RETICLE_STRUCT_PACKED;
    uint32_t align = is_packed ? 1 : advice_align_of(m->flags, RETICLE_MEMBER_ALIGN_SHIFT);
    item->align_bytes = align > item->align_bytes ? align : item->align_bytes;
    item->is_last = i + 1 == use->field_count && struct_member_is_open(use, m);
  }
  a->ascends = true;
  for (size_t i = 1; i < a->item_count; i++)
    a->ascends &= a->items[i - 1].first->offset_bytes + a->layout_items[i - 1].size_bytes <=
                      a->items[i].first->offset_bytes &&
                  a->layout_items[i - 1].size_bytes;
  // The first field of a derived class may lie in its base's padding.
  uint32_t first = a->item_count ? a->items[0].first->offset_bytes : 0;
  a->problem.prefix_bytes = end_fixed && end_fixed < first ? end_fixed : end_fixed ? first : 0;
}

/// The struct's first member, or where it would stand: a merged profile has them by struct.
static const struct profile_member *first_member(const struct profile *profile, size_t structure) {
  size_t low = 0, high = profile->member_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (profile->members[middle].structure < structure)
      low = middle + 1;
    else
      high = middle;
  }
  return profile->members + low;
}

/// Fields that the struct that begins with x, and struct b, both begin with.
static size_t common_prefix(const struct profile *profile, const struct profile_member *x,
                            size_t b) {
  const struct profile_member *end = profile->members + profile->member_count;
  const struct profile_member *y = first_member(profile, b);
  size_t a = x < end ? x->structure : b;
  size_t n = 0;
  while (x < end && y < end && x->structure == a && y->structure == b &&
         x->offset_bytes == y->offset_bytes && strcmp(x->name, y->name) == 0 &&
         strcmp(x->type, y->type) == 0)
    n++, x++, y++;
  return n;
}

/// Whether the fields lie where a base class has the rest of its last array.
static bool has_open_base(const struct struct_use *use) {
  for (size_t i = 0; i < use->field_count; i++)
    if (use->fields[i].member->flags & RETICLE_MEMBER_BASE &&
        use->fields[i].member->flags & RETICLE_MEMBER_FLEXIBLE)
      return true;
  return false;
}

/// Older profiles say it by the type alone.
static bool is_struct(const struct profile_member *m) {
  return m->flags & RETICLE_MEMBER_STRUCT ||
         (strncmp(m->type, "struct ", 7) == 0 && !strchr(m->type, '*') && !strchr(m->type, '['));
}

size_t advice_pins_find(const struct profile *profile, struct struct_advice *a) {
  size_t members = 0;
  if (has_open_base(a->use)) {
    a->pins |= ADVICE_PIN_TAIL;
    return a->item_count;
  }
  const struct profile_member *own = first_member(profile, a->use->index);
  for (size_t i = 0; a->use->record->flags & RETICLE_STRUCT_IN_UNION && i < profile->struct_count;
       i++)
    if (i != a->use->index && profile->structs[i].flags & RETICLE_STRUCT_IN_UNION) {
      size_t n = common_prefix(profile, own, i);
      members = n > members ? n : members;
    }
  if (members)
    a->pins |= ADVICE_PIN_PREFIX;
  size_t items = 0;
  for (size_t seen = 0; items < a->item_count && seen < members; items++)
    seen += a->items[items].count;
  if (!items && a->item_count && is_struct(a->items[0].first)) {
    a->pins |= ADVICE_PIN_HEADER;
    items = 1;
  }
  return items;
}

bool advice_pin_wish(struct struct_advice *a, const char *name) {
  for (size_t i = 0; name && i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++)
      if (strcmp(a->items[i].first[k].name, name) == 0) {
        a->problem.pinned = i + 1 > a->problem.pinned ? i + 1 : a->problem.pinned;
        a->pins |= ADVICE_PIN_GIVEN;
        return true;
      }
  return !name;
}
