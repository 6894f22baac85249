// svg.c - writes SVG by hand: attributes alone, as the page forbids styles in line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/svg.h"

#include "tools/render/html/html.h"
#include "tools/render/html/svg_axis.h"
#include "tools/support/units.h"

#include <math.h>

#define WIDTH 560.0
#define HEIGHT 140.0
/// Room for the axis below.
#define AXIS 22.0
#define SPARK_WIDTH 80.0
#define SPARK_HEIGHT 18.0
#define BAR_WIDTH 80.0

static double clamp(double share) { return share < 0 ? 0 : share > 1 ? 1 : share; }

void svg_stack(struct text *out, const struct svg_part *parts, size_t count, const char *label) {
  double at = 0;
  text_add(out,
           "<svg class=\"stack\" viewBox=\"0 0 1000 26\" preserveAspectRatio=\"none\" role=\"img\" "
           "aria-label=\"");
  html_text(out, label);
  text_add(out, "\">");
  for (size_t i = 0; i < count; i++) {
    double width = 1000 * clamp(parts[i].share);
    if (width <= 0)
      continue;
    text_format(out, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"26\"><title>",
                parts[i].class, at, width);
    html_printf(out, "%s %s", parts[i].label, units_share(parts[i].share).data);
    text_add(out, "</title></rect>");
    at += width;
  }
  text_add(out, "</svg>\n<ul class=\"legend\">");
  for (size_t i = 0; i < count; i++) {
    text_format(
        out,
        "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"%s\" "
        "width=\"10\" height=\"10\"/></svg>",
        parts[i].class);
    html_printf(out, "%s %s", parts[i].label, units_share(parts[i].share).data);
    text_add(out, "</li>");
  }
  text_add(out, "</ul>\n");
}

void svg_share(struct text *out, double share, const char *class) {
  text_format(
      out,
      "<svg class=\"share\" viewBox=\"0 0 %.0f 8\" aria-hidden=\"true\"><rect class=\"track\" "
      "width=\"%.0f\" height=\"8\"/><rect class=\"%s\" width=\"%.1f\" height=\"8\"/></svg>",
      BAR_WIDTH, BAR_WIDTH, class, BAR_WIDTH * clamp(share));
}

void svg_spark(struct text *out, const double *heights, size_t count, const char *label) {
  double most = 0, width = SPARK_WIDTH / (double)count;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, heights[i]);
  if (most <= 0)
    return;
  text_format(out, "<svg class=\"spark\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
              SPARK_WIDTH, SPARK_HEIGHT);
  html_text(out, label);
  text_add(out, "\">");
  text_add(out, "<path class=\"c1\" d=\"");
  for (size_t i = 0; i < count; i++) {
    // What is rare stays visible.
    double height = heights[i] > 0 ? fmax(1.5, SPARK_HEIGHT * sqrt(heights[i] / most)) : 0;
    if (height > 0)
      text_format(out, "M%.0f %.0fv-%.1fh%.0fv%.1fz", width * (double)i, SPARK_HEIGHT, height,
                  width - 1, height);
  }
  text_add(out, "\"/>");
  text_add(out, "</svg>");
}

static void add_mark(struct text *out, struct quantity at, const char *name, double low,
                     double high) {
  if (at.status != QUANTITY_OK || !(at.value >= low) || !(at.value <= high))
    return;
  double x = WIDTH * svg_place(at.value, low, high);
  text_format(
      out,
      "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"12\" y2=\"%.0f\"/><text class=\"mark\" "
      "x=\"%.1f\" y=\"10\" text-anchor=\"middle\">%s</text>",
      x, x, HEIGHT - AXIS, fmin(fmax(x, 12), WIDTH - 12), name);
}

static void open_plot(struct text *out, const char *label) {
  text_format(out, "<svg class=\"plot\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
              WIDTH, HEIGHT);
  html_text(out, label);
  text_add(out, "\">");
}

void svg_durations(struct text *out, const struct loop_plot *plot, const struct loop_stats *stats) {
  if (!plot->bar_count)
    return;
  const struct loop_plot_bar *bars = plot->bars;
  double most = 0, floor_y = HEIGHT - AXIS;
  double low = bars[0].low_ns > 0 ? bars[0].low_ns : bars[0].high_ns / 2;
  double high = bars[plot->bar_count - 1].high_ns;
  for (size_t i = 0; i < plot->bar_count; i++)
    most = fmax(most, bars[i].executions);
  open_plot(out, "Executions by duration, logarithmic");
  svg_time_axis(out, low, high, WIDTH, HEIGHT - AXIS, HEIGHT - 6);
  for (size_t i = 0; i < plot->bar_count; i++) {
    double x = WIDTH * svg_place(fmax(bars[i].low_ns, low), low, high);
    double width = WIDTH * svg_place(bars[i].high_ns, low, high) - x;
    double height = fmax(1.5, (floor_y - 16) * sqrt(bars[i].executions / most));
    text_format(out,
                "<rect class=\"c1\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
                x, floor_y - height, fmax(1, width - 0.5), height);
    html_printf(out, "%s to %s: %s executions", units_duration(bars[i].low_ns).data,
                units_duration(bars[i].high_ns).data, units_count(bars[i].executions).data);
    text_add(out, "</title></rect>");
  }
  add_mark(out, stats->p50_ns, "p50", low, high);
  add_mark(out, stats->p95_ns, "p95", low, high);
  add_mark(out, stats->p99_ns, "p99", low, high);
  text_add(out, "</svg>\n");
}

void svg_over_time(struct text *out, const struct loop_plot *plot) {
  if (plot->dot_count < 2)
    return;
  double low = INFINITY, high = 0, end = 0, floor_y = HEIGHT - AXIS;
  for (size_t i = 0; i < plot->dot_count; i++) {
    low = fmin(low, plot->dots[i].ns);
    high = fmax(high, plot->dots[i].ns);
    end = fmax(end, plot->dots[i].at_ns);
  }
  open_plot(out, "Duration of each sample over the run, logarithmic");
  for (int i = 0; i <= 2; i++) {
    double ns = low * pow(high / low, i / 2.0), y = floor_y - (floor_y - 10) * i / 2.0;
    text_format(out,
                "<line class=\"grid\" x1=\"0\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"2\" "
                "y=\"%.1f\">",
                WIDTH, y, y, y - 2);
    html_text(out, units_duration(ns).data);
    text_add(out, "</text>");
  }
  for (size_t i = 0; i < plot->dot_count; i++)
    text_format(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\"/>",
                end > 0 ? WIDTH * plot->dots[i].at_ns / end : 0,
                floor_y - (floor_y - 10) * svg_place(plot->dots[i].ns, low, high));
  text_format(out,
              "<text x=\"0\" y=\"%.0f\">0</text><text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">",
              HEIGHT - 6, WIDTH, HEIGHT - 6);
  html_text(out, units_duration(end).data);
  text_add(out, "</text></svg>\n");
}
