// sample_profile.c - writes functions with their lines, and copies below the function around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/sample_profile.h"

#include "tools/support/character.h"
#include "tools/support/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// The functions in the order in which they are written, the copies of a parent in a row.
struct order {
  const struct line_counts *counts;
  const struct line_function **functions; ///< [counts->count] those that stand alone come last
  size_t *first; ///< [counts->count + 1] of each function's copies, in functions
  size_t roots;  ///< how many stand alone
};

/// Names begin a line, and colons behind them end them: what starts otherwise to a reader is left
/// out, and what has a line of its own.
static bool can_be_written(const char *name) {
  if (!*name || strchr(" #![", *name) || (*name >= '0' && *name <= '9'))
    return false;
  while (*name) {
    uint32_t point;
    size_t length = character_read(name, &point);
    if (!length || point == ' ' || !character_is_shown(point))
      return false;
    name += length;
  }
  return true;
}

static int compare_functions(const void *left, const void *right) {
  const struct line_function *a = *(const struct line_function *const *)left;
  const struct line_function *b = *(const struct line_function *const *)right;
  if (a->parent != b->parent)
    return a->parent < b->parent ? -1 : 1;
  if (a->parent == LINE_NO_PARENT && a->total != b->total)
    return a->total > b->total ? -1 : 1;
  if (a->call.offset != b->call.offset)
    return a->call.offset < b->call.offset ? -1 : 1;
  if (a->call.discriminator != b->call.discriminator)
    return a->call.discriminator < b->call.discriminator ? -1 : 1;
  return strcmp(a->name, b->name);
}

static struct order order_make(const struct line_counts *counts) {
  struct order order = {.counts = counts,
                        .functions = memory_zeroed(counts->count + 1, sizeof *order.functions),
                        .first = memory_zeroed(counts->count + 1, sizeof *order.first)};
  for (size_t i = 0; i < counts->count; i++) {
    const struct line_function *function = &counts->functions[i];
    order.functions[i] = function;
    if (function->parent == LINE_NO_PARENT)
      order.roots++;
    else
      order.first[function->parent + 1]++;
  }
  for (size_t i = 0; i < counts->count; i++)
    order.first[i + 1] += order.first[i];
  if (counts->count)
    qsort(order.functions, counts->count, sizeof(*order.functions), compare_functions);
  return order;
}

static void add_place(struct line_place place, size_t depth, struct text *out) {
  text_add_repeated(out, " ", depth);
  text_format(out, place.discriminator ? "%u.%u: " : "%u: ", place.offset, place.discriminator);
}

static void add_body(const struct order *order, const struct line_function *function, size_t depth,
                     struct text *out) {
  size_t position = (size_t)(function - order->counts->functions);
  for (size_t i = 0; i < function->count; i++) {
    add_place(function->lines[i].place, depth, out);
    text_format(out, "%" PRIu64 "\n", function->lines[i].count);
  }
  for (size_t i = order->first[position]; i < order->first[position + 1]; i++) {
    const struct line_function *copy = order->functions[i];
    if (!can_be_written(copy->name))
      continue;
    add_place(copy->call, depth, out);
    text_format(out, "%s:%" PRIu64 "\n", copy->name, copy->total);
    add_body(order, copy, depth + 1, out);
  }
}

size_t sample_profile_add(const struct line_counts *counts, const char *comment, struct text *out) {
  struct order order = order_make(counts);
  size_t written = 0;
  text_format(out, "# %s\n", comment);
  for (size_t i = counts->count - order.roots; i < counts->count; i++) {
    const struct line_function *function = order.functions[i];
    if (function->is_left_out || !function->total || !can_be_written(function->name))
      continue;
    // The format has no word for entries that aren't known.
    text_format(out, "%s:%" PRIu64 ":%" PRIu64 "\n", function->name, function->total,
                function->is_entry_known ? function->entries : 0);
    add_body(&order, function, 1, out);
    written++;
  }
  free(order.functions);
  free(order.first);
  return written;
}
