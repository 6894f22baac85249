// isolation_forest.c - scores points by how few random cuts set them apart: isolation forests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/isolation_forest.h"

#include "tools/profile/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define EULER 0.57721566490153286

/// Of a tree; the array of nodes is also the queue of those that are still to be split.
struct node {
  size_t begin, end; ///< its points: those parts of grove.order
  size_t child;      ///< left one, the right one follows; 0: a leaf
  double threshold;  ///< points up to it go left
  double length;     ///< leaf: path to it, and what a full tree would have below it
  unsigned depth, feature;
};

/// What all trees share.
struct grove {
  const double *points; // [n][features]
  size_t n, features;
  size_t subsample; // of a tree, <= n
  unsigned depth;   // longest path
  uint64_t random;
  size_t *order;      // [n] a permutation; a tree is built from the first `subsample`
  struct node *nodes; // [2 * subsample - 1]
};

struct isolation_forest isolation_forest_defaults(void) {
  return (struct isolation_forest){.trees = 100, .subsample = 256, .depth = 0, .seed = 1};
}

/// splitmix64 (Steele, Lea and Flood 2014): any seed will do, 0 too.
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/// Uniform in [0, 1).
static double next_uniform(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

/// Uniform in 0 to n - 1; n is far below 2^53.
static size_t next_below(uint64_t *state, size_t n) {
  return (size_t)(next_uniform(state) * (double)n);
}

/// Mean length of the path to one of n points in a full random tree [iforest2008].
static double mean_path(size_t n) {
  if (n < 3)
    return n == 2;
  double count = (double)n;
  return 2 * (log(count - 1) + EULER) - 2 * (count - 1) / count;
}

static unsigned depth_for(size_t points) {
  unsigned depth = 1;
  while (depth < 63 && (size_t)1 << depth < points)
    depth++;
  return depth;
}

static double value_of(const struct grove *grove, size_t place, unsigned feature) {
  return grove->points[grove->order[place] * grove->features + feature];
}

/// Chooses one of the features that differ in the node, and a place between its ends. Returns false
/// if none differs.
static bool choose_split(struct grove *grove, struct node *node) {
  double low[ISOLATION_FOREST_FEATURES], high[ISOLATION_FOREST_FEATURES];
  unsigned differing[ISOLATION_FOREST_FEATURES];
  size_t count = 0;
  for (unsigned f = 0; f < grove->features; f++) {
    low[f] = high[f] = value_of(grove, node->begin, f);
    for (size_t i = node->begin + 1; i < node->end; i++) {
      double value = value_of(grove, i, f);
      low[f] = value < low[f] ? value : low[f];
      high[f] = value > high[f] ? value : high[f];
    }
    if (low[f] < high[f])
      differing[count++] = f;
  }
  if (count == 0)
    return false;
  unsigned f = differing[next_below(&grove->random, count)];
  double u = next_uniform(&grove->random);
  double threshold = low[f] * (1 - u) + high[f] * u; // high - low might be infinite
  // Rounding must not leave a side empty.
  node->threshold = threshold >= low[f] && threshold < high[f] ? threshold : low[f];
  node->feature = f;
  return true;
}

/// Moves the node's points that go left to its front. Returns where the right ones begin.
static size_t partition(struct grove *grove, const struct node *node) {
  size_t middle = node->begin;
  for (size_t i = node->begin; i < node->end; i++)
    if (value_of(grove, i, node->feature) <= node->threshold) {
      size_t moved = grove->order[i];
      grove->order[i] = grove->order[middle];
      grove->order[middle++] = moved;
    }
  return middle;
}

static void grow_tree(struct grove *grove) {
  for (size_t i = 0; i < grove->subsample; i++) {
    size_t other = i + next_below(&grove->random, grove->n - i), moved = grove->order[i];
    grove->order[i] = grove->order[other];
    grove->order[other] = moved;
  }
  struct node *nodes = grove->nodes;
  size_t count = 1;
  nodes[0] = (struct node){.begin = 0, .end = grove->subsample};
  for (size_t i = 0; i < count; i++) {
    struct node *node = &nodes[i];
    size_t points = node->end - node->begin;
    if (points < 2 || node->depth == grove->depth || !choose_split(grove, node)) {
      node->length = node->depth + mean_path(points);
      continue;
    }
    size_t middle = partition(grove, node);
    node->child = count;
    nodes[count++] = (struct node){.begin = node->begin, .end = middle, .depth = node->depth + 1};
    nodes[count++] = (struct node){.begin = middle, .end = node->end, .depth = node->depth + 1};
  }
}

static double path_length(const struct node *nodes, const double *point) {
  const struct node *node = nodes;
  while (node->child)
    node = &nodes[node->child + !(point[node->feature] <= node->threshold)];
  return node->length;
}

static bool usable(const struct isolation_forest *forest, const double *points, size_t n,
                   size_t features) {
  if (features < 1 || features > ISOLATION_FOREST_FEATURES || !forest->trees || !forest->subsample)
    return false;
  for (size_t i = 0; i < n * features; i++)
    if (!isfinite(points[i]))
      return false;
  return true;
}

int isolation_forest_scores(const struct isolation_forest *forest, const double *points, size_t n,
                            size_t features, double *scores) {
  if (!usable(forest, points, n, features))
    return RETICLE_E_VALUE;
  if (n == 0)
    return 0;
  size_t subsample = n < forest->subsample ? n : forest->subsample;
  struct grove grove = {.points = points,
                        .n = n,
                        .features = features,
                        .subsample = subsample,
                        .depth = forest->depth ? forest->depth : depth_for(subsample),
                        .random = forest->seed,
                        .order = calloc(n, sizeof *grove.order),
                        .nodes = calloc(2 * subsample - 1, sizeof *grove.nodes)};
  int result = grove.order && grove.nodes ? 0 : RETICLE_E_MEMORY;
  if (result == 0) {
    for (size_t i = 0; i < n; i++) {
      grove.order[i] = i;
      scores[i] = 0;
    }
    for (size_t tree = 0; tree < forest->trees; tree++) {
      grow_tree(&grove);
      for (size_t i = 0; i < n; i++)
        scores[i] += path_length(grove.nodes, points + i * features);
    }
    double usual = (double)forest->trees * mean_path(subsample);
    for (size_t i = 0; i < n; i++)
      scores[i] = -exp2(usual > 0 ? -scores[i] / usual : -1);
  }
  free(grove.order);
  free(grove.nodes);
  return result;
}
