// shape.cpp - a C++ struct with functions among its fields, for layout-patch.test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace geometry {

struct Shape {
  enum Kind { Round, Square };

  long id = 0; ///< looked up
  char label[56] = "";
  Shape() = default;
  Shape(long id, double area) : id(id), area(area) {}

  Kind kind = Round; // of all
  char history[60] = {};
  /// Its size.
  double size() const { return area + kind; }
  double area{0};
};

struct Pair {
  int first;
  char gap[124];
  int second;
};

static Pair corner = {1, "gap", 2};

} // namespace geometry

using geometry::Pair;
using geometry::Shape;

static double scan(const std::vector<Shape> &all) {
  double sum = 0;
  for (const Shape &one : all)
    sum += one.area + one.id;
  return sum;
}

static long pairs(const Pair *all, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += all[i].first + all[i].second;
  return sum;
}

int main() {
  std::vector<Shape> all;
  double sum = 0;
  long both = 0;
  for (long i = 0; i < 20000; i++)
    all.emplace_back(i, 2.0 * i);
  std::vector<Pair> list(20000, Pair{3, "x", 4});
  for (int round = 0; round < 50; round++)
    sum += scan(all), both += pairs(list.data(), 20000);
  std::printf("%.1f %ld %d %d %.1f\n", sum, both, geometry::corner.first, geometry::corner.second,
              all[1].size());
}
