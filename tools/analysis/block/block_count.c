// block_count.c - executions of blocks from counters and labels, or from the flow through them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/block/block_count.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

struct flow {
  const struct block_count_input *in;
  struct block_count *out;
  struct block_count_label *labels; ///< [in->label_count] those of one label in a row
  bool *edge_known;                 ///< [in->edge_count]
  uint64_t *edge;                   ///< [in->edge_count] times it was taken
  size_t *ways_in, *ways_out;       ///< [blocks] edges
  size_t *first_in, *first_out;     ///< [blocks] of them, in edges_in and edges_out
  size_t *edges_in, *edges_out;     ///< [in->edge_count]
  bool *contradicts;                ///< [blocks]
};

static int compare_labels(const void *left, const void *right) {
  const struct block_count_label *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  if (a->block != b->block)
    return a->block < b->block ? -1 : 1;
  return a->is_part - b->is_part;
}

static bool set(struct flow *f, size_t block, enum block_count_status status, uint64_t count) {
  if (block_count_is_known(&f->out[block]) || f->contradicts[block])
    return false;
  f->out[block] = (struct block_count){status, count};
  return true;
}

static bool differ(double a, double b) {
  return fabs(a - b) > BLOCK_COUNT_TOLERANCE * fmax(a, b) + 0.5;
}

/// A label without copies says its block's count; with them, once all but one are known, the
/// last's.
static bool by_labels(struct flow *f) {
  bool changed = false;
  size_t n = f->in->label_count;
  for (size_t i = 0, end; i < n; i = end) {
    size_t copies = 0, unknown = 0, last = 0;
    uint64_t sum = 0;
    for (end = i; end < n && f->labels[end].label == f->labels[i].label; end++) {
      size_t block = f->labels[end].block;
      if (end > i && f->labels[end - 1].block == block)
        continue;
      copies++;
      if (f->labels[end].is_part) {
        unknown += 2;
      } else if (block_count_is_known(&f->out[block])) {
        sum += f->out[block].count;
      } else {
        unknown++;
        last = block;
      }
    }
    if (unknown != 1 || sum > f->labels[i].count)
      continue;
    changed |=
        set(f, last, copies == 1 ? BLOCK_COUNT_LABEL : BLOCK_COUNT_FLOW, f->labels[i].count - sum);
  }
  return changed;
}

static bool set_edge(struct flow *f, size_t e, uint64_t times) {
  if (f->edge_known[e])
    return false;
  f->edge_known[e] = true;
  f->edge[e] = times;
  return true;
}

/// Edges on one side of each block: what is known, and how many are not. is_in: those that lead to
/// it.
struct side {
  uint64_t sum;
  size_t unknown, last;
};

static void sum_sides(const struct flow *f, bool is_in, struct side *sides) {
  for (size_t b = 0; b < f->in->blocks; b++)
    sides[b] = (struct side){0};
  for (size_t e = 0; e < f->in->edge_count; e++) {
    struct side *side = &sides[is_in ? f->in->edges[e].to : f->in->edges[e].from];
    if (f->edge_known[e]) {
      side->sum += f->edge[e];
    } else {
      side->unknown++;
      side->last = e;
    }
  }
}

/// What goes in has come, what goes out was there.
static bool by_edges(struct flow *f, bool is_in, struct side *sides) {
  bool changed = false;
  const bool *open = is_in ? f->in->entered : f->in->leaves;
  const size_t *ways = is_in ? f->ways_in : f->ways_out;
  sum_sides(f, is_in, sides);
  for (size_t b = 0; b < f->in->blocks; b++) {
    const struct side *side = &sides[b];
    if (open[b] || !ways[b] || f->contradicts[b])
      continue;
    if (!block_count_is_known(&f->out[b])) {
      if (!side->unknown)
        changed |= set(f, b, BLOCK_COUNT_FLOW, side->sum);
    } else if (side->unknown == 1 && side->sum <= f->out[b].count) {
      changed |= set_edge(f, side->last, f->out[b].count - side->sum);
    }
  }
  return changed;
}

static void mark(struct flow *f, size_t block) { f->contradicts[block] = true; }

/// Which of them is wrong, the block or those that lead to it (or follow), isn't known.
static void mark_around(struct flow *f, size_t block, bool is_in) {
  mark(f, block);
  for (size_t e = 0; e < f->in->edge_count; e++) {
    const struct block_count_edge *edge = &f->in->edges[e];
    if ((is_in ? edge->to : edge->from) == block)
      mark(f, is_in ? edge->from : edge->to);
  }
}

/// Whether labels can be true of the edges: a block runs at least as often as blocks that lead only
/// to it, and at most as often as all that lead to it; and the same behind it.
static void check(struct flow *f, bool is_in, double *least, double *most, bool *open) {
  const struct block_count_input *in = f->in;
  const size_t *other_ways = is_in ? f->ways_out : f->ways_in;
  const bool *other_open = is_in ? in->leaves : in->entered;
  for (size_t b = 0; b < in->blocks; b++) {
    least[b] = most[b] = 0;
    open[b] = is_in ? in->entered[b] : in->leaves[b];
  }
  for (size_t e = 0; e < in->edge_count; e++) {
    size_t b = is_in ? in->edges[e].to : in->edges[e].from;
    size_t other = is_in ? in->edges[e].from : in->edges[e].to;
    if (!block_count_is_known(&f->out[other])) {
      open[b] = true;
      continue;
    }
    double count = (double)f->out[other].count;
    most[b] += count;
    if (other_ways[other] == 1 && !other_open[other])
      least[b] += count;
  }
  for (size_t b = 0; b < in->blocks; b++) {
    double count = (double)f->out[b].count;
    if (!block_count_is_known(&f->out[b]))
      continue;
    // A call in it may not return: what follows is less, never more.
    bool too_few = count < least[b] && differ(count, least[b]);
    bool too_many = !open[b] && (is_in ? f->ways_in[b] : f->ways_out[b]) && count > most[b] &&
                    differ(count, most[b]);
    if (too_few || too_many)
      mark_around(f, b, is_in);
  }
}

/// Labels of one block that have no other copies and say different things.
static void check_labels(struct flow *f) {
  for (size_t i = 0, end; i < f->in->label_count; i = end) {
    for (end = i + 1; end < f->in->label_count && f->labels[end].label == f->labels[i].label; end++)
      ;
    const struct block_count *said = &f->out[f->labels[i].block];
    if (end == i + 1 && !f->labels[i].is_part && block_count_is_known(said) &&
        differ((double)said->count, (double)f->labels[i].count))
      mark(f, f->labels[i].block);
  }
}

/// What the code generator makes of one block has fewer blocks.
#define REGION_BLOCKS 64

/// A walk over blocks whose counts aren't known. Blocks wait in `todo`, each once.
struct walk {
  size_t todo[REGION_BLOCKS];
  size_t count;
};

static bool is_sure(const struct flow *f, size_t block) {
  return f->out[block].status <= BLOCK_COUNT_FLOW && !f->contradicts[block];
}

static bool go_to(struct walk *walk, size_t block) {
  for (size_t i = 0; i < walk->count; i++)
    if (walk->todo[i] == block)
      return true;
  if (walk->count == REGION_BLOCKS)
    return false;
  walk->todo[walk->count++] = block;
  return true;
}

/// Whether all that leaves `from` on edges that aren't known comes to `to`, by blocks that aren't
/// known. `to` is where it ends: what lies behind it isn't looked at.
static bool leads_to(const struct flow *f, size_t from, size_t to) {
  struct walk walk = {{from}, 1};
  for (size_t i = 0; i < walk.count; i++) {
    size_t at = walk.todo[i];
    if (f->in->leaves[at] || !f->ways_out[at] || f->contradicts[at])
      return false;
    for (size_t k = 0; k < f->ways_out[at]; k++) {
      size_t e = f->edges_out[f->first_out[at] + k], next = f->in->edges[e].to;
      if (!f->edge_known[e] && next != to &&
          (next == from || is_sure(f, next) || !go_to(&walk, next)))
        return false;
    }
  }
  return true;
}

static double left_over(const struct flow *f, size_t block) {
  double left = (double)f->out[block].count;
  for (size_t k = 0; k < f->ways_out[block]; k++) {
    size_t e = f->edges_out[f->first_out[block] + k];
    left -= f->edge_known[e] ? (double)f->edge[e] : 0;
  }
  return fmax(0, left);
}

/// A block that all comes to that leaves known blocks around it, by ways that aren't known.
static bool by_region(struct flow *f, size_t block) {
  struct walk walk = {{block}, 1};
  double sum = 0;
  for (size_t i = 0; i < walk.count; i++) {
    size_t at = walk.todo[i];
    if (i && is_sure(f, at)) {
      if (!leads_to(f, at, block))
        return false;
      sum += left_over(f, at);
      continue;
    }
    if (f->in->entered[at] || !f->ways_in[at] || f->contradicts[at])
      return false;
    for (size_t k = 0; k < f->ways_in[at]; k++) {
      size_t e = f->edges_in[f->first_in[at] + k], from = f->in->edges[e].from;
      if (f->edge_known[e])
        sum += (double)f->edge[e];
      else if (from == block || !go_to(&walk, from))
        return false;
    }
  }
  return set(f, block, BLOCK_COUNT_FLOW, (uint64_t)sum);
}

static bool by_regions(struct flow *f) {
  bool changed = false;
  for (size_t b = 0; b < f->in->blocks; b++)
    changed |= f->out[b].status == BLOCK_COUNT_UNLABELLED && by_region(f, b);
  return changed;
}

/// Of the samples on ways that nothing else tells apart, the part that stands on one to have all of
/// them; and how many tell that.
static const double MOST_SAMPLES = 0.95;
static const uint64_t LEAST_SAMPLES = 20;

/// Of a block's unknown ways on, each to a block that is come to by it alone, the one with the
/// samples.
static void by_samples(struct flow *f) {
  const struct block_count_input *in = f->in;
  for (size_t b = 0; b < in->blocks; b++) {
    uint64_t all = 0, most = 0;
    size_t ways = 0, to_most = 0;
    bool fine = is_sure(f, b) && !in->leaves[b];
    for (size_t k = 0; k < f->ways_out[b] && fine; k++) {
      size_t e = f->edges_out[f->first_out[b] + k], to = in->edges[e].to;
      if (f->edge_known[e])
        continue;
      fine = f->out[to].status == BLOCK_COUNT_UNLABELLED && f->ways_in[to] == 1 && !in->entered[to];
      all += in->samples[to];
      to_most = in->samples[to] >= most ? to : to_most;
      most = in->samples[to_most];
      ways++;
    }
    if (fine && ways > 1 && all >= LEAST_SAMPLES && (double)most >= MOST_SAMPLES * (double)all)
      set(f, to_most, BLOCK_COUNT_AT_MOST, (uint64_t)left_over(f, b));
  }
}

static void settle(struct flow *f) {
  size_t n = f->in->blocks + 1;
  struct side *sides = memory_zeroed(n, sizeof(*sides));
  double *least = memory_zeroed(n, sizeof(*least)), *most = memory_zeroed(n, sizeof(*most));
  bool *open = memory_zeroed(n, sizeof(*open));
  by_labels(f);
  check_labels(f);
  check(f, true, least, most, open);
  check(f, false, least, most, open);
  for (size_t b = 0; b < f->in->blocks; b++)
    if (f->contradicts[b])
      f->out[b] = (struct block_count){BLOCK_COUNT_CONTRADICTS, 0};
  for (bool changed = true; changed;) {
    changed = by_edges(f, true, sides);
    changed |= by_edges(f, false, sides);
    changed |= by_labels(f);
    changed = changed || by_regions(f);
  }
  if (f->in->samples)
    by_samples(f);
  free(sides);
  free(least);
  free(most);
  free(open);
}

/// Each block's edges in a row.
static void index_edges(struct flow *f) {
  const struct block_count_input *in = f->in;
  for (size_t e = 0; e < in->edge_count; e++) {
    f->ways_out[in->edges[e].from]++;
    f->ways_in[in->edges[e].to]++;
  }
  for (size_t b = 1; b < in->blocks; b++) {
    f->first_in[b] = f->first_in[b - 1] + f->ways_in[b - 1];
    f->first_out[b] = f->first_out[b - 1] + f->ways_out[b - 1];
  }
  for (size_t e = in->edge_count; e-- > 0;) { // from behind, to end at the first
    size_t from = in->edges[e].from, to = in->edges[e].to;
    f->edges_out[f->first_out[from] + --f->ways_out[from]] = e;
    f->edges_in[f->first_in[to] + --f->ways_in[to]] = e;
  }
  for (size_t e = 0; e < in->edge_count; e++) {
    f->ways_out[in->edges[e].from]++;
    f->ways_in[in->edges[e].to]++;
  }
}

void block_count(const struct block_count_input *in, struct block_count *out, uint64_t *edges) {
  struct flow f = {.in = in, .out = out};
  f.labels = memory_zeroed(in->label_count + 1, sizeof(*f.labels));
  f.edge_known = memory_zeroed(in->edge_count + 1, sizeof(*f.edge_known));
  f.edge = memory_zeroed(in->edge_count + 1, sizeof(*f.edge));
  f.ways_in = memory_zeroed(in->blocks + 1, sizeof(*f.ways_in));
  f.ways_out = memory_zeroed(in->blocks + 1, sizeof(*f.ways_out));
  f.first_in = memory_zeroed(in->blocks + 1, sizeof(*f.first_in));
  f.first_out = memory_zeroed(in->blocks + 1, sizeof(*f.first_out));
  f.edges_in = memory_zeroed(in->edge_count + 1, sizeof(*f.edges_in));
  f.edges_out = memory_zeroed(in->edge_count + 1, sizeof(*f.edges_out));
  f.contradicts = memory_zeroed(in->blocks + 1, sizeof(*f.contradicts));
  for (size_t b = 0; b < in->blocks; b++)
    out[b] = (struct block_count){BLOCK_COUNT_UNLABELLED, 0};
  index_edges(&f);
  for (size_t i = 0; i < in->label_count; i++) {
    f.labels[i] = in->labels[i];
    out[in->labels[i].block].status = BLOCK_COUNT_COPIES;
  }
  qsort(f.labels, in->label_count, sizeof(*f.labels), compare_labels);
  settle(&f);
  for (size_t e = 0; edges && e < in->edge_count; e++)
    edges[e] = f.edge_known[e] ? f.edge[e] : BLOCK_COUNT_EDGE_UNKNOWN;
  free(f.labels);
  free(f.edge_known);
  free(f.edge);
  free(f.ways_in);
  free(f.ways_out);
  free(f.first_in);
  free(f.first_out);
  free(f.edges_in);
  free(f.edges_out);
  free(f.contradicts);
}

const char *block_count_status_name(enum block_count_status status) {
  switch (status) {
  case BLOCK_COUNT_LABEL:
    return "label";
  case BLOCK_COUNT_FLOW:
    return "flow";
  case BLOCK_COUNT_UNLABELLED:
    return "unlabelled";
  case BLOCK_COUNT_COPIES:
    return "copies";
  case BLOCK_COUNT_CONTRADICTS:
    return "contradicts";
  case BLOCK_COUNT_AT_MOST:
    return "at most";
  }
  return "unknown";
}
