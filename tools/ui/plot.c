// plot.c - writes axes, curves and legend as SVG.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Layout in pixels. A panel is a frame with room for its title above and its numbers below and
// left.
enum {
  WIDTH = 960,
  HEAD = 96,
  PANEL_WIDTH = 404,
  PANEL_HEIGHT = 230,
  LEFT = 56,
  BETWEEN = 60,
  ABOVE = 30,
  BELOW = 52,
  FOOT = 16,
  POINTS_MAX = 400, ///< of a curve: more can't be seen
  NOTE_COLUMNS = 50,
};

/// Okabe and Ito's colours, which the colour-blind tell apart too.
static const struct {
  const char *colour, *dashes;
} looks[PLOT_CURVES] = {{"#0072b2", ""},    {"#009e73", ""}, {"#56b4e9", "7 3"}, {"#999999", "3 3"},
                        {"#e69f00", "7 3"}, {"#d55e00", ""}, {"#cc79a7", "2 2"}, {"#000000", ""}};

/// Linear near 0, logarithmic beyond, and smooth between.
static double squeeze(double x) { return copysign(log10(1 + fabs(x)), x); }

struct axis {
  double low, high; ///< squeezed
};

static void label(struct text *out, double x, double y, const char *how, const char *string) {
  text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, how);
  text_add_markup(out, string);
  text_add(out, "</text>\n");
}

/// From decade to decade around all that is drawn.
static struct axis choose_axis(const struct plot_panel *panels, size_t count) {
  struct axis axis = {0, 1};
  for (size_t p = 0; p < count; p++)
    for (size_t c = 0; c < panels[p].curve_count; c++) {
      const struct plot_curve *curve = &panels[p].curves[c];
      if (curve->n) {
        axis.low = fmin(axis.low, squeeze(curve->x[0]));
        axis.high = fmax(axis.high, squeeze(curve->x[curve->n - 1]));
      }
    }
  axis.low = axis.low - 0.1;
  axis.high = axis.high + 0.1;
  return axis;
}

static double place(const struct axis *axis, double left, double x) {
  return left + PANEL_WIDTH * (squeeze(x) - axis->low) / (axis->high - axis->low);
}

static void x_tick(struct text *out, const struct axis *axis, double left, double top, double x) {
  double s = squeeze(x);
  if (s < axis->low || s > axis->high)
    return;
  char number[32];
  double at = place(axis, left, x);
  snprintf(number, sizeof(number), fabs(x) < 1e4 ? "%g" : "%.0e", x);
  text_printf(out, "<path d=\"M%.1f %.1fv%d\" class=\"grid\"/>\n", at, top, PANEL_HEIGHT);
  label(out, at, top + PANEL_HEIGHT + 16, "class=\"tick\" text-anchor=\"middle\"", number);
}

static void add_axes(struct text *out, const struct axis *axis, double left, double top) {
  for (int percent = 0; percent <= 100; percent += 25) {
    char number[16];
    double y = top + PANEL_HEIGHT * (1 - percent / 100.0);
    snprintf(number, sizeof(number), "%d %%", percent);
    text_printf(out, "<path d=\"M%.1f %.1fh%d\" class=\"grid\"/>\n", left, y, PANEL_WIDTH);
    label(out, left - 6, y + 4, "class=\"tick\" text-anchor=\"end\"", number);
  }
  x_tick(out, axis, left, top, 0);
  for (double x = 1; x < 1e9; x *= 10) {
    x_tick(out, axis, left, top, x);
    x_tick(out, axis, left, top, -x);
  }
  text_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n",
              left, top, PANEL_WIDTH, PANEL_HEIGHT);
}

/// Steps up at each of the values; many values are drawn as a selection of them.
static void add_curve(struct text *out, const struct axis *axis, double left, double top,
                      const struct plot_curve *curve) {
  size_t drawn = curve->n < POINTS_MAX ? curve->n : POINTS_MAX;
  text_printf(out, "<path class=\"curve\" stroke=\"%s\"", looks[curve->look].colour);
  if (*looks[curve->look].dashes)
    text_printf(out, " stroke-dasharray=\"%s\"", looks[curve->look].dashes);
  text_printf(out, " d=\"M%.1f %.1f", place(axis, left, curve->x[0]), top + PANEL_HEIGHT);
  for (size_t i = 0; i < drawn; i++) {
    size_t k = drawn > 1 ? i * (curve->n - 1) / (drawn - 1) : 0;
    double share = (double)(k + 1) / (double)curve->n;
    text_printf(out, "H%.1fV%.1f", place(axis, left, curve->x[k]),
                top + PANEL_HEIGHT * (1 - share));
  }
  text_printf(out, "H%.1f\"/>\n", left + PANEL_WIDTH);
}

/// A sentence in the middle of a panel, broken into lines.
static void add_note(struct text *out, double x, double y, const char *note) {
  struct text lines = {0};
  text_add_wrapped(&lines, note, 0, 0, NOTE_COLUMNS);
  for (char *line = lines.data, *end; line; line = end) {
    end = strchr(line, '\n');
    if (end)
      *end++ = 0;
    label(out, x, y, "class=\"tick\" text-anchor=\"middle\"", line);
    y += 16;
  }
  text_release(&lines);
}

static void add_panel(struct text *out, const struct axis *axis, double left, double top,
                      const struct plot_panel *panel, const char *x_name) {
  label(out, left, top - 8, "class=\"panel\"", panel->title);
  add_axes(out, axis, left, top);
  label(out, left + PANEL_WIDTH / 2.0, top + PANEL_HEIGHT + 34,
        "class=\"tick\" text-anchor=\"middle\"", x_name);
  for (size_t c = 0; c < panel->curve_count; c++)
    if (panel->curves[c].n)
      add_curve(out, axis, left, top, &panel->curves[c]);
  if (panel->note)
    add_note(out, left + PANEL_WIDTH / 2.0, top + PANEL_HEIGHT / 2.0, panel->note);
}

/// The curves of all panels once each, in two rows.
static void add_legend(struct text *out, const struct plot_panel *panels, size_t count) {
  bool shown[PLOT_CURVES] = {false};
  size_t n = 0;
  for (size_t p = 0; p < count; p++)
    for (size_t c = 0; c < panels[p].curve_count; c++) {
      const struct plot_curve *curve = &panels[p].curves[c];
      if (!curve->n || shown[curve->look])
        continue;
      shown[curve->look] = true;
      double x = LEFT + 226.0 * (double)(n % 4), y = n < 4 ? 60 : 78;
      n++;
      text_printf(out, "<path class=\"curve\" stroke=\"%s\"%s%s%s d=\"M%.1f %.1fh28\"/>\n",
                  looks[curve->look].colour,
                  *looks[curve->look].dashes ? " stroke-dasharray=\"" : "",
                  looks[curve->look].dashes, *looks[curve->look].dashes ? "\"" : "", x, y - 4);
      label(out, x + 34, y, "class=\"tick\"", curve->name);
    }
}

void plot_distributions(struct text *out, const char *title, const char *subtitle,
                        const char *x_name, const struct plot_panel *panels, size_t count) {
  struct axis axis = choose_axis(panels, count);
  size_t rows = (count + 1) / 2;
  text_printf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
              "font-family=\"sans-serif\">\n<style>.grid{stroke:#ddd;fill:none}"
              ".frame{stroke:#444;fill:none}.curve{fill:none;stroke-width:1.8}"
              ".tick{font-size:12px;fill:#333}.panel{font-size:14px;fill:#000}"
              ".title{font-size:17px;font-weight:bold}</style>\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
              WIDTH, HEAD + rows * (ABOVE + PANEL_HEIGHT + BELOW) + FOOT);
  label(out, LEFT, 24, "class=\"title\"", title);
  label(out, LEFT, 42, "class=\"tick\"", subtitle);
  add_legend(out, panels, count);
  for (size_t p = 0; p < count; p++)
    add_panel(out, &axis, LEFT + (p % 2) * (double)(PANEL_WIDTH + BETWEEN),
              HEAD + ABOVE + (double)(p / 2) * (ABOVE + PANEL_HEIGHT + BELOW), &panels[p], x_name);
  text_add(out, "</svg>\n");
}
