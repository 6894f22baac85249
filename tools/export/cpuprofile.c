// cpuprofile.c - makes a tree of functions by their stacks, and puts samples on it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/cpuprofile.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// No place in a source.
#define LINE_NONE 0

struct tick {
  unsigned line;
  uint64_t samples;
};

struct node {
  const char *name, *file;
  size_t first_child, last_child, next; ///< siblings in the order they came; 0: none
  unsigned first_line;                  ///< the first one that was sampled
  uint64_t samples;                     ///< that lie in it, and in none of its children
  struct tick *ticks;                   ///< [tick_count] of these
  size_t tick_count;
};

struct tree {
  struct node *nodes; ///< [count] the first one is the root; parents stand before their children
  size_t count, room;
};

static size_t add_node(struct tree *tree, const char *name, const char *file) {
  if (tree->count == tree->room) {
    tree->room = 2 * tree->room + 64;
    tree->nodes = memory_resized(tree->nodes, tree->room, sizeof *tree->nodes);
  }
  tree->nodes[tree->count] = (struct node){.name = name, .file = file};
  return tree->count++;
}

static size_t find_child(struct tree *tree, size_t parent, const struct stack_frame *frame) {
  for (size_t i = tree->nodes[parent].first_child; i; i = tree->nodes[i].next)
    if (strcmp(tree->nodes[i].name, frame->name) == 0 &&
        strcmp(tree->nodes[i].file, frame->file) == 0)
      return i;
  size_t made = add_node(tree, frame->name, frame->file);
  struct node *above = &tree->nodes[parent];
  *(above->last_child ? &tree->nodes[above->last_child].next : &above->first_child) = made;
  above->last_child = made;
  return made;
}

static void add_tick(struct node *node, unsigned line, uint64_t samples) {
  node->samples += samples;
  if (line == LINE_NONE)
    return;
  for (size_t i = 0; i < node->tick_count; i++)
    if (node->ticks[i].line == line) {
      node->ticks[i].samples += samples;
      return;
    }
  node->ticks = memory_resized(node->ticks, node->tick_count + 1, sizeof *node->ticks);
  node->ticks[node->tick_count++] = (struct tick){line, samples};
}

/// The node of the innermost frame.
///
/// node_of  [stack_count] of the stacks before this one
static size_t add_stack(const struct stacks *stacks, size_t index, const size_t *node_of,
                        struct tree *tree) {
  const struct stack *stack = &stacks->stacks[index];
  const struct stack_location *location = &stacks->locations[stack->location];
  size_t at = stack->caller == STACK_NO_CALLER ? 0 : node_of[stack->caller];
  for (size_t i = location->frame_count; i-- > 0;) {
    const struct stack_frame *frame = &stacks->frames[location->frame_first + i];
    at = find_child(tree, at, frame);
    struct node *node = &tree->nodes[at];
    if (frame->line != LINE_NONE && (!node->first_line || frame->line < node->first_line))
      node->first_line = frame->line;
    if (!i && stack->samples)
      add_tick(node, frame->line, stack->samples);
  }
  return at;
}

static void put_node(struct json *nodes, const struct tree *tree, size_t index) {
  const struct node *node = &tree->nodes[index];
  struct json *json = json_append(nodes, json_object_new());
  json_put_count(json, "id", index + 1);
  struct json *frame = json_put(json, "callFrame", json_object_new());
  json_put_text(frame, "functionName", node->name);
  json_put_text(frame, "scriptId", "0");
  json_put_text(frame, "url", node->file);
  json_put_number(frame, "lineNumber", node->first_line ? (double)node->first_line - 1 : -1);
  json_put_number(frame, "columnNumber", node->first_line ? 0 : -1);
  json_put_count(json, "hitCount", node->samples);
  struct json *children = json_put(json, "children", json_array_new());
  for (size_t i = node->first_child; i; i = tree->nodes[i].next)
    json_append_count(children, i + 1);
  struct json *ticks = json_put(json, "positionTicks", json_array_new());
  for (size_t i = 0; i < node->tick_count; i++) {
    struct json *tick = json_append(ticks, json_object_new());
    json_put_count(tick, "line", node->ticks[i].line);
    json_put_count(tick, "ticks", node->ticks[i].samples);
  }
}

struct json *cpuprofile_make(const struct stacks *stacks) {
  struct tree tree = {0};
  struct json *profile = json_object_new(), *nodes = json_array_new();
  struct json *samples = json_array_new(), *deltas = json_array_new();
  uint64_t start_us = stacks->start_time_s * 1000000, passed_us = 0;
  size_t *node_of = memory_zeroed(stacks->stack_count + 1, sizeof *node_of);
  add_node(&tree, "(root)", "");
  // A sample lasts until the next one: each has its time in the delta behind it. Instructions
  // follow each other as if they had been executed one by one, as the order isn't known.
  json_append_count(deltas, 0);
  for (size_t i = 0; i < stacks->stack_count; i++) {
    uint64_t time_us = stacks->stacks[i].time_ns / 1000;
    node_of[i] = add_stack(stacks, i, node_of, &tree);
    if (!stacks->stacks[i].samples)
      continue;
    json_append_count(samples, node_of[i] + 1);
    json_append_count(deltas, time_us);
    passed_us += time_us;
  }
  json_append_count(samples, 1); // the end of the last one
  for (size_t i = 0; i < tree.count; i++)
    put_node(nodes, &tree, i);
  json_put(profile, "nodes", nodes);
  json_put_count(profile, "startTime", start_us);
  json_put_count(profile, "endTime", start_us + passed_us);
  json_put(profile, "samples", samples);
  json_put(profile, "timeDeltas", deltas);
  for (size_t i = 0; i < tree.count; i++)
    free(tree.nodes[i].ticks);
  free(tree.nodes);
  free(node_of);
  return profile;
}
