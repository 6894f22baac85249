// isolation_forest.h - how far each of some points stands apart from the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: [iforest2008], with the scores of scikit-learn's IsolationForest.score_samples. Three
// differences from scikit-learn: values stay doubles (there: floats), a feature is constant in a
// node when its values are equal (there: within 1e-7), and the random numbers are others, so the
// same points have scores that differ by the chance of the trees.
#ifndef RETICLE_BENCH_CALIBRATION_ISOLATION_FOREST_H
#define RETICLE_BENCH_CALIBRATION_ISOLATION_FOREST_H

#include <stddef.h>
#include <stdint.h>

/// Features that a point may have.
#define ISOLATION_FOREST_FEATURES 4

struct isolation_forest {
  size_t trees;     ///< >= 1
  size_t subsample; ///< points that each tree is built from, >= 1; all of them where there are less
  unsigned depth;   ///< longest path; 0: ceil(log2(points that a tree is built from))
  uint64_t seed;    ///< equal seeds give equal scores
};

/// What [iforest2008] and [timing2024] use: 100 trees of 256 points, depth 8, and a fixed seed.
struct isolation_forest isolation_forest_defaults(void);

/// Scores of points in a forest that is grown from them.
///
/// points  [n][features], finite; not modified
/// scores  [n] in (-1, 0): about -0.5 for the common ones, nearer to -1 the easier a point is to
///         isolate; -0.5 where n is 1 or all are equal. Undefined on error
///
/// The work is of the order of trees * (subsample + n) * depth.
/// Returns 0, RETICLE_E_MEMORY, or RETICLE_E_VALUE: a value is not finite, or features is not 1 to
/// ISOLATION_FOREST_FEATURES, or trees or subsample is 0. n may be 0.
int isolation_forest_scores(const struct isolation_forest *forest, const double *points, size_t n,
                            size_t features, double *scores);

#endif
