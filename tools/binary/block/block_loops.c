// block_loops.c - finds back edges by dominators, and the blocks that each loop holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dominators by the iterative method of Cooper, Harvey and Kennedy (2001), natural loops by back
// edges.
#include "tools/binary/block/block_loops.h"

#include "tools/binary/block/block_edges.h"

#include <stdlib.h>
#include <string.h>

/// The blocks and the edges between them. Node `count` is the root: it leads to the entry and to
/// what nothing else leads to.
struct graph {
  const struct block_list *list;
  size_t count;
  struct edge {
    size_t from, to;
  } *edges; ///< [edge_count]
  size_t edge_count, edge_capacity;
  size_t *first; ///< [count + 2] edges[first[i]] on are those from i
  size_t *order; ///< [count + 1] position in reverse postorder, from 0 for the root
  size_t *nodes; ///< [reached] by that position
  size_t reached;
  size_t *dominator; ///< [count + 1] immediate; of positions
  bool failed;
};

static void add_edge(struct graph *graph, size_t from, size_t to) {
  if (graph->edge_count == graph->edge_capacity) {
    size_t capacity = 2 * graph->edge_capacity + 64;
    struct edge *moved = realloc(graph->edges, capacity * sizeof(*moved));
    if (!moved) {
      graph->failed = true;
      return;
    }
    graph->edges = moved;
    graph->edge_capacity = capacity;
  }
  graph->edges[graph->edge_count++] = (struct edge){from, to};
}

static int compare_edges(const void *left, const void *right) {
  const struct edge *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static void find_edges(struct graph *graph) {
  bool *led_to = calloc(graph->count + 1, sizeof(*led_to));
  if (!led_to) {
    graph->failed = true;
    return;
  }
  struct block_edges direct;
  graph->failed |= !block_edges_find(graph->list, &direct);
  for (size_t i = 0; i < direct.count; i++)
    add_edge(graph, direct.edges[i].from, direct.edges[i].to);
  block_edges_release(&direct);
  for (size_t i = 0; i < graph->edge_count; i++)
    led_to[graph->edges[i].to] |= graph->edges[i].from != graph->edges[i].to;
  bool has_table = false;
  for (size_t i = 0; i < graph->count; i++)
    has_table |= (graph->list->blocks[i].flags & BLOCK_INDIRECT_BRANCH) != 0;
  for (size_t to = 0; to < graph->count; to++) {
    uint32_t flags = graph->list->blocks[to].flags;
    if (flags & BLOCK_ENTRY || (!led_to[to] && (!has_table || flags & BLOCK_LANDING_PAD)))
      add_edge(graph, graph->count, to);
    for (size_t from = 0; !led_to[to] && from < graph->count && !(flags & BLOCK_ENTRY); from++)
      if (graph->list->blocks[from].flags & BLOCK_INDIRECT_BRANCH && !(flags & BLOCK_LANDING_PAD))
        add_edge(graph, from, to);
  }
  free(led_to);
  if (graph->failed)
    return;
  qsort(graph->edges, graph->edge_count, sizeof(*graph->edges), compare_edges);
  for (size_t i = 0, next = 0; i <= graph->count + 1; i++) {
    while (next < graph->edge_count && graph->edges[next].from < i)
      next++;
    graph->first[i] = next;
  }
}

/// Depth first from the root, without recursion. stack, next: [count + 1]
static void number_nodes(struct graph *graph, size_t *stack, size_t *next) {
  size_t nodes = graph->count + 1, depth = 0, after = nodes;
  for (size_t i = 0; i < nodes; i++) {
    graph->order[i] = BLOCK_LOOP_NONE;
    next[i] = graph->first[i];
  }
  stack[depth++] = graph->count;
  graph->order[graph->count] = 0; // seen
  while (depth) {
    size_t node = stack[depth - 1];
    if (next[node] == graph->first[node + 1]) {
      graph->nodes[--after] = node;
      depth--;
      continue;
    }
    size_t to = graph->edges[next[node]++].to;
    if (graph->order[to] == BLOCK_LOOP_NONE) {
      graph->order[to] = 0;
      stack[depth++] = to;
    }
  }
  graph->reached = nodes - after;
  memmove(graph->nodes, graph->nodes + after, graph->reached * sizeof(*graph->nodes));
  for (size_t i = 0; i < graph->reached; i++)
    graph->order[graph->nodes[i]] = i;
}

static size_t meet(const size_t *dominator, size_t a, size_t b) {
  while (a != b) {
    while (a > b)
      a = dominator[a];
    while (b > a)
      b = dominator[b];
  }
  return a;
}

static void find_dominators(struct graph *graph) {
  size_t *dominator = graph->dominator;
  for (size_t i = 0; i < graph->reached; i++)
    dominator[i] = i ? BLOCK_LOOP_NONE : 0;
  for (bool changed = true; changed;) {
    changed = false;
    // Edges by their source in reverse postorder: what leads forward is settled in one round.
    for (size_t i = 0; i < graph->reached; i++) {
      size_t node = graph->nodes[i];
      if (dominator[i] == BLOCK_LOOP_NONE)
        continue;
      for (size_t e = graph->first[node]; e < graph->first[node + 1]; e++) {
        size_t to = graph->order[graph->edges[e].to];
        size_t is = dominator[to] == BLOCK_LOOP_NONE ? i : meet(dominator, dominator[to], i);
        changed |= to && is != dominator[to];
        dominator[to] = to ? is : 0;
      }
    }
  }
}

/// Whether block a is on every way to block b. Both are reached.
static bool dominates(const struct graph *graph, size_t a, size_t b) {
  size_t top = graph->order[a], at = graph->order[b];
  while (at > top)
    at = graph->dominator[at];
  return at == top;
}

/// Marks what can reach the latch without passing the header. member: [count]
static void collect(const struct graph *graph, size_t header, size_t latch, bool *member) {
  member[header] = true;
  if (member[latch])
    return;
  member[latch] = true;
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t e = graph->edge_count; e-- > 0;) {
      const struct edge *edge = &graph->edges[e];
      if (edge->from < graph->count && edge->to != header && member[edge->to] &&
          !member[edge->from] && graph->order[edge->from] != BLOCK_LOOP_NONE) {
        member[edge->from] = true;
        grew = true;
      }
    }
  }
}

static bool is_back_edge(const struct graph *graph, const struct edge *edge) {
  return edge->from < graph->count && graph->order[edge->from] != BLOCK_LOOP_NONE &&
         graph->order[edge->to] <= graph->order[edge->from] &&
         dominates(graph, edge->to, edge->from);
}

/// Adds the loop of a header, if it has one. Headers come in reverse postorder, so loops around it
/// are there already. member: [count] scratch.
static void add_loop(const struct graph *graph, size_t header, bool *member,
                     struct block_loops *out) {
  bool has_loop = false;
  memset(member, 0, graph->count * sizeof(*member));
  for (size_t e = 0; e < graph->edge_count; e++)
    if (graph->edges[e].to == header && is_back_edge(graph, &graph->edges[e])) {
      collect(graph, header, graph->edges[e].from, member);
      has_loop = true;
    }
  if (!has_loop)
    return;
  size_t parent = out->innermost[header], number = out->count++;
  out->loops[number] = (struct block_loop){
      .header = header,
      .parent = parent,
      .depth = parent == BLOCK_LOOP_NONE ? 1 : out->loops[parent].depth + 1,
  };
  for (size_t i = 0; i < graph->count; i++)
    if (member[i])
      out->innermost[i] = number;
}

/// Sets every_iteration: on every way to each jump back to the header.
static void find_every_iteration(const struct graph *graph, struct block_loops *out) {
  for (size_t i = 0; i < graph->count; i++)
    out->every_iteration[i] = out->innermost[i] != BLOCK_LOOP_NONE;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct edge *edge = &graph->edges[e];
    if (!is_back_edge(graph, edge))
      continue;
    for (size_t i = 0; i < graph->count; i++)
      if (out->every_iteration[i] && out->loops[out->innermost[i]].header == edge->to)
        out->every_iteration[i] = dominates(graph, i, edge->from);
  }
}

bool block_loops_find(const struct block_list *list, struct block_loops *out) {
  size_t n = list->count;
  struct graph graph = {.list = list, .count = n};
  *out = (struct block_loops){0};
  graph.first = calloc(n + 3, sizeof(*graph.first));
  graph.order = calloc(n + 1, sizeof(*graph.order));
  graph.nodes = calloc(n + 1, sizeof(*graph.nodes));
  graph.dominator = calloc(n + 1, sizeof(*graph.dominator));
  size_t *room = calloc(2 * (n + 1), sizeof(*room));
  bool *member = calloc(n + 1, sizeof(*member));
  out->loops = calloc(n + 1, sizeof(*out->loops));
  out->innermost = calloc(n + 1, sizeof(*out->innermost));
  out->every_iteration = calloc(n + 1, sizeof(*out->every_iteration));
  graph.failed = !graph.first || !graph.order || !graph.nodes || !graph.dominator || !room ||
                 !member || !out->loops || !out->innermost || !out->every_iteration;
  if (!graph.failed)
    find_edges(&graph);
  if (!graph.failed) {
    number_nodes(&graph, room, room + n + 1);
    find_dominators(&graph);
    for (size_t i = 0; i < n; i++)
      out->innermost[i] = BLOCK_LOOP_NONE;
    for (size_t i = 1; i < graph.reached; i++)
      add_loop(&graph, graph.nodes[i], member, out);
    find_every_iteration(&graph, out);
  }
  free(graph.edges);
  free(graph.first);
  free(graph.order);
  free(graph.nodes);
  free(graph.dominator);
  free(room);
  free(member);
  if (graph.failed)
    block_loops_release(out);
  return !graph.failed;
}

void block_loops_release(struct block_loops *loops) {
  free(loops->loops);
  free(loops->innermost);
  free(loops->every_iteration);
  *loops = (struct block_loops){0};
}
