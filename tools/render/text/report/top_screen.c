// top_screen.c - prints what a process does now on one screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/top_screen.h"

#include "tools/render/text/report/head.h"
#include "tools/render/text/report/hottest_table.h"
#include "tools/render/text/report/losses.h"

#include <stdint.h>
#include <string.h>

/// Rows that a screen has however long its head is.
#define ROWS_LEAST 5
/// The heading, the blank lines around the table, losses, and where the cursor stands.
#define LINES_BESIDE 5

void top_screen_add(const struct measurement *m, const struct hottest *hottest, size_t rows,
                    const struct terminal *terminal, struct text *out) {
  struct text screen = {0};
  struct hottest shown = *hottest;
  head_add(m, terminal, "", &screen);
  size_t beside = text_lines(text_get(&screen)) + LINES_BESIDE;
  if (!rows)
    rows = terminal->height > beside + ROWS_LEAST ? terminal->height - beside : ROWS_LEAST;
  shown.count = shown.count < rows ? shown.count : rows;
  text_add(&screen, "\n");
  if (shown.count)
    hottest_table_add(m, &shown, terminal, &screen);
  else
    text_add(&screen, "no loop was entered, and no sample taken, in this time\n\n");
  losses_add(&m->input.profile.health, terminal, "", &screen);
  const char *end = text_get(&screen);
  for (size_t lines = terminal->height ? terminal->height - 1 : SIZE_MAX; lines && *end; lines--) {
    end += strcspn(end, "\n");
    end += *end == '\n';
  }
  text_add_bytes(out, text_get(&screen), (size_t)(end - text_get(&screen)));
  text_release(&screen);
}
