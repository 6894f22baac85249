// replay_layout.c - lays fields out as written, in another order, or in several arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_layout.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

enum { POINTER_BYTES = 8 };

uint32_t replay_chunk_bytes(uint32_t bytes) {
  enum { HEADER = 8, GRAIN = 16, LEAST = 32 };
  uint32_t chunk = (bytes + HEADER + GRAIN - 1) / GRAIN * GRAIN;
  return chunk < LEAST ? LEAST : chunk;
}

static uint32_t align_up(uint32_t value, uint32_t align) {
  return align > 1 ? (value + align - 1) / align * align : value;
}

static int compare_offsets(const void *left, const void *right) {
  const struct replay_field *a = left, *b = right;
  return (a->offset_bytes > b->offset_bytes) - (a->offset_bytes < b->offset_bytes);
}

static void start(const struct struct_advice *a, struct replay_layout *out) {
  *out =
      (struct replay_layout){.fields = memory_zeroed(a->use->field_count + 2, sizeof *out->fields)};
}

/// The members of an item, whose first one lies at `to` of the array's element.
static void add_item(struct replay_layout *out, const struct advice_item *item, uint32_t array,
                     uint32_t to, bool is_copied) {
  for (size_t i = 0; i < item->count; i++)
    out->fields[out->field_count++] = (struct replay_field){
        .offset_bytes = item->first[i].offset_bytes,
        .size_bytes = item->first[i].size_bytes,
        .array = array,
        .to_bytes = to + item->first[i].offset_bytes - item->first[0].offset_bytes,
        .is_copied = is_copied};
}

/// Where elements of an array are laid out one field behind the other.
struct cursor {
  uint32_t at, align;
};

static uint32_t put(struct cursor *c, const struct layout_item *item) {
  c->at = align_up(c->at, item->align_bytes);
  c->align = item->align_bytes > c->align ? item->align_bytes : c->align;
  uint32_t here = c->at;
  c->at += item->size_bytes;
  return here;
}

static bool are_one_by_one(const struct struct_advice *a) {
  return !a->count.is_array && !isnan(a->count.elements);
}

static uint32_t stride_of(const struct struct_advice *a, uint32_t bytes) {
  return are_one_by_one(a) ? replay_chunk_bytes(bytes) : bytes;
}

static uint32_t bytes_of(const struct cursor *c) {
  return align_up(c->at ? c->at : 1, c->align ? c->align : 1);
}

static void finish(struct replay_layout *out, uint32_t array, uint32_t stride) {
  out->strides[array] = stride;
  if (out->array_count <= array)
    out->array_count = array + 1;
}

static void sort(struct replay_layout *out) {
  qsort(out->fields, out->field_count, sizeof *out->fields, compare_offsets);
}

void replay_layout_written(const struct struct_advice *a, struct replay_layout *out) {
  start(a, out);
  for (size_t i = 0; i < a->item_count; i++)
    add_item(out, &a->items[i], 0, a->items[i].first->offset_bytes, false);
  out->strides[0] = stride_of(a, a->use->record->size_bytes);
  out->array_count = 1;
  out->is_written = true;
  sort(out);
}

void replay_layout_order(const struct struct_advice *a, const size_t *order,
                         struct replay_layout *out) {
  struct cursor c = {.at = a->problem.prefix_bytes, .align = a->problem.align_bytes};
  start(a, out);
  for (size_t i = 0; i < a->item_count; i++)
    add_item(out, &a->items[order[i]], 0, put(&c, &a->layout_items[order[i]]), false);
  finish(out, 0, stride_of(a, bytes_of(&c)));
  sort(out);
}

/// Items by alignment, the largest first, as both halves of a split would be written.
static void put_items(const struct struct_advice *a, bool hot, uint32_t array, bool is_copied,
                      struct cursor *c, struct replay_layout *out) {
  for (uint32_t align = 64; align; align /= 2)
    for (size_t i = 0; i < a->item_count; i++) {
      uint32_t own = a->layout_items[i].align_bytes ? a->layout_items[i].align_bytes : 1;
      if (a->is_hot[i] == hot && (own == align || (align == 64 && own > align)))
        add_item(out, &a->items[i], array, put(c, &a->layout_items[i]), is_copied);
    }
}

static void make_arrays(const struct struct_advice *a, struct replay_layout *out) {
  uint32_t array = 0;
  struct cursor rest = {.at = a->problem.prefix_bytes};
  for (size_t i = 0; i < a->item_count && array + 1 < REPLAY_ARRAYS_MAX; i++)
    if (a->is_hot[i]) {
      struct cursor one = {0};
      add_item(out, &a->items[i], array, put(&one, &a->layout_items[i]), false);
      finish(out, array++, bytes_of(&one));
    }
  put_items(a, false, array, false, &rest, out);
  finish(out, array, bytes_of(&rest));
}

/// Parts of elements that were allocated one by one come from pools, as the advice says: one behind
/// the other, without malloc's headers. Of a pointer's bytes at least, so that places in proportion
/// keep the alignment.
static uint32_t part_stride(const struct struct_advice *a, const struct cursor *c) {
  return are_one_by_one(a) ? align_up(bytes_of(c), POINTER_BYTES) : bytes_of(c);
}

void replay_layout_parts(const struct struct_advice *a, struct replay_layout *out) {
  struct cursor hot = {0}, rest = {.at = a->problem.prefix_bytes};
  start(a, out);
  if (a->parts.kind == ADVICE_SOA) {
    make_arrays(a, out);
    sort(out);
    return;
  }
  put_items(a, true, 0, a->is_copy, &hot, out);
  if (are_one_by_one(a) && !a->is_copy) {
    out->has_link = true;
    hot.at = align_up(hot.at, POINTER_BYTES);
    out->link_bytes = hot.at;
    hot.at += POINTER_BYTES;
    hot.align = hot.align < POINTER_BYTES ? POINTER_BYTES : hot.align;
  }
  finish(out, 0, part_stride(a, &hot));
  if (a->is_copy) {
    for (size_t i = 0; i < a->item_count; i++)
      if (!a->is_hot[i])
        add_item(out, &a->items[i], 1, a->items[i].first->offset_bytes, false);
    out->strides[1] = stride_of(a, a->use->record->size_bytes);
    out->array_count = 2;
  } else {
    put_items(a, false, 1, false, &rest, out);
    finish(out, 1, part_stride(a, &rest));
  }
  sort(out);
}

void replay_layout_release(struct replay_layout *layout) {
  free(layout->fields);
  *layout = (struct replay_layout){0};
}

const struct replay_field *replay_field_at(const struct replay_layout *layout, uint32_t offset) {
  const struct replay_field *found = NULL;
  for (size_t i = 0; i < layout->field_count && layout->fields[i].offset_bytes <= offset; i++)
    if (offset - layout->fields[i].offset_bytes < layout->fields[i].size_bytes)
      found = &layout->fields[i];
  return found;
}
