// struct_shrink.c - adds up values by field, and finds how small the struct could be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_shrink.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

enum { BYTE_BITS = 8, LEAST_BYTES = 2 };

struct seen {
  uint64_t values;
  uint32_t unsigned_bits, signed_bits;
  bool is_other; ///< something accesses it that is no integer of its width
};

static struct seen values_of(const struct profile *profile, const struct struct_use *use,
                             const struct profile_member *member) {
  struct seen seen = {0};
  for (size_t i = 0; i < profile->visitsite_count; i++) {
    const struct profile_visitsite *touch = &profile->visitsites[i];
    if (touch->structure != use->record->id || touch->offset_bytes < member->offset_bytes ||
        touch->offset_bytes - member->offset_bytes >= member->size_bytes ||
        touch->flags & RETICLE_ACCESS_COPY)
      continue;
    seen.is_other |= !(touch->flags & RETICLE_ACCESS_INTEGER) || touch->bytes != member->size_bytes;
    seen.values += touch->values;
    if (touch->unsigned_bits > seen.unsigned_bits)
      seen.unsigned_bits = touch->unsigned_bits;
    if (touch->signed_bits > seen.signed_bits)
      seen.signed_bits = touch->signed_bits;
  }
  return seen;
}

static bool shrink(const struct profile_member *member, const struct seen *seen,
                   struct shrink_field *out) {
  if (member->bit_size || member->size_bytes < LEAST_BYTES || seen->is_other ||
      seen->values < SHRINK_VALUES_LEAST)
    return false;
  *out = (struct shrink_field){.member = member,
                               .values = seen->values,
                               .is_signed = seen->signed_bits < seen->unsigned_bits,
                               .bytes = member->size_bytes};
  out->bits = out->is_signed ? seen->signed_bits : seen->unsigned_bits;
  while (out->bytes > 1 && out->bits + SHRINK_ROOM_BITS <= BYTE_BITS * out->bytes / 2)
    out->bytes /= 2;
  return out->bytes < member->size_bytes;
}

static uint32_t align_up(uint32_t value, uint32_t align) {
  return align > 1 ? (value + align - 1) / align * align : value;
}

/// Fields by alignment, the largest first: no holes between them.
static uint32_t packed_bytes(const struct struct_advice *a, const struct struct_shrink *shrink) {
  uint32_t bytes = a->problem.prefix_bytes, most = a->problem.align_bytes;
  for (size_t i = 0; i < a->item_count; i++) {
    uint32_t size = a->layout_items[i].size_bytes, align = a->layout_items[i].align_bytes;
    for (size_t k = 0; a->items[i].count == 1 && k < shrink->count; k++)
      if (shrink->fields[k].member == a->items[i].first)
        size = align = shrink->fields[k].bytes;
    bytes += align_up(size, align);
    most = align > most ? align : most;
  }
  return align_up(bytes, most);
}

void struct_shrink_make(const struct profile *profile, const struct struct_advice *advice,
                        struct struct_shrink *out) {
  const struct struct_use *use = advice->use;
  *out = (struct struct_shrink){.size_bytes = use->record->size_bytes};
  if (advice->count.elements <= 1 || isnan(advice->count.more_bytes)) // one object; of any length
    return;
  out->fields = memory_zeroed(advice->item_count + 1, sizeof *out->fields);
  for (size_t i = 0; i < advice->item_count; i++) {
    const struct profile_member *member = advice->items[i].first;
    struct seen seen = values_of(profile, use, member);
    if (advice->items[i].count == 1 && shrink(member, &seen, &out->fields[out->count]))
      out->count++;
  }
  uint32_t bytes = packed_bytes(advice, out);
  uint32_t size = use->record->size_bytes;
  if (out->count && bytes < size &&
      size - bytes >= (uint64_t)(size + advice->count.more_bytes) / SHRINK_SAVES_LEAST)
    out->size_bytes = bytes;
  else
    out->count = 0;
}

void struct_shrink_release(struct struct_shrink *shrink) {
  free(shrink->fields);
  *shrink = (struct struct_shrink){0};
}
