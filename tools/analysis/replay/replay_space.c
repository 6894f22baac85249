// replay_space.c - clusters of elements, and their places in each array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_space.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// A gap from which on addresses are another cluster.
#define GAP_BYTES (UINT64_C(1) << 20)
/// Clusters keep their place within so many bytes: the largest page.
#define PAGE_BYTES (UINT64_C(1) << 21)
/// In another order elements start where in a small page they did: which lines they take, and so
/// how far from the core these lie in the last cache, is as the program has it.
#define SMALL_PAGE_BYTES 4096u
/// Where arrays begin, as malloc gives them.
#define LINE_BYTES 64u
#define HEADER_BYTES 16u
/// Where elements that lie one by one may begin in their parts.
#define GRAIN_BYTES 8u
/// Addresses of elements that no visit showed: above all of a program's.
#define UNSEEN (UINT64_C(1) << 56)

static bool goes_on(const struct replay_space *s, const struct replay_cluster *c, uint64_t element,
                    uint64_t last) {
  if (element < c->end) // where in an element the address lies wasn't quite known
    return true;
  return element - last <= GAP_BYTES && (!s->by_index || (element - c->begin) % s->old_bytes == 0);
}

static void find_clusters(struct replay_space *s) {
  const struct visits *v = s->input->visits;
  struct replay_cluster *c = NULL;
  for (size_t i = 0; i < v->element_count; i++) {
    if (!c || !goes_on(s, c, v->elements[i], v->elements[i - 1])) {
      c = &s->clusters[s->cluster_count++];
      c->begin = v->elements[i];
    }
    uint64_t behind = v->elements[i] - c->begin;
    c->end = s->by_index ? c->begin + (behind / s->old_bytes + 1) * s->old_bytes
                         : v->elements[i] + s->old_bytes;
  }
  for (size_t i = 0; i < s->cluster_count; i++) {
    s->clusters[i].slots =
        (s->clusters[i].end - s->clusters[i].begin + s->old_bytes - 1) / s->old_bytes;
    s->clusters[i].first_slot = s->slots;
    s->slots += s->clusters[i].slots;
  }
}

/// Those that no visit showed: where elements lie one by one, slots between them may be of others.
static void add_unseen(struct replay_space *s) {
  double known = s->by_index ? (double)s->slots : (double)s->input->visits->element_count;
  double unseen = s->input->count.elements - known; // NaN: how many there are isn't known
  struct replay_cluster *c = &s->clusters[s->cluster_count++];
  c->slots = unseen > 0 && unseen < 0x1p40 ? (uint64_t)unseen : 0;
  c->begin = UNSEEN;
  c->end = UNSEEN + c->slots * s->old_bytes;
  c->first_slot = s->slots;
  s->slots += c->slots;
}

static uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

static void place_as_written(struct replay_space *s) {
  for (size_t i = 0; i < s->cluster_count; i++) {
    struct replay_cluster *c = &s->clusters[i];
    const struct replay_cluster *before = i ? c - 1 : NULL;
    if (!c->slots)
      continue;
    bool is_near = before && c->begin >= before->end && c->begin - before->end < PAGE_BYTES;
    s->bytes = is_near ? s->bytes + (c->begin - before->end)
                       : align_up(s->bytes, PAGE_BYTES) + c->begin % PAGE_BYTES;
    c->place[0] = s->bytes;
    s->bytes += c->end > c->begin ? c->end - c->begin : 0;
  }
}

static void place_arrays(struct replay_space *s) {
  for (size_t a = 0; a < s->layout->array_count; a++)
    for (size_t i = 0; i < s->cluster_count; i++) {
      bool is_one = s->layout->array_count == 1;
      s->bytes =
          is_one ? align_up(s->bytes, SMALL_PAGE_BYTES) + s->clusters[i].begin % SMALL_PAGE_BYTES
                 : align_up(s->bytes, LINE_BYTES) + HEADER_BYTES;
      s->clusters[i].place[a] = s->bytes;
      s->bytes += s->clusters[i].slots * s->layout->strides[a];
    }
}

void replay_space_make(const struct replay_input *input, const struct replay_layout *layout,
                       struct replay_space *out) {
  bool by_index = input->count.is_array || isnan(input->count.elements);
  uint32_t size = input->size_bytes ? input->size_bytes : 1;
  *out = (struct replay_space){.input = input,
                               .layout = layout,
                               .by_index = by_index,
                               .old_bytes = by_index ? size : replay_chunk_bytes(size)};
  out->clusters = memory_zeroed(input->visits->element_count + 1, sizeof *out->clusters);
  find_clusters(out);
  add_unseen(out);
  if (layout->is_written)
    place_as_written(out);
  else
    place_arrays(out);
  out->lead_bytes = out->clusters[0].place[0];
  // What begins in the last element may end behind it; and the list's last line is whole.
  out->bytes = align_up(out->bytes + size + LINE_BYTES, LINE_BYTES);
}

void replay_space_release(struct replay_space *space) {
  free(space->clusters);
  *space = (struct replay_space){0};
}

static const struct replay_cluster *cluster_of(const struct replay_space *s, uint64_t element) {
  size_t low = 0, high = s->cluster_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    *(s->clusters[middle].begin <= element ? &low : &high) = middle;
  }
  return &s->clusters[low];
}

uint64_t replay_space_at(const struct replay_space *s, uint64_t element, uint32_t array,
                         uint32_t offset) {
  const struct replay_cluster *c = cluster_of(s, element);
  uint64_t behind = element - c->begin, stride = s->layout->strides[array];
  if (s->layout->is_written)
    return c->place[0] + behind + offset;
  if (s->by_index)
    return c->place[array] + behind / s->old_bytes * stride + offset;
  // In proportion, so that what lay near still does; two elements never share bytes.
  return c->place[array] + behind * stride / s->old_bytes / GRAIN_BYTES * GRAIN_BYTES + offset;
}

uint64_t replay_space_element(const struct replay_space *s, uint64_t number) {
  size_t low = 0, high = s->cluster_count;
  if (!s->by_index && number < s->input->visits->element_count)
    return s->input->visits->elements[number];
  if (!s->by_index) {
    const struct replay_cluster *unseen = &s->clusters[s->cluster_count - 1];
    number -= s->input->visits->element_count;
    return unseen->slots ? unseen->begin + number % unseen->slots * s->old_bytes
                         : s->input->visits->elements[0];
  }
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    *(s->clusters[middle].first_slot <= number ? &low : &high) = middle;
  }
  return s->clusters[low].begin + (number - s->clusters[low].first_slot) * s->old_bytes;
}
