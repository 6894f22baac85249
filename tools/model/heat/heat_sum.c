// heat_sum.c - adds up what samples say, by place and call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heat/heat_parts.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

static int compare_items(const void *left, const void *right) {
  const struct heat_item *a = left, *b = right;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  if (!a->callee != !b->callee)
    return a->callee ? 1 : -1;
  int order = a->callee ? strcmp(a->callee, b->callee) : 0;
  order = order ? order : strcmp(a->library, b->library);
  order = order ? order : strcmp(a->file, b->file);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

static bool is_same_call(const struct heat_item *a, const struct heat_item *b) {
  return a->place == b->place && a->callee && b->callee && strcmp(a->callee, b->callee) == 0 &&
         strcmp(a->library, b->library) == 0;
}

static char *name_callee(const struct heat_item *item) {
  if (*item->callee) {
    char *short_name = function_short_name(item->callee);
    name_cut(short_name);
    return short_name;
  }
  struct text name = {0};
  text_format(&name, "[%s]", base_name(item->library));
  char *copy = text_copy(text_get(&name));
  text_release(&name);
  return copy;
}

static bool is_same_caller(const struct heat_caller *a, const struct heat_caller *b) {
  return strcmp(a->function, b->function) == 0 && strcmp(a->file, b->file) == 0;
}

static int compare_callers(const void *left, const void *right) {
  const struct heat_caller *a = left, *b = right;
  if (heat_time_ns(&a->time) != heat_time_ns(&b->time))
    return heat_time_ns(&a->time) > heat_time_ns(&b->time) ? -1 : 1;
  int order = strcmp(a->function, b->function);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

/// Adds the caller to that of the same function, or also line. Returns how many there are.
static size_t add_caller(struct heat_caller *callers, size_t count, struct heat_caller caller,
                         bool by_line) {
  size_t k = 0;
  while (k < count &&
         !(is_same_caller(&callers[k], &caller) && (!by_line || callers[k].line == caller.line)))
    k++;
  if (k == count)
    callers[count++] = (struct heat_caller){caller.function, caller.file, caller.line, {0}};
  heat_time_add(&callers[k].time, &caller.time);
  return count;
}

static void sort_callers(struct heat_caller *callers, size_t count) {
  if (count)
    qsort(callers, count, sizeof *callers, compare_callers);
}

/// Who calls a short function, and at which line most: a time in xmalloc() is its callers'.
/// items: [count] of the place
static void find_callers(const struct heat_item *items, size_t count, struct heat_place *place) {
  struct heat_caller *callers = memory_zeroed(count + 1, sizeof *callers);
  size_t lines = 0, functions = 0;
  for (size_t i = 0; i < count; i++) {
    const struct heat_spot *spot = items[i].caller;
    if (spot)
      lines = add_caller(
          callers, lines,
          (struct heat_caller){spot->function, spot->source, spot->line, items[i].time}, true);
  }
  sort_callers(callers, lines); // the first one of a function has its hottest line
  for (size_t i = 0; i < lines; i++)
    functions = add_caller(callers, functions, callers[i], false);
  sort_callers(callers, functions);
  place->caller_count = functions < HEAT_CALLERS ? functions : HEAT_CALLERS;
  memcpy(place->callers, callers, place->caller_count * sizeof *callers);
  free(callers);
}

/// Of each place, the callers' loop around most of its time; and who calls short ones. Items are in
/// the order of places.
static void find_around(struct heat_builder *b) {
  const struct measured_loop *loops = b->m->loops;
  double *sums = memory_zeroed(b->m->loop_count + 1, sizeof *sums);
  for (size_t i = 0, end; i < b->item_count; i = end) {
    struct heat_place *place = &b->out->places[b->items[i].place];
    double most = 0;
    for (end = i; end < b->item_count && b->items[end].place == b->items[i].place; end++) {
      const struct measured_loop *around = b->items[end].around;
      if (!around || around == place->loop)
        continue;
      double sum = sums[around - loops] += heat_time_ns(&b->items[end].time);
      if (sum > most) {
        most = sum;
        place->around = around;
      }
    }
    for (size_t k = i; k < end; k++)
      if (b->items[k].around)
        sums[b->items[k].around - loops] = 0;
    if (place->short_bytes)
      find_callers(&b->items[i], end - i, place);
  }
  free(sums);
}

/// Folds the items of a place's own code, and those of each of its calls; of both the hottest line.
static void fold(struct heat_builder *b) {
  struct heat *out = b->out;
  double *hottest = memory_zeroed(out->place_count + 1, sizeof *hottest);
  out->calls = memory_zeroed(b->item_count + 1, sizeof *out->calls);
  if (b->item_count)
    qsort(b->items, b->item_count, sizeof *b->items, compare_items);
  find_around(b);
  double line_ns = 0, call_line_ns = 0;
  for (size_t i = 0; i < b->item_count; i++) {
    const struct heat_item *item = &b->items[i];
    struct heat_place *place = &out->places[item->place];
    bool is_new = !i || compare_items(&b->items[i - 1], item) != 0;
    line_ns = (is_new ? 0 : line_ns) + heat_time_ns(&item->time);
    heat_time_add(&place->time, &item->time);
    if (item->line && line_ns > hottest[item->place]) {
      hottest[item->place] = line_ns;
      place->file = item->file;
      place->line = item->line;
      place->strides = (struct loop_strides){0};
      place->has_loop = item->spot->machine_loop != BLOCK_LOOP_NONE;
      if (item->spot->view && item->spot->machine_loop != BLOCK_LOOP_NONE)
        loop_strides_read(&item->spot->view->list, &item->spot->view->loops,
                          item->spot->machine_loop, &place->strides);
    }
    if (!item->callee) {
      heat_time_add(&place->own, &item->time);
      if (item->spot->dispatches)
        heat_time_add(&place->dispatch, &item->time);
      continue;
    }
    if (!i || !is_same_call(&b->items[i - 1], item)) {
      out->calls[out->call_count++] = (struct heat_call){.callee = name_callee(item),
                                                         .library = item->library,
                                                         .place = item->place,
                                                         .file = item->file,
                                                         .line = item->line};
      call_line_ns = 0;
    }
    struct heat_call *call = &out->calls[out->call_count - 1];
    heat_time_add(&call->time, &item->time);
    if (line_ns > call_line_ns) {
      call_line_ns = line_ns;
      call->file = item->file;
      call->line = item->line;
    }
  }
  free(hottest);
}

static int compare_calls(const void *left, const void *right) {
  const struct heat_call *a = left, *b = right;
  if (heat_time_ns(&a->time) != heat_time_ns(&b->time))
    return heat_time_ns(&a->time) > heat_time_ns(&b->time) ? -1 : 1;
  return a->place != b->place ? (a->place < b->place ? -1 : 1) : strcmp(a->callee, b->callee);
}

static int compare_indirect(const void *left, const void *right) {
  const struct heat_indirect *a = left, *b = right;
  if (heat_time_ns(&a->time) != heat_time_ns(&b->time))
    return heat_time_ns(&a->time) > heat_time_ns(&b->time) ? -1 : 1;
  return a->place != b->place ? (a->place < b->place ? -1 : 1)
                              : (a->line > b->line) - (a->line < b->line);
}

struct keyed {
  struct heat_place place;
  size_t number;
};

static int compare_places(const void *left, const void *right) {
  const struct keyed *a = left, *b = right;
  if (heat_time_ns(&a->place.time) != heat_time_ns(&b->place.time))
    return heat_time_ns(&a->place.time) > heat_time_ns(&b->place.time) ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

/// Names the places, and puts them in their order.
static void order_places(struct heat *out) {
  struct keyed *keyed = memory_zeroed(out->place_count + 1, sizeof *keyed);
  size_t *now = memory_zeroed(out->place_count + 1, sizeof *now);
  for (size_t i = 0; i < out->place_count; i++)
    keyed[i] = (struct keyed){out->places[i], i};
  if (out->place_count)
    qsort(keyed, out->place_count, sizeof *keyed, compare_places);
  for (size_t i = 0; i < out->place_count; i++) {
    now[keyed[i].number] = i;
    out->places[i] = keyed[i].place;
    out->places[i].function = function_short_name(keyed[i].place.function);
  }
  for (size_t i = 0; i < out->call_count; i++)
    out->calls[i].place = now[out->calls[i].place];
  for (size_t i = 0; i < out->indirect_count; i++) {
    out->indirect[i].place = now[out->indirect[i].place];
    for (size_t k = 0; k < out->indirect[i].target_count; k++)
      out->indirect[i].targets[k] = now[out->indirect[i].targets[k]];
  }
  if (out->indirect_count)
    qsort(out->indirect, out->indirect_count, sizeof *out->indirect, compare_indirect);
  if (out->call_count)
    qsort(out->calls, out->call_count, sizeof *out->calls, compare_calls);
  free(keyed);
  free(now);
}

void heat_sum(struct heat_builder *b) {
  fold(b);
  order_places(b->out);
}
