// sparkline.c - draws bars with block characters, or ASCII where those are missing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/sparkline.h"

#define LEVELS 8

void sparkline_add(const struct terminal *terminal, struct text *out, const double *values,
                   size_t n) {
  static const char *const blocks[LEVELS + 1] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static const char *const ascii[LEVELS + 1] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
  const char *const *levels = terminal->utf8 ? blocks : ascii;
  double highest = 0;
  for (size_t i = 0; i < n; i++)
    highest = values[i] > highest ? values[i] : highest;
  for (size_t i = 0; i < n; i++) {
    int level = 0;
    if (values[i] > 0) {
      double part = values[i] / highest; // NaN of two that are infinite
      level = part < 1 ? (int)(part * LEVELS + 0.5) : LEVELS;
      level = level < 1 ? 1 : level;
    }
    text_add(out, levels[level]);
  }
}

void sparkline_add_bar(const struct terminal *terminal, struct text *out, double share,
                       size_t columns) {
  static const char *const eighths[8] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0))
    return;
  share = share > 1 ? 1 : share;
  double length = share * (double)columns;
  if (!terminal->utf8) {
    size_t whole = (size_t)(length + 0.5);
    if (whole)
      text_add_repeated(out, "#", whole);
    else
      text_add(out, ".");
    return;
  }
  size_t whole = (size_t)length;
  size_t part = (size_t)((length - (double)whole) * 8);
  text_add_repeated(out, "█", whole);
  text_add(out, whole + part ? eighths[part] : eighths[1]);
}
