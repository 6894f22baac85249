// loop_nest.c - raises the total of a loop to that of the loops inside it where theirs is larger.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_nest.h"

#include "tools/analysis/loop/loop_sample.h"
#include "tools/analysis/run/overview.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Standard errors from which on totals contradict each other.
#define CONTRADICTION 4

static const char says_more[] = "the samples of the loops inside say more than its own";
static const char says_less[] = "the samples of the loop around it say less than its own";
static const char at_least[] = "at least, as the loops inside took so long";

/// A loop in the order of functions and depths.
struct node {
  const struct profile_loop *loop;
  struct loop_stats *stats;
  struct node *outer;                                      ///< null: none, or not known
  double inside, inside_variance, inside_low, inside_high; ///< sums over the loops inside
  double inside_open; ///< what those of which upper bounds are known may take beyond that
};

static int compare_nodes(const void *left, const void *right) {
  const struct profile_loop *a = ((const struct node *)left)->loop;
  const struct profile_loop *b = ((const struct node *)right)->loop;
  int by_name = strcmp(a->function, b->function);
  if (by_name)
    return by_name;
  if (a->object != b->object)
    return a->object < b->object ? -1 : 1;
  if (a->depth != b->depth)
    return a->depth < b->depth ? -1 : 1;
  bool is_iteration_a = a->flags & RETICLE_LOOP_ITERATION,
       is_iteration_b = b->flags & RETICLE_LOOP_ITERATION;
  if (is_iteration_a != is_iteration_b)
    return is_iteration_a ? 1 : -1;
  return (a->id > b->id) - (a->id < b->id);
}

/// Iterations are all of their loop, not a part beside the loops inside it.
static bool is_iteration(const struct node *node) {
  return node->loop->flags & RETICLE_LOOP_ITERATION;
}

static void find_outer(struct node *nodes, size_t first, size_t i) {
  const struct profile_loop *loop = nodes[i].loop;
  uint64_t wanted = loop->flags >> RETICLE_LOOP_OUTER_SHIFT;
  for (size_t k = i; wanted && k-- > first;)
    if ((nodes[k].loop->id & UINT16_MAX) == wanted && !is_iteration(&nodes[k]) &&
        nodes[k].loop->depth < loop->depth + is_iteration(&nodes[i])) {
      nodes[i].outer = &nodes[k];
      return;
    }
}

static void find_outers(struct node *nodes, size_t count) {
  for (size_t i = 0, first = 0; i < count; i++) {
    const struct profile_loop *a = nodes[first].loop, *b = nodes[i].loop;
    if (a->object != b->object || strcmp(a->function, b->function) != 0)
      first = i;
    find_outer(nodes, first, i);
  }
}

static bool is_known(const struct node *node) {
  return node->stats->total_ns.status == QUANTITY_OK;
}

/// Of the total: by chance, and by what a pair of probes may be off in place.
static double variance_of(const struct node *node) {
  const struct quantity *total = &node->stats->total_ns;
  double wide = fmax(total->high - total->value, total->value - total->low);
  double error = hypot(wide / STATISTICS_Z95, LOOP_PAIR_NS * (double)node->loop->executions);
  return fmax(error * error, 1e-18 * total->value * total->value);
}

/// Adds the node's total to what the loop around it has inside. A recursive one may be inside of
/// another one inside.
static void add_inside(struct node *node) {
  const struct quantity *total = &node->stats->total_ns;
  struct node *outer = node->outer;
  double variance = variance_of(node);
  double value = node->stats->is_most ? total->low : total->value; // what is sure
  if (is_iteration(node))
    return;
  outer->inside_open += total->value - value;
  if (!outer->stats->is_recursive) {
    outer->inside += value;
    outer->inside_variance += variance;
    outer->inside_low += total->low;
    outer->inside_high += total->high;
  } else if (value > outer->inside) {
    outer->inside = value;
    outer->inside_variance = variance;
    outer->inside_low = total->low;
    outer->inside_high = total->high;
  }
}

/// The outer loop's total where the loops inside say more: the mean of both, each by its precision.
static void raise_to_inside(struct node *node, double lives_ns) {
  struct quantity *total = &node->stats->total_ns;
  if (!node->loop->executions || !(node->inside > 0))
    return; // never entered: a child process goes on inside of a loop, or nothing is known
  if (!is_known(node)) {
    double most = lives_ns > 0 ? lives_ns : INFINITY;
    *total = quantity_of(fmin(node->inside, most), node->inside_low,
                         fmax(node->inside_high, isfinite(most) ? most : 0));
    total->reason = at_least;
    node->stats->is_least = true;
    return;
  }
  if (node->inside <= total->value)
    return;
  double own = variance_of(node), inner = node->inside_variance,
         apart = node->inside - total->value;
  double value = (total->value * inner + node->inside * own) / (own + inner);
  double error = STATISTICS_Z95 * sqrt(own * inner / (own + inner));
  struct quantity both = quantity_of(value, fmax(0, value - error), value + error);
  if (apart > CONTRADICTION * sqrt(own + inner)) {
    both = quantity_of(value, total->low, node->inside_high);
    both.reason = says_more;
  }
  *total = both;
}

/// The middle of what is possible, and no more than the outer loop leaves.
static void lower_most(struct node *node) {
  struct node *outer = node->outer;
  struct quantity *total = &node->stats->total_ns, around = outer->stats->total_ns;
  double open = is_iteration(node) ? total->value - total->low : outer->inside_open;
  double room = around.value - (is_iteration(node) ? total->low : outer->inside);
  double low = total->low * fmin(1, around.value / fmax(around.value, around.value - room));
  double value = low + (total->value - total->low) * fmin(1, fmax(0, room) / fmax(open, 1));
  const char *reason = total->reason;
  *total = quantity_of(value, low, fmin(total->high, around.high));
  total->reason = reason;
}

/// The inner loop's total where all inside the outer one take more than that.
static void lower_to_outer(struct node *node) {
  struct node *outer = node->outer;
  struct quantity *total = &node->stats->total_ns, around = outer->stats->total_ns;
  double inside = is_iteration(node) ? total->value : outer->inside;
  if (!is_known(outer) || !is_known(node))
    return;
  if (node->stats->is_most) {
    lower_most(node);
    return;
  }
  if (!(inside > around.value))
    return;
  double part = total->value / inside;
  double value = fmin(around.value, part * around.value);
  struct quantity both = quantity_of(value, fmin(total->low, value), total->high);
  if (around.reason == says_more) {
    both.low = fmin(both.low, part * around.low);
    both.reason = says_less;
  }
  *total = both;
}

/// Intervals agree as values do: an outer loop takes at least what those inside take at least, and
/// none of these takes more than it takes at most.
static void agree_intervals(struct node *nodes, size_t count) {
  for (size_t i = 0; i < count; i++)
    nodes[i].inside_low = 0;
  for (size_t i = count; i-- > 0;) {
    struct quantity *total = &nodes[i].stats->total_ns;
    struct node *outer = nodes[i].outer;
    if (!is_known(&nodes[i]))
      continue;
    total->low = fmin(fmax(total->low, nodes[i].inside_low), total->value);
    if (outer && (outer->stats->is_recursive || is_iteration(&nodes[i])))
      outer->inside_low = fmax(outer->inside_low, total->low);
    else if (outer)
      outer->inside_low += total->low;
  }
  for (size_t i = 0; i < count; i++)
    if (nodes[i].outer && is_known(nodes[i].outer) && is_known(&nodes[i])) {
      struct quantity *total = &nodes[i].stats->total_ns;
      total->high = fmax(total->value, fmin(total->high, nodes[i].outer->stats->total_ns.high));
    }
}

/// What slow executions took longer is a part of what all took, also where that has changed.
static void bound_lost(struct loop_stats *stats) {
  const struct quantity *total = &stats->total_ns;
  struct quantity *lost = &stats->lost_ns;
  if (lost->status == QUANTITY_OK && lost->value > total->value)
    *lost = quantity_of(total->value, fmin(lost->low, total->value), fmin(lost->high, total->high));
}

/// [count] by function and depth, each with the loop around it.
static struct node *make_nodes(const struct profile_loop *loops, size_t count,
                               struct loop_stats *stats) {
  struct node *nodes = memory_zeroed(count + 1, sizeof *nodes);
  for (size_t i = 0; i < count; i++)
    nodes[i] = (struct node){.loop = &loops[i], .stats = &stats[i]};
  qsort(nodes, count, sizeof *nodes, compare_nodes);
  find_outers(nodes, count);
  return nodes;
}

void loop_nest(const struct profile_loop *loops, size_t count, const struct profile_env *env,
               struct loop_stats *stats) {
  double lives_ns =
      env->timer_hz ? (double)overview_lives_ticks(env) * 1e9 / (double)env->timer_hz : 0;
  loop_nest_within(loops, count, lives_ns, stats);
}

void loop_nest_within(const struct profile_loop *loops, size_t count, double lives_ns,
                      struct loop_stats *stats) {
  struct node *nodes = make_nodes(loops, count, stats);
  // Inner ones come behind outer ones: first what is inside is summed up and outer ones are raised,
  // then inner ones are lowered.
  for (size_t i = count; i-- > 0;) {
    raise_to_inside(&nodes[i], lives_ns);
    if (nodes[i].outer && is_known(&nodes[i]))
      add_inside(&nodes[i]);
  }
  for (size_t i = 0; i < count; i++)
    if (nodes[i].outer)
      lower_to_outer(&nodes[i]);
  agree_intervals(nodes, count);
  for (size_t i = 0; i < count; i++) {
    if (is_known(&nodes[i]) && lives_ns > 0)
      nodes[i].stats->share = quantity_scaled(nodes[i].stats->total_ns, 1 / lives_ns);
    if (is_known(&nodes[i]))
      bound_lost(nodes[i].stats);
  }
  free(nodes);
}

struct quantity loop_nest_outside(const struct profile_loop *loops, size_t count,
                                  const struct loop_stats *stats) {
  struct node *nodes = make_nodes(loops, count, (struct loop_stats *)stats); // not modified
  double sum = 0, sum_high = 0, most = 0;
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    const struct quantity *share = &nodes[i].stats->share;
    if (nodes[i].outer || !nodes[i].stats->executions || share->status != QUANTITY_OK)
      continue;
    any = true;
    sum += share->value;
    sum_high += share->high;
    most = fmax(most, share->low);
  }
  free(nodes);
  if (!any)
    return quantity_none(QUANTITY_UNSUPPORTED, "no loop has a share");
  if (sum > 1 + 1e-9)
    return quantity_none(QUANTITY_TOO_NOISY, "loops of called functions lie inside of others: "
                                             "shares add up to more than all time");
  return quantity_of(fmax(0, 1 - sum), fmax(0, 1 - sum_high), fmax(0, 1 - most));
}
