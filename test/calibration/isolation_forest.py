#!/usr/bin/env python3
# isolation_forest.py - writes isolation_forest.txt, the scores that scikit-learn gives to made-up points.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: isolation_forest.py > isolation_forest.txt      needs python3-sklearn; the tests don't
import sys

import numpy
import sklearn
from sklearn.ensemble import IsolationForest

TREES = 1000


def timer(random, n, tick, true_ns, outliers):
    """Wall ns through a timer of this tick, and cycles of a core of 3.7 GHz, of the same runs."""
    ns = true_ns + random.normal(0, 2, n)
    slow = random.random(n) < outliers
    ns[slow] += random.uniform(1000, 50000, slow.sum())
    wall = tick * numpy.floor((ns + random.uniform(0, tick, n)) / tick)
    return numpy.column_stack([wall, numpy.round(3.7 * ns)])


def sets(random):
    yield "gaussian_2d", random.normal([100, 50], [10, 2], (500, 2))
    yield "quantised", timer(random, 1000, 10, 613, 0)
    yield "quantised_1d", timer(random, 600, 10, 607, 0)[:, :1]
    yield "outliers", timer(random, 1000, 10, 600, 0.02)
    yield "rare_outliers", timer(random, 3000, 26, 1600, 0.001)
    yield "bimodal", numpy.concatenate([random.normal(500, 5, (350, 1)), random.normal(900, 10, (150, 1))])
    yield "constant_feature", numpy.column_stack([random.exponential(30, 300), numpy.full(300, 7)])
    yield "three_features", random.normal(0, [1, 10, 100], (400, 3))
    yield "four_features", random.exponential(1, (270, 4))
    yield "just_256", random.normal(1000, 20, (256, 2))
    yield "tiny", random.normal(1000, 20, (40, 2))
    yield "five", numpy.array([[1.0], [2], [2], [3], [50]])
    yield "two", numpy.array([[1.0, 5], [2, 4]])
    yield "one", numpy.array([[3.0, 4]])
    yield "all_equal", numpy.full((300, 2), 12.0)
    yield "equal_but_one", numpy.concatenate([numpy.full((299, 1), 12.0), [[99]]])


def main():
    print("# isolation_forest.txt - points, made up by isolation_forest.py, and last in each line the score",
          f"that scikit-learn {sklearn.__version__} gives to them with {TREES} trees", sep="\n# ")
    print("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
    for name, points in sets(numpy.random.default_rng(20240456)):
        points = numpy.round(points, 3)
        scores = IsolationForest(n_estimators=TREES, random_state=1).fit(points).score_samples(points)
        print("set", name, *points.shape)
        for point, score in zip(points, scores):
            print(*(f"{value:.10g}" for value in point), f"{score:.4f}")


sys.exit(main())
