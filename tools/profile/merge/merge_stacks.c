// merge_stacks.c - adds up trees of call stacks: frames of one place below the same callers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge/merge_stacks.h"

#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <stdlib.h>

size_t stacks_find_mistake(const struct profile *profile, const char **mistake) {
  uint32_t *depths = calloc(profile->stack_count + 1, sizeof *depths);
  size_t i = 0;
  *mistake = depths ? NULL : "no memory";
  for (; depths && i < profile->stack_count; i++) {
    const struct profile_stack *s = &profile->stacks[i];
    if (s->loadfile != UINT32_MAX && s->loadfile >= profile->loadfile_count)
      *mistake = "its load file isn't in chunk 'loadfiles'";
    else if (s->caller != UINT32_MAX && s->caller >= i)
      *mistake = "its caller doesn't stand before it";
    else if (s->caller != UINT32_MAX)
      depths[i] = depths[s->caller] + 1;
    if (!*mistake && depths[i] >= PROFILE_STACK_DEPTH_MOST)
      *mistake = "it has more than 1024 callers";
    if (*mistake)
      break;
  }
  free(depths);
  return i;
}

/// A frame of one of the trees.
struct item {
  struct profile_stack stack; ///< its caller and load file are the merged ones once it has its turn
  uint32_t depth;
  uint32_t own; ///< its caller, in `items`; UINT32_MAX for none
  size_t place; ///< in `items`
};

static int compare_depth(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  if (a->depth != b->depth)
    return a->depth < b->depth ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

static int compare_frames(const void *left, const void *right) {
  const struct profile_stack *a = &((const struct item *)left)->stack;
  const struct profile_stack *b = &((const struct item *)right)->stack;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  if (a->loadfile != b->loadfile)
    return a->loadfile < b->loadfile ? -1 : 1;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

/// Frames of one depth, whose callers are merged: equal ones become one.
///
/// items  [count] get another order
/// to     of all items by their place: where they are merged
static size_t merge_level(struct item *items, size_t count, struct profile_stack *out, size_t next,
                          uint32_t *to) {
  for (size_t i = 0; i < count; i++)
    items[i].stack.caller = items[i].own == UINT32_MAX ? UINT32_MAX : to[items[i].own];
  qsort(items, count, sizeof *items, compare_frames);
  for (size_t i = 0; i < count; i++) {
    if (i && compare_frames(&items[i - 1], &items[i]) == 0)
      merge_record(PROFILE_STACKS, &out[next - 1], &items[i].stack);
    else
      out[next++] = items[i].stack;
    to[items[i].place] = (uint32_t)(next - 1);
  }
  return next;
}

/// Level by level, so that the result has one order whatever that of the input was.
static size_t merge_items(struct item *items, size_t total, struct profile_stack *out,
                          uint32_t *to) {
  size_t next = 0;
  if (total)
    qsort(items, total, sizeof *items, compare_depth);
  for (size_t i = 0, end; i < total; i = end) {
    for (end = i; end < total && items[end].depth == items[i].depth; end++)
      ;
    next = merge_level(items + i, end - i, out, next, to);
  }
  return next;
}

int merge_stack_trees(const struct stack_tree *trees, size_t count, struct profile *out,
                      uint32_t *to) {
  size_t total = 0, first = 0;
  for (size_t i = 0; i < count; i++)
    total += trees[i].count;
  struct item *items = calloc(total + 1, sizeof *items);
  struct profile_stack *all = profile_allocate(out, total, sizeof *all);
  uint32_t *own_to = to ? NULL : calloc(total + 1, sizeof *own_to);
  int result = items && all && (to || own_to) && total < UINT32_MAX ? 0 : RETICLE_E_MEMORY;
  for (size_t i = 0; result == 0 && i < count; first += trees[i++].count)
    for (size_t k = 0; k < trees[i].count; k++) {
      struct item *item = &items[first + k];
      *item = (struct item){.stack = trees[i].stacks[k], .place = first + k, .own = UINT32_MAX};
      if (trees[i].files && item->stack.loadfile != UINT32_MAX)
        item->stack.loadfile = trees[i].files[item->stack.loadfile];
      if (item->stack.caller == UINT32_MAX)
        continue;
      item->own = (uint32_t)(first + item->stack.caller); // which stands before it
      item->depth = items[item->own].depth + 1;
    }
  if (result == 0) {
    out->stacks = all;
    out->stack_count = merge_items(items, total, all, to ? to : own_to);
  }
  free(own_to);
  free(items);
  return result;
}

int merge_stacks(const struct profile *const *in, size_t count, uint32_t *const *map,
                 struct profile *out) {
  struct stack_tree *trees = calloc(count + 1, sizeof *trees);
  for (size_t i = 0; trees && i < count; i++)
    trees[i] = (struct stack_tree){in[i]->stacks, in[i]->stack_count, map[i]};
  int result = trees ? merge_stack_trees(trees, count, out, NULL) : RETICLE_E_MEMORY;
  free(trees);
  return result;
}

/// Leaves out frames without samples of their own and without callees.
static int drop_empty(struct profile *profile) {
  size_t kept = 0;
  uint32_t *to = calloc(profile->stack_count + 1, sizeof *to);
  if (!to)
    return RETICLE_E_MEMORY;
  for (size_t i = profile->stack_count; i-- > 0;) { // callees stand behind their callers
    const struct profile_stack *s = &profile->stacks[i];
    to[i] |= s->samples || s->kernel_samples;
    if (to[i] && s->caller != UINT32_MAX)
      to[s->caller] = 1;
  }
  for (size_t i = 0; i < profile->stack_count; i++) {
    struct profile_stack stack = profile->stacks[i];
    if (!to[i])
      continue;
    if (stack.caller != UINT32_MAX)
      stack.caller = to[stack.caller];
    to[i] = (uint32_t)kept;
    profile->stacks[kept++] = stack;
  }
  profile->stack_count = kept;
  free(to);
  return 0;
}

static uint64_t less(uint64_t later, uint64_t earlier) {
  return later > earlier ? later - earlier : 0;
}

int interval_stacks(const struct profile *earlier, const uint32_t *files, struct profile *later) {
  size_t kept = later->stack_count, from = earlier->stack_count;
  uint32_t *to = calloc(kept + from + 1, sizeof *to);
  struct profile_stack *had = calloc(kept + from + 1, sizeof *had); // sums alone
  struct stack_tree trees[] = {{later->stacks, kept, NULL}, {earlier->stacks, from, files}};
  int result = to && had ? merge_stack_trees(trees, 2, later, to) : RETICLE_E_MEMORY;
  for (size_t i = 0; result == 0 && i < from; i++) {
    struct profile_stack *sum = &had[to[kept + i]];
    sum->samples += earlier->stacks[i].samples;
    sum->time_ns += earlier->stacks[i].time_ns;
    sum->kernel_samples += earlier->stacks[i].kernel_samples;
    sum->kernel_ns += earlier->stacks[i].kernel_ns;
  }
  for (size_t i = 0; result == 0 && i < later->stack_count; i++) {
    // The sum of both, less the earlier one twice.
    struct profile_stack *s = &later->stacks[i];
    s->samples = less(less(s->samples, had[i].samples), had[i].samples);
    s->time_ns = less(less(s->time_ns, had[i].time_ns), had[i].time_ns);
    s->kernel_samples = less(less(s->kernel_samples, had[i].kernel_samples), had[i].kernel_samples);
    s->kernel_ns = less(less(s->kernel_ns, had[i].kernel_ns), had[i].kernel_ns);
  }
  free(to);
  free(had);
  return result ? result : drop_empty(later);
}
