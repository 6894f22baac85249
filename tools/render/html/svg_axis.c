// svg_axis.c - lines and numbers of a logarithmic axis of durations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/svg_axis.h"

#include "tools/render/html/html.h"
#include "tools/support/units.h"

#include <math.h>

double svg_place(double ns, double low, double high) {
  return high > low ? fmin(1, fmax(0, log(ns / low) / log(high / low))) : 0.5;
}

static void add_number(struct text *out, double ns, double x, double width, double text_y) {
  text_format(out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">",
              fmin(fmax(x, 30), width - 30), text_y);
  html_text(out, units_duration(ns).data);
  text_add(out, "</text>");
}

void svg_time_axis(struct text *out, double low, double high, double width, double bottom,
                   double text_y) {
  bool is_short = high / low < 50, is_empty = true;
  for (double power = pow(10, floor(log10(low))); power <= high; power *= 10)
    for (int step = 0; step < (is_short ? 3 : 1); step++) {
      double at = power * (step == 0 ? 1 : step == 1 ? 2 : 5);
      if (at < low || at > high)
        continue;
      double x = width * svg_place(at, low, high);
      text_format(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%.0f\"/>", x, x,
                  bottom);
      add_number(out, at, x, width, text_y);
      is_empty = false;
    }
  if (!is_empty)
    return;
  add_number(out, low, 0, width, text_y);
  add_number(out, high, width, width, text_y);
}
