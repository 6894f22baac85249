// visits.c - decodes windows, and tells which elements of one struct they visit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visits.h"

#include "include/reticle/visit.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

#define RECORD_BYTES sizeof(struct reticle_file_visit)

/// What is being made, and how a site's places are found.
struct maker {
  const struct profile *profile;
  const struct profile_struct *record;
  struct visits *out;
  uint32_t first[RETICLE_VISIT_SITES_MOST + 1]; ///< places of each number, in a row
};

static enum exposure exposure_of(uint32_t flags) {
  return flags & RETICLE_ACCESS_SEARCH        ? EXPOSURE_SEARCH
         : flags & RETICLE_ACCESS_DEPENDENT   ? EXPOSURE_DEPENDENT
         : flags & RETICLE_ACCESS_STREAMING   ? EXPOSURE_STREAMING
         : flags & RETICLE_ACCESS_INDEPENDENT ? EXPOSURE_INDEPENDENT
         : flags & RETICLE_ACCESS_SAME        ? EXPOSURE_SAME
                                              : EXPOSURE_UNKNOWN;
}

/// By number, then by element.
static int compare_touches(const void *left, const void *right) {
  const struct profile_visitsite *a = *(const struct profile_visitsite *const *)left,
                                 *b = *(const struct profile_visitsite *const *)right;
  if (a->number != b->number)
    return a->number < b->number ? -1 : 1;
  if (a->back_bytes != b->back_bytes)
    return a->back_bytes < b->back_bytes ? -1 : 1;
  return a < b ? -1 : a > b;
}

/// Whether objects may go on behind the member's size: how far isn't known.
static bool is_open(const struct maker *m, const struct profile_member *f) {
  return f->structure == (size_t)(m->record - m->profile->structs) &&
         f->flags & RETICLE_MEMBER_FLEXIBLE;
}

/// Whether the field is longer than what is accessed of it, so that the address may be of any part.
static bool is_vague(const struct maker *m, const struct profile_visitsite *touch) {
  size_t structure = (size_t)(m->record - m->profile->structs);
  for (size_t i = 0; i < m->profile->member_count; i++) {
    const struct profile_member *f = &m->profile->members[i];
    if (is_open(m, f) && touch->offset_bytes >= f->offset_bytes)
      return !(touch->flags & RETICLE_ACCESS_COPY);
    if (f->structure == structure && touch->offset_bytes >= f->offset_bytes &&
        touch->offset_bytes - f->offset_bytes < f->size_bytes)
      return !f->bit_size && f->size_bytes >= 2 * (uint64_t)touch->bytes &&
             !(touch->flags & RETICLE_ACCESS_COPY);
  }
  return false;
}

static void add_touch(struct maker *m, size_t i) {
  struct visits *out = m->out;
  const struct profile_visitsite *touch = out->touches[i];
  const struct profile_visitsite *before = i ? out->touches[i - 1] : NULL;
  if (!before || before->number != touch->number || before->back_bytes != touch->back_bytes)
    out->places[out->place_count++] = (struct visit_place){.touches = &out->touches[i],
                                                           .loop = touch->loop,
                                                           .function = touch->function,
                                                           .line = touch->line,
                                                           .number = touch->number,
                                                           .back_bytes = touch->back_bytes,
                                                           .is_vague = true};
  struct visit_place *place = &out->places[out->place_count - 1];
  place->touch_count++;
  place->is_vague &= is_vague(m, touch);
  if (place->exposure == EXPOSURE_UNKNOWN)
    place->exposure = exposure_of(touch->flags);
}

static void make_places(struct maker *m) {
  const struct profile *p = m->profile;
  struct visits *out = m->out;
  size_t count = 0;
  out->touches = memory_zeroed(p->visitsite_count + 1, sizeof *out->touches);
  out->places = memory_zeroed(p->visitsite_count + 1, sizeof *out->places);
  for (size_t i = 0; i < p->visitsite_count; i++)
    if (p->visitsites[i].structure == m->record->id && p->visitsites[i].number &&
        p->visitsites[i].number < RETICLE_VISIT_SITES_MOST)
      out->touches[count++] = &p->visitsites[i];
  qsort(out->touches, count, sizeof *out->touches, compare_touches);
  for (size_t i = 0; i < count; i++)
    add_touch(m, i);
  size_t place = 0;
  for (uint32_t number = 0; number <= RETICLE_VISIT_SITES_MOST; number++) {
    while (place < out->place_count && out->places[place].number < number)
      place++;
    m->first[number] = (uint32_t)place;
  }
}

/// One visit more; room for it is doubled as needed.
static void add_visit(struct visits *out, size_t *room, uint64_t element, uint32_t place) {
  if (out->count == *room) {
    *room = *room ? 2 * *room : 4096;
    out->all = memory_resized(out->all, *room, sizeof *out->all);
  }
  out->all[out->count++] = (struct visit){element, place, VISIT_FREE};
  out->places[place].visits++;
}

/// The bytes of a window; the profile has seen to it that they are there. The caller frees them.
static uint8_t *bytes_of(const struct profile *p, const struct profile_visitwindow *window) {
  uint8_t *bytes = memory_zeroed(window->bytes + RECORD_BYTES, 1);
  for (size_t at = 0; at < window->bytes; at += 8) {
    const struct profile_visit *record = &p->visits[window->first + at / RECORD_BYTES];
    const uint64_t words[] = {record->bytes_0,  record->bytes_8,  record->bytes_16,
                              record->bytes_24, record->bytes_32, record->bytes_40,
                              record->bytes_48, record->bytes_56};
    for (size_t i = 0; i < 8; i++)
      bytes[at + i] = (uint8_t)(words[at / 8 % 8] >> (8 * i));
  }
  return bytes;
}

static void add_window(struct maker *m, const struct profile_visitwindow *window, size_t *room) {
  struct reticle_visit_codec codec = {0};
  struct visits *out = m->out;
  size_t first = out->count, at = 0, n;
  uint8_t *bytes = bytes_of(m->profile, window);
  uint32_t number;
  uint64_t address;
  while ((n = reticle_visit_get(&codec, bytes + at, window->bytes - at, &number, &address))) {
    at += n;
    out->noted++;
    for (uint32_t place = m->first[number]; place < m->first[number + 1]; place++)
      add_visit(out, room, address - (uint64_t)(int32_t)out->places[place].back_bytes, place);
  }
  out->is_damaged |= at < window->bytes;
  free(bytes);
  if (out->count > first)
    out->windows[out->window_count++] = (struct visit_window){
        .count = out->count - first, .begin_ticks = window->begin_ticks, .thread = window->thread};
}

static int compare_times(const void *left, const void *right) {
  const struct profile_visitwindow *a = *(const struct profile_visitwindow *const *)left,
                                   *b = *(const struct profile_visitwindow *const *)right;
  if (a->begin_ticks != b->begin_ticks)
    return a->begin_ticks < b->begin_ticks ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void make_windows(struct maker *m) {
  const struct profile *p = m->profile;
  struct visits *out = m->out;
  size_t room = 0, at = 0;
  const struct profile_visitwindow **sorted =
      memory_zeroed(p->visitwindow_count + 1, sizeof *sorted);
  out->windows = memory_zeroed(p->visitwindow_count + 1, sizeof *out->windows);
  for (size_t i = 0; i < p->visitwindow_count; i++)
    sorted[i] = &p->visitwindows[i];
  qsort(sorted, p->visitwindow_count, sizeof *sorted, compare_times);
  for (size_t i = 0; i < p->visitwindow_count; i++)
    add_window(m, sorted[i], &room);
  free(sorted);
  for (size_t i = 0; i < out->window_count; i++) {
    out->windows[i].visits = out->all + at;
    at += out->windows[i].count;
  }
}

static int compare_addresses(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

static void sort_elements(struct visits *out) {
  size_t count = 0;
  qsort(out->elements, out->element_count, sizeof *out->elements, compare_addresses);
  for (size_t i = 0; i < out->element_count; i++)
    if (!count || out->elements[count - 1] != out->elements[i])
      out->elements[count++] = out->elements[i];
  out->element_count = count;
}

/// The last element that begins at or below the address; null: none.
static const uint64_t *element_below(const struct visits *out, uint64_t address) {
  size_t low = 0, high = out->element_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    *(out->elements[middle] <= address ? &low : &high) =
        out->elements[middle] <= address ? middle + 1 : middle;
  }
  return low ? &out->elements[low - 1] : NULL;
}

/// Elements that are known exactly say where the others begin: in the same array, so many sizes on;
/// an object that differs from others in size is the one below.
static void make_elements(struct maker *m) {
  struct visits *out = m->out;
  uint64_t size = m->record->size_bytes ? m->record->size_bytes : 1;
  for (size_t i = 0; i < m->profile->member_count; i++)
    if (is_open(m, &m->profile->members[i]))
      size = UINT64_MAX;
  out->elements = memory_zeroed(out->count + 1, sizeof *out->elements);
  for (size_t i = 0; i < out->count; i++)
    if (!out->places[out->all[i].place].is_vague)
      out->elements[out->element_count++] = out->all[i].element;
  bool none_exact = !out->element_count;
  sort_elements(out);
  for (size_t i = 0; i < out->count && !none_exact; i++)
    if (out->places[out->all[i].place].is_vague) {
      const uint64_t *below = element_below(out, out->all[i].element);
      if (below)
        out->all[i].element -= (out->all[i].element - *below) % size;
    }
  out->element_count = out->count;
  for (size_t i = 0; i < out->count; i++)
    out->elements[i] = out->all[i].element;
  sort_elements(out);
}

void visits_make(const struct profile *profile, const struct profile_struct *record,
                 struct visits *out) {
  struct maker *m = memory_zeroed(1, sizeof *m);
  *out = (struct visits){0};
  *m = (struct maker){.profile = profile, .record = record, .out = out};
  make_places(m);
  make_windows(m);
  make_elements(m);
  visits_predict(out, record->size_bytes);
  free(m);
}

void visits_release(struct visits *visits) {
  free(visits->places);
  free(visits->all);
  free(visits->windows);
  free(visits->elements);
  free(visits->touches);
  *visits = (struct visits){0};
}
