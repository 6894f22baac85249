// replay_list.c - turns visits into lines, and adds what fills the caches before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_list_parts.h"
#include "tools/profile/mix.h"
#include "tools/support/memory.h"

#include <stdlib.h>

#define LINE_BYTES 64u

static void add_bytes(struct replay_lines *l, uint64_t at, uint64_t bytes, bool is_write) {
  for (uint64_t n = at / LINE_BYTES; n <= (at + (bytes ? bytes - 1 : 0)) / LINE_BYTES; n++) {
    uint32_t i = 0;
    if (n >= l->limit)
      return;
    while (i < l->count && l->numbers[i] != n)
      i++;
    if (i == REPLAY_VISIT_LINES)
      return;
    if (i == l->count) {
      l->numbers[l->count] = n;
      l->written[l->count++] = false;
    }
    l->written[i] |= is_write;
  }
}

/// Bytes of one element, which may lie in several of the layout's arrays.
static void add_range(const struct replay_builder *b, struct replay_lines *l, uint64_t element,
                      uint64_t offset, uint64_t bytes, bool is_write) {
  const struct replay_space *s = &b->space;
  const struct replay_layout *layout = s->layout;
  uint64_t end = offset + bytes, size = s->input->size_bytes;
  end = end > size ? size : end;
  if (layout->is_written) {
    add_bytes(l, replay_space_at(s, element, 0, (uint32_t)offset), end - offset, is_write);
    return;
  }
  for (size_t i = 0; i < layout->field_count; i++) {
    const struct replay_field *f = &layout->fields[i];
    uint64_t from = f->offset_bytes > offset ? f->offset_bytes : offset;
    uint64_t to = f->offset_bytes + (uint64_t)f->size_bytes;
    to = to < end ? to : end;
    if (from >= to)
      continue;
    if (f->is_copied && (l->is_whole || is_write))
      add_bytes(l, replay_space_at(s, element, (uint32_t)layout->array_count - 1, (uint32_t)from),
                to - from, is_write);
    if (f->is_copied && l->is_whole && !is_write)
      continue;
    if (layout->has_link && f->array == 1)
      add_bytes(l, replay_space_at(s, element, 0, layout->link_bytes), 8, false);
    add_bytes(
        l, replay_space_at(s, element, f->array, f->to_bytes + (uint32_t)(from - f->offset_bytes)),
        to - from, is_write);
  }
}

static void add_touch(const struct replay_builder *b, struct replay_lines *l, uint64_t element,
                      const struct profile_visitsite *touch) {
  uint32_t size = b->space.input->size_bytes;
  uint64_t times = touch->times ? touch->times : 1;
  bool is_write = touch->flags & RETICLE_ACCESS_WRITE;
  const struct replay_field *f = replay_field_at(b->space.layout, touch->offset_bytes);
  bool is_one = f && touch->bytes * times <= f->size_bytes; // of an array in the struct
  if (touch->offset_bytes >= size)
    return;
  if (is_one || times == 1) {
    add_range(b, l, element, touch->offset_bytes, touch->bytes * times, is_write);
    return;
  }
  for (uint64_t i = 0; i < times && l->count < REPLAY_VISIT_LINES; i++)
    add_range(b, l, element + i * size, touch->offset_bytes, touch->bytes, is_write);
}

/// Whether a visit touches what isn't in a copy.
static bool is_whole(const struct replay_layout *layout, const struct visit_place *place) {
  for (size_t i = 0; i < place->touch_count; i++) {
    const struct profile_visitsite *touch = place->touches[i];
    const struct replay_field *f = replay_field_at(layout, touch->offset_bytes);
    if (!f || !f->is_copied ||
        touch->offset_bytes + (uint64_t)touch->bytes > f->offset_bytes + (uint64_t)f->size_bytes)
      return true;
  }
  return false;
}

void replay_lines_find(const struct replay_builder *b, const struct visit_place *place,
                       uint64_t element, struct replay_lines *l) {
  l->count = 0;
  l->limit = b->space.bytes / LINE_BYTES;
  l->is_whole = is_whole(b->space.layout, place);
  for (size_t i = 0; i < place->touch_count; i++)
    add_touch(b, l, element, place->touches[i]);
}

static void add_entries(struct replay_builder *b, const struct replay_lines *l, uint32_t flags) {
  struct replay_list *out = b->out;
  if (out->count + l->count > b->room) {
    b->room = 2 * b->room + REPLAY_VISIT_LINES + 4096;
    out->entries = memory_resized(out->entries, b->room, sizeof *out->entries);
  }
  for (uint32_t i = 0; i < l->count; i++) {
    out->entries[out->count++] = (uint32_t)l->numbers[i] | (i ? 0 : REPLAY_FIRST | flags) |
                                 (l->written[i] ? REPLAY_WRITE : 0);
    out->has_writes |= l->written[i];
  }
}

/// The same visits of each layout, and with a smaller share fewer of them: ends of loops go first.
static bool waits(const struct replay_input *in, const struct visit *visit) {
  uint64_t number = (uint64_t)(visit - in->visits->all);
  double share = in->branch_share / REPLAY_WAYS_WAIT - (visit->wait == VISIT_BY_TRIPS ? 1 : 0);
  if (visit->wait == VISIT_FREE || visit->wait == VISIT_BY_DATA)
    return visit->wait == VISIT_BY_DATA;
  return (double)(profile_mix(number) >> 32) < share * 0x1p32;
}

static uint32_t flags_of(const struct replay_input *in, const struct visit *visit) {
  bool is_branch = visit->wait == VISIT_BY_BRANCH || visit->wait == VISIT_BY_TRIPS;
  return (waits(in, visit) ? REPLAY_DEPENDENT : 0) | (is_branch ? REPLAY_BRANCH : 0);
}

static void add_window(struct replay_builder *b, const struct visit_window *from,
                       struct replay_window *to) {
  const struct replay_input *in = b->space.input;
  double weight = 0;
  to->first = b->out->count;
  for (size_t i = 0; i < from->count; i++) {
    const struct visit_place *place = &in->visits->places[from->visits[i].place];
    struct replay_lines l;
    replay_lines_find(b, place, from->visits[i].element, &l);
    add_entries(b, &l, flags_of(in, &from->visits[i]));
    to->visits++;
    weight += in->weights[from->visits[i].place];
  }
  to->end = b->out->count;
  to->weight = to->visits ? weight / (double)to->visits : 0;
}

bool replay_list_make(const struct replay_input *input, const struct replay_layout *layout,
                      struct replay_list *out) {
  struct replay_builder b = {.out = out, .random = UINT64_C(0x9e3779b97f4a7c15)};
  *out = (struct replay_list){0};
  replay_space_make(input, layout, &b.space);
  out->bytes = b.space.bytes;
  out->lead_bytes = b.space.lead_bytes;
  out->is_array = b.space.by_index;
  bool fits = b.space.bytes / LINE_BYTES <= REPLAY_LINE;
  if (fits) {
    out->windows = memory_zeroed(input->visits->window_count + 1, sizeof *out->windows);
    for (size_t i = 0; i < input->visits->window_count; i++)
      add_window(&b, &input->visits->windows[i], &out->windows[out->window_count++]);
    if (input->visits->count)
      replay_warm_make(&b);
  }
  replay_space_release(&b.space);
  free(b.firsts);
  return fits;
}

void replay_list_release(struct replay_list *list) {
  free(list->entries);
  free(list->windows);
  free(list->warm);
  *list = (struct replay_list){0};
}
