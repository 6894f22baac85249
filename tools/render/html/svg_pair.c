// svg_pair.c - draws two sides into one picture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/svg_pair.h"

#include "tools/model/compare/diff_words.h"
#include "tools/render/html/html.h"
#include "tools/render/html/svg_axis.h"
#include "tools/support/units.h"

#include <math.h>

#define CHANGE_WIDTH 160.0
#define CHANGE_HEIGHT 18.0
#define WIDTH 560.0
#define HEIGHT 180.0
/// Room for the axis below.
#define AXIS 22.0
#define MIDDLE ((HEIGHT - AXIS) / 2)

static double x_of(double change, double range) {
  return CHANGE_WIDTH / 2 * (1 + fmin(1, fmax(-1, change / range)));
}

/// Where the interval goes on beyond the picture.
static void add_arrow(struct text *out, double x, double direction) {
  text_format(out, "<path class=\"whisker\" d=\"M%.1f 5L%.1f 9L%.1f 13\"/>", x - 4 * direction, x,
              x - 4 * direction);
}

void svg_change(struct text *out, const struct diff_outcome *outcome, double range,
                const char *class) {
  double low = outcome->change - outcome->half_width;
  double high = outcome->change + outcome->half_width;
  double left = x_of(low, range), right = x_of(high, range);
  double same = x_of(outcome->relevant, range) - CHANGE_WIDTH / 2;
  text_format(out, "<svg class=\"interval\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
              CHANGE_WIDTH, CHANGE_HEIGHT);
  html_printf(out, "%s, 95 %% interval %s", diff_change(outcome->change).data,
              diff_interval(outcome).data);
  text_format(out,
              "\"><rect class=\"track\" x=\"%.1f\" width=\"%.1f\" height=\"%.0f\"/><line "
              "class=\"zero\" x1=\"%.0f\" x2=\"%.0f\" y1=\"0\" y2=\"%.0f\"/>",
              CHANGE_WIDTH / 2 - same, 2 * same, CHANGE_HEIGHT, CHANGE_WIDTH / 2, CHANGE_WIDTH / 2,
              CHANGE_HEIGHT);
  text_format(out, "<line class=\"whisker\" x1=\"%.1f\" x2=\"%.1f\" y1=\"9\" y2=\"9\"/>", left,
              right);
  if (low < -range)
    add_arrow(out, left, -1);
  if (high > range)
    add_arrow(out, right, 1);
  if (fabs(outcome->change) <= range)
    text_format(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"9\" r=\"4\"/>", class,
                x_of(outcome->change, range));
  text_add(out, "</svg>");
}

struct range {
  double low, high;
};

static void widen(struct range *range, const struct loop_plot *plot) {
  if (!plot->bar_count)
    return;
  const struct loop_plot_bar *first = &plot->bars[0], *last = &plot->bars[plot->bar_count - 1];
  range->low = fmin(range->low, first->low_ns > 0 ? first->low_ns : first->high_ns / 2);
  range->high = fmax(range->high, last->high_ns);
}

/// direction  1: upwards from the middle, -1: downwards
static void add_bars(struct text *out, const struct loop_plot *plot, const struct range *range,
                     const char *name, double direction) {
  double most = 0, all = 0;
  for (size_t i = 0; i < plot->bar_count; i++) {
    most = fmax(most, plot->bars[i].executions);
    all += plot->bars[i].executions;
  }
  for (size_t i = 0; i < plot->bar_count; i++) {
    const struct loop_plot_bar *bar = &plot->bars[i];
    double x = WIDTH * svg_place(fmax(bar->low_ns, range->low), range->low, range->high);
    double width = WIDTH * svg_place(bar->high_ns, range->low, range->high) - x;
    double height = fmax(1.5, (MIDDLE - 14) * sqrt(bar->executions / most));
    text_format(
        out, "<rect class=\"side-%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
        name, x, direction > 0 ? MIDDLE - height : MIDDLE, fmax(1, width - 0.5), height);
    html_printf(out, "%s: %s to %s, %s of the executions", direction > 0 ? "A" : "B",
                units_duration(bar->low_ns).data, units_duration(bar->high_ns).data,
                units_share(bar->executions / all).data);
    text_add(out, "</title></rect>");
  }
}

static void add_median(struct text *out, struct quantity median, const struct range *range,
                       double from, double to) {
  if (median.status != QUANTITY_OK || !(median.value >= range->low) ||
      !(median.value <= range->high))
    return;
  double x = WIDTH * svg_place(median.value, range->low, range->high);
  text_format(out, "<line class=\"median\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", x, x,
              from, to);
}

void svg_durations_pair(struct text *out, const struct loop_plot *a, const struct loop_plot *b,
                        struct quantity median_a, struct quantity median_b) {
  struct range range = {INFINITY, 0};
  widen(&range, a);
  widen(&range, b);
  if (!(range.high > range.low))
    return;
  text_format(
      out,
      "<svg class=\"plot\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Executions by "
      "duration, logarithmic: A above the line, B below\">",
      WIDTH, HEIGHT);
  svg_time_axis(out, range.low, range.high, WIDTH, HEIGHT - AXIS, HEIGHT - 6);
  add_bars(out, a, &range, "a", 1);
  add_bars(out, b, &range, "b", -1);
  text_format(out, "<line class=\"zero\" x1=\"0\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>", WIDTH,
              MIDDLE, MIDDLE);
  add_median(out, median_a, &range, 0, MIDDLE);
  add_median(out, median_b, &range, MIDDLE, HEIGHT - AXIS);
  text_format(out,
              "<text class=\"mark\" x=\"2\" y=\"12\">A</text><text class=\"mark\" x=\"2\" "
              "y=\"%.0f\">B</text></svg>\n",
              HEIGHT - AXIS - 4);
}
