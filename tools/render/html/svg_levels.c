// svg_levels.c - the axis of time is linear and need not begin at 0: levels differ by percents.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/svg_levels.h"

#include "tools/render/html/html.h"
#include "tools/support/units.h"

#include <math.h>

#define WIDTH 900.0
#define HEIGHT 150.0
#define LEFT 70.0
#define MARGIN 10.0
/// The picture shows this part of the level at least, so that noise of 0.1 % looks small.
#define RANGE_LEAST 0.05

struct scale {
  double low, high; ///< ns
  double step;      ///< between checks
};

static struct scale scale_of(const struct svg_level *levels, size_t count) {
  struct scale scale = {INFINITY, 0, count > 1 ? (WIDTH - LEFT - MARGIN) / (double)(count - 1) : 0};
  for (size_t i = 0; i < count; i++) {
    scale.low = fmin(scale.low, levels[i].ns);
    scale.high = fmax(scale.high, levels[i].ns);
  }
  double missing = RANGE_LEAST * scale.high - (scale.high - scale.low);
  if (missing > 0) {
    scale.low -= missing / 2;
    scale.high += missing / 2;
  }
  return scale;
}

static double x_of(const struct scale *scale, size_t i) { return LEFT + scale->step * (double)i; }

static double y_of(const struct scale *scale, double ns) {
  double part = (ns - scale->low) / (scale->high - scale->low);
  return HEIGHT - MARGIN - part * (HEIGHT - 2 * MARGIN);
}

static void add_axis(const struct scale *scale, struct text *out) {
  for (int i = 0; i <= 2; i++) {
    double ns = scale->low + (scale->high - scale->low) * i / 2, y = y_of(scale, ns);
    text_format(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                WIDTH - MARGIN, y, y);
    text_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, y + 4,
                units_duration(ns).data);
  }
}

/// The mean of a part, on a logarithmic scale as changes are found on.
static double level_of(const struct svg_level *levels, size_t begin, size_t end) {
  double sum = 0;
  for (size_t i = begin; i < end; i++)
    sum += log(levels[i].ns);
  return exp(sum / (double)(end - begin));
}

static void add_parts(const struct scale *scale, const struct svg_level *levels, size_t count,
                      struct text *out) {
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && !levels[end].is_changed;)
      end++;
    double y = y_of(scale, level_of(levels, begin, end));
    text_format(out, "<line class=\"level\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                x_of(scale, begin), x_of(scale, end - 1), y, y);
    if (end < count)
      text_format(out, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%.0f\"/>",
                  x_of(scale, end) - scale->step / 2, x_of(scale, end) - scale->step / 2, HEIGHT);
  }
}

void svg_levels(struct text *out, const struct svg_level *levels, size_t count) {
  struct scale scale = scale_of(levels, count);
  text_format(out,
              "<svg class=\"plot\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"level over "
              "%zu checks\">",
              WIDTH, HEIGHT, count);
  add_axis(&scale, out);
  add_parts(&scale, levels, count, out);
  for (size_t i = 0; i < count; i++)
    text_format(out,
                "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s</title></circle>",
                x_of(&scale, i), y_of(&scale, levels[i].ns), levels[i].label);
  text_add(out, "</svg>\n");
}
