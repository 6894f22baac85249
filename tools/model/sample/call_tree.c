// call_tree.c - puts sampled stacks on a tree of functions, and sums over it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/model/sample/call_tree.h"

#include "tools/model/measurement/lazy.h"

#include "tools/binary/block/instrumentation.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/// A node as it is made: callers stand before their callees, in no order beside that.
struct raw {
  uint32_t function, caller;
  bool inlined;
  struct call_node sums;
};

struct builder {
  const struct measurement *m;
  const struct call_places *places;
  struct call_tree *out;
  struct raw *raw;
  size_t count, room, function_room;
  uint32_t *slots; ///< [slot_count] of nodes by caller and function, plus 1
  size_t slot_count;
  uint32_t *node_of; ///< [profile.stack_count]
  uint64_t *through; ///< [profile.stack_count] samples of the frame and of what it called
};

static size_t hash_of(uint64_t a, uint64_t b) {
  uint64_t hash = (a * UINT64_C(0x9e3779b97f4a7c15) ^ b) * UINT64_C(0xff51afd7ed558ccd);
  return (size_t)(hash >> 32);
}

static uint32_t *slot_of(struct builder *b, uint32_t caller, uint32_t function, bool inlined) {
  size_t at = hash_of(caller, function) & (b->slot_count - 1);
  for (; b->slots[at]; at = (at + 1) & (b->slot_count - 1)) {
    const struct raw *raw = &b->raw[b->slots[at] - 1];
    if (raw->caller == caller && raw->function == function && raw->inlined == inlined)
      break;
  }
  return &b->slots[at];
}

static void grow(struct builder *b) {
  b->room = 2 * b->room + 512;
  b->raw = memory_resized(b->raw, b->room, sizeof *b->raw);
  size_t wanted = 64;
  while (wanted < 2 * b->room)
    wanted *= 2;
  free(b->slots);
  b->slots = memory_zeroed(wanted, sizeof *b->slots);
  b->slot_count = wanted;
  for (size_t i = 0; i < b->count; i++)
    *slot_of(b, b->raw[i].caller, b->raw[i].function, b->raw[i].inlined) = (uint32_t)i + 1;
}

static uint32_t node_below(struct builder *b, uint32_t caller, uint32_t function, bool inlined) {
  if (b->count == b->room)
    grow(b);
  uint32_t *slot = slot_of(b, caller, function, inlined);
  if (!*slot) {
    b->raw[b->count] = (struct raw){.function = function, .caller = caller, .inlined = inlined};
    *slot = (uint32_t)++b->count;
  }
  return *slot - 1;
}

/// The function's number. It is the same where load file and name are.
static uint32_t add_function(struct builder *b, const struct call_function *of, bool named) {
  struct call_tree *out = b->out;
  struct text key = {0};
  text_format(&key, "%s\n%s", of->loadfile, named ? of->linkage : of->name);
  size_t before = out->keys.count, number = string_table_add(&out->keys, text_get(&key));
  text_release(&key);
  if (number == SIZE_MAX)
    memory_exhausted();
  if (out->keys.count == before)
    return (uint32_t)number;
  if (number == b->function_room) {
    b->function_room = 2 * b->function_room + 64;
    out->functions = memory_resized(out->functions, b->function_room, sizeof *out->functions);
  }
  out->functions[number] = *of;
  out->functions[number].name = named ? function_short_name(of->linkage) : text_copy(of->name);
  out->function_count = number + 1;
  return (uint32_t)number;
}

static uint32_t end_function(struct builder *b, uint32_t caller) {
  struct call_function end = {.name = caller == CALL_CUT ? "[deeper]" : "[unknown]",
                              .linkage = "",
                              .loadfile = "",
                              .kind = CALL_UNKNOWN,
                              .source = ""};
  return add_function(b, &end, false);
}

static uint32_t place_function(struct builder *b, const struct call_place *place,
                               const struct code_frame *frame) {
  const char *path = b->m->samples.files[place->file].file->path;
  struct call_function made = {.linkage = frame->name,
                               .loadfile = path,
                               .kind = place->kind,
                               .source = frame->file,
                               .line = frame->first_line};
  if (*frame->name)
    return add_function(b, &made, true);
  struct text name = {0};
  text_format(&name, *path == '[' ? "%s" : "[%s]", base_name(path));
  made.name = (char *)text_get(&name);
  uint32_t number = add_function(b, &made, false);
  text_release(&name);
  return number;
}

/// Of Reticle, not of the program: probes, and what they call.
static bool is_own(const struct call_place *place) {
  return place->symbol && instrumentation_has_function(place->symbol->name);
}

static uint32_t own_below(struct builder *b, uint32_t caller) {
  struct call_function own = {.name = "(instrumentation)",
                              .linkage = "",
                              .loadfile = "",
                              .kind = CALL_LIBRARY,
                              .source = ""};
  uint32_t function = add_function(b, &own, false);
  bool is_below = caller != NONE && b->raw[caller].function == function;
  return is_below ? caller : node_below(b, caller, function, false);
}

/// The node of a frame's innermost function; of instrumentation its caller's, as wrappers call the
/// program's functions on.
static uint32_t node_of_frame(struct builder *b, size_t index) {
  const struct call_frame *frame = &b->places->frames[index];
  uint32_t at = frame->caller == CALL_BEGINS ? NONE
                : frame->caller == CALL_STOPS || frame->caller == CALL_CUT
                    ? node_below(b, NONE, end_function(b, frame->caller), false)
                    : b->node_of[frame->caller];
  if (frame->place == SIZE_MAX)
    return at;
  const struct call_place *place = &b->places->places[frame->place];
  if (is_own(place))
    return at == NONE ? own_below(b, NONE) : at;
  if (frame->between && !instrumentation_has_function(frame->between->name)) {
    struct code_frame between = {.name = frame->between->name, .file = ""};
    const struct call_frame *caller = &b->places->frames[frame->caller];
    at = node_below(b, at, place_function(b, &b->places->places[caller->place], &between), false);
    b->raw[at].sums.recovered += b->through[index];
  }
  for (size_t i = place->frame_count; i-- > 0;)
    at = node_below(b, at, place_function(b, place, &b->places->functions[place->frame_first + i]),
                    i + 1 < place->frame_count);
  return at;
}

static void make_raw(struct builder *b) {
  const struct profile *profile = &b->m->input.profile;
  // How the stack of each frame begins.
  uint32_t *begin = memory_zeroed(profile->stack_count + 1, sizeof *begin);
  for (size_t i = profile->stack_count; i-- > 0;) {
    b->through[i] += profile->stacks[i].samples;
    if (profile->stacks[i].caller != UINT32_MAX)
      b->through[profile->stacks[i].caller] += b->through[i];
  }
  for (size_t i = 0; i < profile->stack_count; i++) {
    const struct profile_stack *s = &profile->stacks[i];
    uint32_t caller = b->places->frames[i].caller;
    uint32_t node = b->node_of[i] = node_of_frame(b, i);
    size_t place = b->places->frames[i].place;
    if (place != SIZE_MAX && is_own(&b->places->places[place]))
      node = own_below(b, node);
    b->raw[node].sums.self_samples += s->samples;
    b->raw[node].sums.self_time_ns += s->time_ns;
    begin[i] = caller < CALL_CUT ? begin[caller] : caller;
    b->out->samples += s->samples;
    b->out->time_ns += s->time_ns;
    b->out->complete += begin[i] == CALL_BEGINS ? s->samples : 0;
    b->out->cut += begin[i] == CALL_CUT ? s->samples : 0;
  }
  free(begin);
  for (size_t i = b->count; i-- > 0;) {
    struct raw *raw = &b->raw[i];
    raw->sums.samples += raw->sums.self_samples;
    raw->sums.time_ns += raw->sums.self_time_ns;
    if (raw->caller == NONE)
      continue;
    b->raw[raw->caller].sums.samples += raw->sums.samples;
    b->raw[raw->caller].sums.time_ns += raw->sums.time_ns;
  }
}

/// Those of a caller in a row, most samples last: as a stack gives them back.
static int compare_raw(const void *left, const void *right, void *builder) {
  const struct builder *b = builder;
  const struct raw *x = &b->raw[*(const uint32_t *)left], *y = &b->raw[*(const uint32_t *)right];
  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  if (x->sums.samples != y->sums.samples)
    return x->sums.samples < y->sums.samples ? -1 : 1;
  const struct call_function *f = &b->out->functions[x->function];
  const struct call_function *g = &b->out->functions[y->function];
  int order = strcmp(g->name, f->name);
  order = order ? order : strcmp(g->linkage, f->linkage);
  order = order ? order : strcmp(g->loadfile, f->loadfile);
  return order ? order : (int)y->inlined - (int)x->inlined;
}

/// Makes the nodes: each caller's callees behind it, heaviest first; those without samples go.
static void make_nodes(struct builder *b) {
  struct call_tree *out = b->out;
  uint32_t *order = memory_zeroed(b->count + 1, sizeof *order);
  size_t *first = memory_zeroed(b->count + 2, sizeof *first); // in order, of each caller
  struct waiting {
    uint32_t raw;
    size_t caller;
  } *waiting = memory_zeroed(b->count + 1, sizeof *waiting);
  size_t waits = 0;
  for (size_t i = 0; i < b->count; i++)
    order[i] = (uint32_t)i;
  qsort_r(order, b->count, sizeof *order, compare_raw, b);
  for (size_t i = b->count; i-- > 0;)
    if (b->raw[order[i]].caller != NONE)
      first[b->raw[order[i]].caller] = i + 1;
    else
      waits++;
  // Those without a caller have the largest number as theirs: they are last.
  for (size_t i = 0; i < waits; i++)
    waiting[i] = (struct waiting){order[b->count - waits + i], SIZE_MAX};
  out->nodes = memory_zeroed(b->count + 1, sizeof *out->nodes);
  while (waits) {
    struct waiting next = waiting[--waits];
    const struct raw *raw = &b->raw[next.raw];
    if (!raw->sums.samples)
      continue;
    size_t at = out->node_count++;
    struct call_node *node = &out->nodes[at];
    *node = raw->sums;
    node->function = raw->function;
    node->caller = next.caller;
    node->inlined = raw->inlined;
    node->depth = next.caller == SIZE_MAX ? 0 : out->nodes[next.caller].depth + 1;
    out->depth = out->depth > node->depth ? out->depth : node->depth + 1;
    for (size_t i = first[next.raw]; i && i <= b->count && b->raw[order[i - 1]].caller == next.raw;
         i++)
      waiting[waits++] = (struct waiting){order[i - 1], at};
  }
  for (size_t i = out->node_count; i-- > 0;) {
    struct call_node *node = &out->nodes[i];
    node->last = node->last > i ? node->last : i + 1;
    if (node->caller != SIZE_MAX && out->nodes[node->caller].last < node->last)
      out->nodes[node->caller].last = node->last;
  }
  free(order);
  free(first);
  free(waiting);
}

static size_t edge_between(struct call_tree *out, size_t caller, size_t callee, uint32_t *slots,
                           size_t slot_count) {
  size_t at = hash_of(caller, callee) & (slot_count - 1);
  for (; slots[at]; at = (at + 1) & (slot_count - 1)) {
    const struct call_edge *edge = &out->edges[slots[at] - 1];
    if (edge->caller == caller && edge->callee == callee)
      return slots[at] - 1;
  }
  out->edges[out->edge_count] = (struct call_edge){.caller = caller, .callee = callee};
  slots[at] = (uint32_t)++out->edge_count;
  return out->edge_count - 1;
}

/// Sums by function and by call; what recurs on a stack counts once.
static void add_sums(struct call_tree *out) {
  size_t slot_count = 64;
  while (slot_count < 2 * out->node_count)
    slot_count *= 2;
  uint32_t *slots = memory_zeroed(slot_count, sizeof *slots);
  uint32_t *in_function = memory_zeroed(out->function_count + 1, sizeof *in_function);
  uint32_t *in_edge = memory_zeroed(out->node_count + 1, sizeof *in_edge);
  struct {
    size_t node, edge;
  } *path = memory_zeroed(out->depth + 1, sizeof *path);
  out->edges = memory_zeroed(out->node_count + 1, sizeof *out->edges);
  size_t depth = 0;
  for (size_t i = 0; i < out->node_count; i++) {
    const struct call_node *node = &out->nodes[i];
    for (; depth > node->depth; depth--) {
      in_function[out->nodes[path[depth - 1].node].function]--;
      if (path[depth - 1].edge != SIZE_MAX)
        in_edge[path[depth - 1].edge]--;
    }
    struct call_function *f = &out->functions[node->function];
    f->self_samples += node->self_samples;
    f->self_time_ns += node->self_time_ns;
    if (!in_function[node->function]++) {
      f->samples += node->samples;
      f->time_ns += node->time_ns;
    }
    size_t edge = SIZE_MAX;
    if (node->caller != SIZE_MAX) {
      edge =
          edge_between(out, out->nodes[node->caller].function, node->function, slots, slot_count);
      if (!in_edge[edge]++) {
        out->edges[edge].samples += node->samples;
        out->edges[edge].time_ns += node->time_ns;
      }
    }
    path[depth].node = i;
    path[depth++].edge = edge;
  }
  free(slots);
  free(in_function);
  free(in_edge);
  free(path);
}

static int compare_functions(const void *left, const void *right, void *functions) {
  const struct call_function *all = functions;
  const struct call_function *a = &all[*(const size_t *)left], *b = &all[*(const size_t *)right];
  if (a->samples != b->samples)
    return a->samples > b->samples ? -1 : 1;
  if (a->self_samples != b->self_samples)
    return a->self_samples > b->self_samples ? -1 : 1;
  int order = strcmp(a->name, b->name);
  order = order ? order : strcmp(a->linkage, b->linkage);
  return order ? order : strcmp(a->loadfile, b->loadfile);
}

static int compare_edges(const void *left, const void *right) {
  const struct call_edge *a = left, *b = right;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  if (a->samples != b->samples)
    return a->samples > b->samples ? -1 : 1;
  return (a->callee > b->callee) - (a->callee < b->callee);
}

/// Puts functions in their order.
static void order_functions(struct call_tree *out) {
  size_t count = out->function_count;
  size_t *order = memory_zeroed(count + 1, sizeof *order);
  size_t *place = memory_zeroed(count + 1, sizeof *place);
  struct call_function *ordered = memory_zeroed(count + 1, sizeof *ordered);
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  if (count)
    qsort_r(order, count, sizeof *order, compare_functions, out->functions);
  for (size_t i = 0; i < count; i++) {
    ordered[i] = out->functions[order[i]];
    place[order[i]] = i;
  }
  for (size_t i = 0; i < out->node_count; i++)
    out->nodes[i].function = place[out->nodes[i].function];
  for (size_t i = 0; i < out->edge_count; i++) {
    out->edges[i].caller = place[out->edges[i].caller];
    out->edges[i].callee = place[out->edges[i].callee];
  }
  if (out->edge_count)
    qsort(out->edges, out->edge_count, sizeof *out->edges, compare_edges);
  free(out->functions);
  out->functions = ordered;
  free(order);
  free(place);
}

bool call_tree_is_sound(const struct call_tree *tree) {
  return tree->samples && 2 * tree->complete >= tree->samples;
}

void call_tree_read(const struct measurement *m, struct call_tree *out) {
  const struct profile *profile = &m->input.profile;
  struct call_places places;
  *out = (struct call_tree){0};
  for (size_t i = 0; i < profile->sampling_count; i++)
    out->no_room += profile->sampling[i].stacks_no_room;
  if (!profile->stack_count)
    return;
  call_places_read(m, &places);
  struct builder b = {.m = m, .places = &places, .out = out};
  b.node_of = memory_zeroed(profile->stack_count, sizeof *b.node_of);
  b.through = memory_zeroed(profile->stack_count, sizeof *b.through);
  make_raw(&b);
  make_nodes(&b);
  add_sums(out);
  order_functions(out);
  free(b.raw);
  free(b.slots);
  free(b.node_of);
  free(b.through);
  call_places_release(&places);
}

void call_tree_release(struct call_tree *tree) {
  for (size_t i = 0; i < tree->function_count; i++)
    free(tree->functions[i].name);
  free(tree->nodes);
  free(tree->functions);
  free(tree->edges);
  string_table_release(&tree->keys);
  *tree = (struct call_tree){0};
}

LAZY(call_tree, struct call_tree, call_tree_read, call_tree_release)
