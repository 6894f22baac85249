// line_counts.c - puts counts of instructions on places in functions, and sums them up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/line_counts.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// Source: LLVM's getOffset in llvm/lib/ProfileData/SampleProf.cpp.
#define OFFSET_MASK 0xffff

/// A component of a discriminator: 0, 5 bits or 12. Source: LLVM's DebugInfoMetadata.h and
/// Discriminator.h.
static unsigned component(unsigned bits) {
  if (bits & 1)
    return 0;
  bits >>= 1;
  return bits & 0x20 ? ((bits >> 1) & 0xfe0) | (bits & 0x1f) : bits & 0x1f;
}

static unsigned next_components(unsigned bits) {
  if (bits & 1)
    return bits >> 1;
  return bits >> (bits & 0x40 ? 14 : 7);
}

/// How many copies of the place unrolling or vectorising made.
static unsigned copies_of(unsigned discriminator) {
  unsigned copies = component(next_components(discriminator));
  return copies ? copies : 1;
}

static struct line_place place_of(const struct code_frame *frame) {
  return (struct line_place){(frame->line - frame->first_line) & OFFSET_MASK,
                             component(frame->discriminator)};
}

static int compare_places(struct line_place a, struct line_place b) {
  if (a.offset != b.offset)
    return a.offset < b.offset ? -1 : 1;
  return (a.discriminator > b.discriminator) - (a.discriminator < b.discriminator);
}

static uint64_t product(uint64_t count, unsigned factor) {
  return count > UINT64_MAX / factor ? UINT64_MAX : count * factor;
}

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static size_t add_function(struct line_counts *counts, size_t parent, struct line_place call,
                           const char *name) {
  if (counts->count == counts->capacity) {
    counts->capacity = 2 * counts->capacity + 64;
    counts->functions =
        memory_resized(counts->functions, counts->capacity, sizeof *counts->functions);
  }
  counts->functions[counts->count] =
      (struct line_function){.name = name, .parent = parent, .call = call, .other = LINE_NO_PARENT};
  return counts->count++;
}

/// Number of the name, which then is counts->names.texts[that].
static size_t number_of(struct line_counts *counts, const char *name) {
  size_t before = counts->names.count, number = string_table_add(&counts->names, name);
  if (number == SIZE_MAX)
    memory_exhausted();
  if (counts->names.count > before) {
    counts->roots = memory_resized(counts->roots, counts->names.count, sizeof *counts->roots);
    counts->roots[number] = LINE_NO_PARENT;
  }
  return number;
}

/// Static functions of several files may have one name.
static size_t find_root(struct line_counts *counts, const struct code_frame *frame) {
  size_t number = number_of(counts, frame->name), at = counts->roots[number];
  while (at != LINE_NO_PARENT && counts->functions[at].first_line != frame->first_line)
    at = counts->functions[at].other;
  if (at != LINE_NO_PARENT)
    return at;
  at = add_function(counts, LINE_NO_PARENT, (struct line_place){0}, counts->names.texts[number]);
  counts->functions[at].first_line = frame->first_line;
  counts->functions[at].other = counts->roots[number];
  return counts->roots[number] = at;
}

/// The last ones first: instructions of a copy follow each other.
static size_t find_copy(struct line_counts *counts, size_t parent, struct line_place call,
                        const char *name) {
  const char *own = counts->names.texts[number_of(counts, name)];
  for (size_t i = counts->count; i-- > parent + 1;)
    if (counts->functions[i].parent == parent && counts->functions[i].name == own &&
        compare_places(counts->functions[i].call, call) == 0)
      return i;
  return add_function(counts, parent, call, own);
}

static void raise_line(struct line_function *function, struct line_place place, uint64_t count) {
  for (size_t i = function->count; i-- > 0;)
    if (compare_places(function->lines[i].place, place) == 0) {
      if (function->lines[i].count < count)
        function->lines[i].count = count;
      return;
    }
  if (function->count == function->capacity) {
    function->capacity = 2 * function->capacity + 8;
    function->lines = memory_resized(function->lines, function->capacity, sizeof *function->lines);
  }
  function->lines[function->count++] = (struct line_count){place, count};
}

void line_counts_add(struct line_counts *counts, const struct code_frame *frames,
                     size_t frame_count, uint64_t count) {
  for (size_t i = 0; i < frame_count; i++)
    counts->lacks_first_lines |= !frames[i].first_line;
  for (size_t i = 0; i < frame_count; i++)
    if (!frames[i].line || !frames[i].first_line || !*frames[i].name)
      return;
  if (!frame_count)
    return;
  size_t at = find_root(counts, &frames[frame_count - 1]);
  for (size_t i = frame_count - 1; i-- > 0;)
    at = find_copy(counts, at, place_of(&frames[i + 1]), frames[i].name);
  counts->has_discriminators |= frames[0].discriminator != 0;
  raise_line(&counts->functions[at], place_of(&frames[0]),
             product(count, copies_of(frames[0].discriminator)));
}

void line_counts_enter(struct line_counts *counts, const struct code_frame *frame, uint64_t count) {
  if (!frame->first_line || !*frame->name)
    return;
  size_t root = find_root(counts, frame);
  struct line_function *function = &counts->functions[root];
  if (!function->is_entry_known || function->entries < count)
    function->entries = count;
  function->is_entry_known = true;
}

static int compare_lines(const void *left, const void *right) {
  const struct line_count *a = left, *b = right;
  return compare_places(a->place, b->place);
}

static void choose(struct line_counts *counts, size_t first) {
  size_t largest = first;
  for (size_t i = first; i != LINE_NO_PARENT; i = counts->functions[i].other) {
    counts->functions[i].is_left_out = true;
    if (counts->functions[i].total > counts->functions[largest].total)
      largest = i;
  }
  if (largest != LINE_NO_PARENT)
    counts->functions[largest].is_left_out = false;
}

void line_counts_finish(struct line_counts *counts) {
  for (size_t i = counts->count; i-- > 0;) {
    struct line_function *function = &counts->functions[i];
    if (function->count)
      qsort(function->lines, function->count, sizeof *function->lines, compare_lines);
    for (size_t k = 0; k < function->count; k++)
      function->total = sum(function->total, function->lines[k].count);
    if (function->parent != LINE_NO_PARENT)
      counts->functions[function->parent].total =
          sum(counts->functions[function->parent].total, function->total);
  }
  for (size_t i = 0; i < counts->names.count; i++)
    choose(counts, counts->roots[i]);
}

void line_counts_release(struct line_counts *counts) {
  for (size_t i = 0; i < counts->count; i++)
    free(counts->functions[i].lines);
  free(counts->functions);
  free(counts->roots);
  string_table_release(&counts->names);
  *counts = (struct line_counts){0};
}
