// history_page.c - a table of what changed last, and a picture of each series.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/history_page.h"

#include "tools/render/html/html.h"
#include "tools/render/html/page_frame.h"
#include "tools/render/html/svg_levels.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Series with a picture at most; the table has all.
#define PICTURES_MOST 200

static void add_name(const struct history_point *point, struct text *out) {
  const struct history_level *level = &point->level;
  if (!*level->id)
    html_printf(out, "%s, CPU time of a run", point->check.program);
  else
    html_printf(out, "%s%s %s:%u", strcmp(level->unit, "iteration") == 0 ? "iteration " : "",
                level->name, base_name(level->file), (unsigned)level->line);
}

/// "1f2e3d4c5b, 2026-11-26 10:20 UTC".
static void add_check(const struct history_check *check, struct text *out) {
  time_t at_s = (time_t)(check->at_ns / 1000000000u);
  struct tm at;
  char words[48] = "";
  if (gmtime_r(&at_s, &at))
    strftime(words, sizeof words, "%Y-%m-%d %H:%M UTC", &at);
  html_printf(out, "%.10s%s%s", check->revision, *check->revision ? ", " : "", words);
}

static void add_change(const struct history_series *series, const struct change_point *change,
                       struct text *out) {
  double share = change_point_share(change);
  html_printf(out, "%+.1f %% ", 100 * share);
  text_format(out, "<span class=\"%s\">%s</span> since ", share > 0 ? "unsteady" : "good",
              share > 0 ? "slower" : "faster");
  add_check(history_changed_at(series, change), out);
}

static void add_row(const struct history_series *series, size_t number, struct text *out) {
  const struct history_point *latest = &series->points[series->count - 1];
  const struct change_point *change = history_last_change(series);
  text_add(out, "<tr><td>");
  if (number <= PICTURES_MOST)
    text_format(out, "<a href=\"#H%zu\">", number);
  add_name(latest, out);
  text_add(out, number <= PICTURES_MOST ? "</a></td>" : "</td>");
  text_format(out, "<td class=\"number\" data-v=\"%zu\">%zu</td>", series->count, series->count);
  text_format(out, "<td class=\"number\" data-v=\"%.9g\">", latest->level.head_ns);
  text_format(out, "%s</td>", units_duration(latest->level.head_ns).data);
  if (change) {
    text_format(out, "<td class=\"number\" data-v=\"%.9g\">%+.1f %%</td><td>",
                change_point_share(change), 100 * change_point_share(change));
    add_check(history_changed_at(series, change), out);
  } else {
    text_add(out, "<td class=\"number\">none</td><td>");
  }
  text_add(out, "</td><td>");
  html_text(out, latest->check.machine);
  text_add(out, "</td></tr>\n");
}

static void add_table(const struct history *history, struct text *out) {
  text_add(out, "<div class=\"scroll\" tabindex=\"0\"><table><caption>What changed last</caption>"
                "<thead><tr>");
  static const char *const titles[] = {"what", "checks", "latest", "last change", "since", "on"};
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    text_format(out, "<th scope=\"col\"%s>%s</th>", i >= 1 && i <= 3 ? " class=\"number\"" : "",
                titles[i]);
  text_add(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < history->count; i++)
    add_row(&history->series[i], i + 1, out);
  text_add(out, "</tbody></table></div>\n");
}

static void add_picture(const struct history_series *series, size_t number, struct text *out) {
  struct svg_level *levels = memory_zeroed(series->count, sizeof *levels);
  size_t next = 0;
  for (size_t i = 0; i < series->count; i++) {
    struct text words = {0};
    const struct history_level *level = &series->points[i].level;
    add_check(&series->points[i].check, &words);
    text_format(&words, ": %s", units_duration(level->head_ns).data);
    if (isfinite(level->change))
      text_format(&words, ", %+.1f %% against its base", 100 * level->change);
    levels[i] = (struct svg_level){.ns = level->head_ns, .label = words.data};
    levels[i].is_changed =
        next < series->change_count && series->changes[next].at == i && ++next > 0;
  }
  text_format(out, "<section class=\"card\" id=\"H%zu\"><h3>", number);
  add_name(&series->points[series->count - 1], out);
  text_add(out, "</h3>\n<p class=\"place\">");
  html_text(out, series->points[series->count - 1].check.machine);
  text_add(out, "</p>\n");
  svg_levels(out, levels, series->count);
  for (size_t i = series->change_count; i-- > 0;) {
    text_add(out, "<p>");
    add_change(series, &series->changes[i], out);
    text_add(out, "</p>\n");
  }
  text_add(out, "</section>\n");
  for (size_t i = 0; i < series->count; i++)
    free(levels[i].label);
  free(levels);
}

void history_page_add(const struct history *history, struct text *out) {
  struct page_nonce nonce = page_nonce_new();
  page_begin("History", &nonce, out);
  text_add(out, "<main>\n<header><h1>History</h1><p>");
  html_printf(out,
              "%zu checks. A dot is a check: what its head took, on average. Lines are levels "
              "between changes, found by E-Divisive with means; times of one kind of processor "
              "alone are compared.",
              history->points.checks);
  text_add(out, "</p></header>\n");
  add_table(history, out);
  text_add(out, "<h2>Over the checks</h2>\n");
  for (size_t i = 0; i < history->count && i < PICTURES_MOST; i++)
    add_picture(&history->series[i], i + 1, out);
  text_add(out, "</main>\n");
  page_end(&nonce, out);
}
