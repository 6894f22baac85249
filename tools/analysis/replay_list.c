// replay_list.c - turns visits into lines, and adds what fills the caches before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay_space.h"
#include "tools/analysis/visit_recurrence.h"
#include "tools/profile/mix.h"

#include <stdlib.h>

#define LINE_BYTES 64u
/// VISIT_LINES: of one visit, at most. RUN: elements in a row that make a stream.
/// DRAWS: of places that are refused, at most.
enum { VISIT_LINES = 64, RUN = 8, DRAWS = 100 };

struct lines {
  bool is_whole; ///< the visit needs more than a copy has: it reads the struct
  uint64_t numbers[VISIT_LINES];
  bool written[VISIT_LINES];
  uint32_t count;
  uint64_t limit; ///< lines of the memory: what a vector touches behind the last element isn't run
};

struct builder {
  struct replay_space space;
  struct replay_list *out;
  size_t room;
  uint64_t random;
  uint64_t
      *firsts; ///< [2 * window_count] addresses of the windows' first elements, and the windows
  double most_weight; ///< of all places
};

static void add_bytes(struct lines *l, uint64_t at, uint64_t bytes, bool is_write) {
  for (uint64_t n = at / LINE_BYTES; n <= (at + (bytes ? bytes - 1 : 0)) / LINE_BYTES; n++) {
    uint32_t i = 0;
    if (n >= l->limit)
      return;
    while (i < l->count && l->numbers[i] != n)
      i++;
    if (i == VISIT_LINES)
      return;
    if (i == l->count) {
      l->numbers[l->count] = n;
      l->written[l->count++] = false;
    }
    l->written[i] |= is_write;
  }
}

/// Bytes of one element, which may lie in several of the layout's arrays.
static void add_range(const struct builder *b, struct lines *l, uint64_t element, uint64_t offset,
                      uint64_t bytes, bool is_write) {
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

static void add_touch(const struct builder *b, struct lines *l, uint64_t element,
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
  for (uint64_t i = 0; i < times && l->count < VISIT_LINES; i++)
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

static void find_lines(const struct builder *b, const struct visit_place *place, uint64_t element,
                       struct lines *l) {
  l->count = 0;
  l->limit = b->space.bytes / LINE_BYTES;
  l->is_whole = is_whole(b->space.layout, place);
  for (size_t i = 0; i < place->touch_count; i++)
    add_touch(b, l, element, place->touches[i]);
}

static int add_entries(struct builder *b, const struct lines *l, bool waits) {
  struct replay_list *out = b->out;
  if (out->count + l->count > b->room) {
    size_t wanted = 2 * b->room + VISIT_LINES + 4096;
    uint32_t *grown = realloc(out->entries, wanted * sizeof *grown);
    if (!grown)
      return RETICLE_E_MEMORY;
    out->entries = grown;
    b->room = wanted;
  }
  for (uint32_t i = 0; i < l->count; i++) {
    out->entries[out->count++] = (uint32_t)l->numbers[i] | (i ? 0 : REPLAY_FIRST) |
                                 (waits && !i ? REPLAY_DEPENDENT : 0) |
                                 (l->written[i] ? REPLAY_WRITE : 0);
    out->has_writes |= l->written[i];
  }
  return 0;
}

static int add_window(struct builder *b, const struct visit_window *from,
                      struct replay_window *to) {
  const struct replay_input *in = b->space.input;
  double weight = 0;
  int result = 0;
  to->first = b->out->count;
  for (size_t i = 0; result == 0 && i < from->count; i++) {
    const struct visit_place *place = &in->visits->places[from->visits[i].place];
    struct lines l;
    find_lines(b, place, from->visits[i].element, &l);
    result = add_entries(b, &l, from->visits[i].waits);
    to->visits++;
    weight += in->weights[from->visits[i].place];
  }
  to->end = b->out->count;
  to->weight = to->visits ? weight / (double)to->visits : 0;
  return result;
}

// Marsaglia's xorshift64 (Xorshift RNGs, 2003).
static uint64_t next_random(struct builder *b) {
  b->random ^= b->random << 13;
  b->random ^= b->random >> 7;
  return b->random ^= b->random << 17;
}

static bool comes_in_a_row(const struct visit_place *place) {
  return place->exposure == EXPOSURE_STREAMING && place->visits > RUN * place->jumps;
}

static bool most_stream(const struct replay_input *in) {
  const struct visits *v = in->visits;
  double streams = 0, all = 0;
  for (size_t i = 0; i < v->place_count; i++) {
    double visits = (double)v->places[i].visits * in->weights[i];
    all += visits;
    streams += comes_in_a_row(&v->places[i]) ? visits : 0;
  }
  return streams > all / 2;
}

static double next_part(struct builder *b) { return (double)(next_random(b) >> 11) * 0x1p-53; }

/// A visit that was noted, which stands for as many of the run as its place has.
static size_t draw_visit(struct builder *b) {
  const struct replay_input *in = b->space.input;
  for (unsigned tries = 0;; tries++) {
    size_t i = next_random(b) % in->visits->count;
    if (next_part(b) * b->most_weight <= in->weights[in->visits->all[i].place] || tries == DRAWS)
      return i;
  }
}

static void add_warm_lines(struct builder *b, const struct visit_place *place, uint64_t element) {
  struct lines l;
  find_lines(b, place, element, &l);
  for (uint32_t i = 0; i < l.count; i++)
    b->out->warm[b->out->warm_count++] = (uint32_t)l.numbers[i] | REPLAY_FIRST;
}

/// The same element each time for the same one of those of a group that no window has.
static uint64_t unseen_element(struct builder *b, const struct visit_recurrence *recurrence,
                               uint32_t group, uint64_t elements) {
  double among = recurrence->groups[group].unseen;
  uint64_t most = among < 1 ? 0 : among < 0x1p60 ? (uint64_t)among : UINT64_C(1) << 60;
  uint64_t number = (most ? next_random(b) % most : 0) + ((uint64_t)group << 40);
  return replay_space_element(&b->space, profile_mix(number) % elements);
}

/// As many visits as the caches may know of.
static int add_warm_visits(struct builder *b, uint64_t elements) {
  const struct visits *v = b->space.input->visits;
  struct visit_recurrence recurrence;
  if (visit_recurrence_make(v, b->space.input->size_bytes, &recurrence))
    return RETICLE_E_MEMORY;
  uint64_t wanted = 2 * elements + 2 * v->count;
  for (; wanted && b->out->warm_count < REPLAY_WARM_MOST; wanted--) {
    size_t i = draw_visit(b);
    uint64_t element = next_part(b) < visit_recurrence_known(&recurrence, i)
                           ? v->all[i].element
                           : unseen_element(b, &recurrence, recurrence.group[i], elements);
    add_warm_lines(b, &v->places[v->all[i].place], element);
  }
  visit_recurrence_release(&recurrence);
  return 0;
}

/// All elements in their order; of more than fit so many, evenly. Each window begins where its
/// first element is, so that this one was touched longest ago.
static void add_warm_stream(struct builder *b, uint64_t elements) {
  const struct visits *v = b->space.input->visits;
  uint64_t step = 1 + 2 * elements / REPLAY_WARM_MOST;
  size_t next = 0;
  uint64_t *firsts = b->firsts; // [window_count] ascending, with the window in the low bits
  for (uint64_t n = 0; n < elements && b->out->warm_count < REPLAY_WARM_MOST; n += step) {
    uint64_t element = replay_space_element(&b->space, n);
    for (; next < v->window_count && firsts[2 * next] <= element; next++)
      b->out->windows[firsts[2 * next + 1]].warm = b->out->warm_count;
    add_warm_lines(b, &v->places[v->all[draw_visit(b)].place], element);
  }
}

static int compare_firsts(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

/// Lines as visits touch them in the long run: places as often as they visit, elements in a row, or
/// each as often as it comes back.
static int add_warm(struct builder *b) {
  const struct visits *v = b->space.input->visits;
  uint64_t unseen = b->space.clusters[b->space.cluster_count - 1].slots;
  uint64_t elements = b->space.by_index ? b->space.slots : v->element_count + unseen;
  struct replay_list *out = b->out;
  out->warm = calloc(REPLAY_WARM_MOST + VISIT_LINES, sizeof *out->warm);
  b->firsts = calloc(2 * v->window_count + 2, sizeof *b->firsts);
  if (!out->warm || !b->firsts)
    return RETICLE_E_MEMORY;
  out->streams = most_stream(b->space.input);
  for (size_t i = 0; i < v->place_count; i++)
    if (v->places[i].visits && b->space.input->weights[i] > b->most_weight)
      b->most_weight = b->space.input->weights[i];
  for (size_t i = 0; i < v->window_count; i++) {
    b->firsts[2 * i] = v->windows[i].visits[0].element;
    b->firsts[2 * i + 1] = i;
  }
  qsort(b->firsts, v->window_count, 2 * sizeof *b->firsts, compare_firsts);
  if (!out->streams)
    return add_warm_visits(b, elements);
  add_warm_stream(b, elements);
  return 0;
}

int replay_list_make(const struct replay_input *input, const struct replay_layout *layout,
                     struct replay_list *out) {
  struct builder b = {.out = out, .random = UINT64_C(0x9e3779b97f4a7c15)};
  *out = (struct replay_list){0};
  int result = replay_space_make(input, layout, &b.space);
  out->bytes = b.space.bytes;
  if (result == 0 && b.space.bytes / LINE_BYTES > REPLAY_LINE)
    result = RETICLE_E_LIMIT;
  out->windows = calloc(input->visits->window_count + 1, sizeof *out->windows);
  if (result == 0 && !out->windows)
    result = RETICLE_E_MEMORY;
  for (size_t i = 0; result == 0 && i < input->visits->window_count; i++)
    result = add_window(&b, &input->visits->windows[i], &out->windows[out->window_count++]);
  if (result == 0 && input->visits->count)
    result = add_warm(&b);
  replay_space_release(&b.space);
  free(b.firsts);
  if (result) {
    uint64_t bytes = out->bytes;
    replay_list_release(out);
    out->bytes = bytes;
  }
  return result;
}

void replay_list_release(struct replay_list *list) {
  free(list->entries);
  free(list->windows);
  free(list->warm);
  *list = (struct replay_list){0};
}
