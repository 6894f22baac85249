// ranks_text.c - prints slow ranks with their reasons, and the picture of loops by ranks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/rank/ranks_text.h"

#include "tools/analysis/stats/outliers.h"
#include "tools/model/rank/ranks_picture.h"
#include "tools/render/text/rank/waits_table.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Columns that the other cells of a row leave to the picture, about; and its least.
#define BESIDE_COLUMNS 62
#define PICTURE_LEAST 16

static const char *shade_of(const struct terminal *terminal, double ratio) {
  static const char *const utf8[RANKS_SHADES] = {"·", "░", "▒", "▓", "█"};
  static const char *const ascii[RANKS_SHADES] = {".", "-", "+", "#", "@"};
  return (terminal->utf8 ? utf8 : ascii)[ranks_shade(ratio)];
}

static void add_head(const struct ranks *ranks, const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  // Those without a rank come last.
  bool are_ranks = ranks->count && ranks->rows[0].rank != PROFILE_RANK_UNKNOWN;
  text_printf(&line, "%s  %s", base_name(ranks->executable),
              units_counted(ranks->count, are_ranks ? "rank" : "process").data);
  if (ranks->size != PROFILE_RANK_UNKNOWN)
    text_printf(&line, " of %u", ranks->size);
  if (ranks->hosts > 1)
    text_printf(&line, " on %zu hosts", ranks->hosts);
  else if (ranks->count)
    text_printf(&line, " on %s", ranks->rows[0].host);
  if (ranks->count && *ranks->rows[0].job)
    text_printf(&line, "   job %s", ranks->rows[0].job);
  terminal_add(terminal, out, STYLE_HEADING, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
  for (size_t i = 0; i < ranks->notes.count; i++) {
    terminal_add(terminal, out, STYLE_CAUTION, "warning: ");
    text_add_wrapped(out, ranks->notes.items[i].text, strlen("warning: "), 2, terminal->width);
    text_add(out, "\n");
  }
  text_add(out, "\n");
}

// --- slow ranks

static void add_slow(const struct ranks *ranks, const struct slow_rank *slow,
                     const struct terminal *terminal, struct text *out) {
  const struct rank_finding *finding = slow->worst;
  const struct rank_loop *loop = &ranks->loops[finding->loop];
  struct text line = {0}, place = {0};
  text_add(&line, "  ");
  ranks_add_name(&ranks->rows[finding->rank], &line);
  if (ranks->hosts > 1)
    text_printf(&line, " on %s", ranks->rows[finding->rank].host);
  terminal_add(terminal, out, STYLE_BAD, text_get(&line));
  text_printf(&place, "  %s  ", rank_kind_name(finding->kind));
  text_printf(&place, "L%zu ", loop->number);
  ranks_add_loop(loop, &place);
  text_printf(&place, ": %s more: ", units_lost(finding->excess_ns.value).data);
  ranks_add_reason(ranks, finding, &place);
  if (slow->others)
    text_printf(&place, "; and in %s", units_counted(slow->others, "more loop").data);
  text_add_wrapped(out, text_get(&place), text_width(text_get(&line)), 6, terminal->width);
  text_add(out, "\n");
  text_release(&line);
  text_release(&place);
}

static void add_commons(const struct ranks *ranks, struct text *out) {
  for (enum rank_kind kind = 0; kind < RANK_KINDS; kind++) {
    struct text common = {0};
    size_t count = 0;
    for (size_t i = 0; i < ranks->slow_count; i++)
      count += ranks->slow[i].worst->kind == kind;
    ranks_add_common(ranks, kind, &common);
    if (common.length)
      text_printf(out, "  the %zu of kind %s have in common: %s\n", count, rank_kind_name(kind),
                  text_get(&common));
    text_release(&common);
  }
}

static void add_slow_ranks(const struct ranks *ranks, size_t most, const struct terminal *terminal,
                           struct text *out) {
  if (!ranks->slow_count) {
    if (ranks->count >= OUTLIERS_LEAST)
      text_printf(out,
                  "no rank is slow beyond what ranks differ by (family error %g %%, %zu "
                  "comparisons)\n\n",
                  100 * RANK_FAMILY_ERROR, ranks->judged.tests);
    return;
  }
  terminal_add(terminal, out, STYLE_HEADING, "SLOW RANKS");
  text_printf(out, " beyond what the others differ by (family error %g %%, %zu comparisons)\n",
              100 * RANK_FAMILY_ERROR, ranks->judged.tests);
  for (size_t i = 0; i < ranks->slow_count && i < most; i++)
    add_slow(ranks, &ranks->slow[i], terminal, out);
  if (ranks->slow_count > most)
    text_printf(out, "  and %zu more: --all\n", ranks->slow_count - most);
  add_commons(ranks, out);
  text_add(out, "\n");
}

// --- the picture

static void add_picture(const double *ratios, size_t columns, const struct terminal *terminal,
                        struct text *out) {
  for (size_t c = 0; c < columns; c++)
    text_add(out, isfinite(ratios[c]) ? shade_of(terminal, ratios[c]) : " ");
}

static size_t picture_columns(const struct ranks *ranks, const struct terminal *terminal) {
  size_t room = terminal->width > BESIDE_COLUMNS + PICTURE_LEAST ? terminal->width - BESIDE_COLUMNS
                                                                 : PICTURE_LEAST;
  return ranks->count < room ? ranks->count : room;
}

static void add_time(struct table *table, struct quantity time) {
  table_add(table, STYLE_PLAIN, time.status == QUANTITY_OK ? units_duration(time.value).data : "?");
}

static void add_legend(const struct ranks *ranks, size_t columns, const struct terminal *terminal,
                       struct text *out) {
  text_add(out, "  a cell: time in the loop over the median rank's:");
  double low = 0;
  for (size_t i = 0; i < RANKS_SHADES; low = ranks_shades[i++]) {
    text_printf(out, " %s ", shade_of(terminal, fmin(ranks_shades[i], 2 * low + 1)));
    if (isfinite(ranks_shades[i]))
      text_printf(out, "to %gx", ranks_shades[i]);
    else
      text_add(out, "more");
  }
  text_add(out, "; blank: not entered\n");
  if (columns < ranks->count)
    text_printf(out, "  a column is of %zu ranks or one more: the longest of them shows\n",
                ranks->count / columns);
}

static void add_loops(const struct ranks *ranks, size_t most, const struct terminal *terminal,
                      struct text *out) {
  static const struct table_column titles[] = {
      {.title = ""},
      {.title = "", .narrowest = 12},
      {.title = "all ranks", .right = true},
      {.title = "max/mean", .right = true},
      {.title = "lost", .right = true},
      {.title = "ranks in their order"},
  };
  size_t columns = picture_columns(ranks, terminal), shown = 0;
  double *ratios = memory_zeroed(columns + 1, sizeof *ratios);
  struct table table;
  table_init(&table, titles, sizeof titles / sizeof *titles);
  for (; shown < ranks->loop_count && shown < most; shown++) {
    const struct rank_loop *loop = &ranks->loops[shown];
    const struct rank_loop_view *view = &ranks->judged.loops[shown];
    struct text name = {0}, picture = {0};
    ranks_add_loop(loop, &name);
    ranks_picture(ranks, loop, columns, ratios);
    add_picture(ratios, columns, terminal, &picture);
    table_printf(&table, STYLE_PLAIN, "L%zu", loop->number);
    table_add(&table, STYLE_PLAIN, text_get(&name));
    add_time(&table, view->total_ns);
    table_add(&table, STYLE_PLAIN,
              view->imbalance.status == QUANTITY_OK ? units_ratio(view->imbalance.value).data
                                                    : "?");
    table_add(&table, STYLE_PLAIN,
              view->lost_ns.status == QUANTITY_OK ? units_lost(view->lost_ns.value).data : "?");
    table_add(&table, STYLE_PLAIN, text_get(&picture));
    text_release(&name);
    text_release(&picture);
  }
  free(ratios);
  if (!ranks->loop_count) {
    table_release(&table);
    text_add(out, "no rank entered a loop that is timed\n");
    return;
  }
  table_print(&table, terminal, "LOOPS by time lost to imbalance (max less mean)", out);
  table_release(&table);
  if (ranks->loop_count > most)
    text_printf(out, "  and %zu more: --all\n", ranks->loop_count - most);
  add_legend(ranks, columns, terminal, out);
}

void ranks_text_add(const struct ranks *ranks, size_t most, const struct terminal *terminal,
                    struct text *out) {
  add_head(ranks, terminal, out);
  add_slow_ranks(ranks, most, terminal, out);
  waits_table_add(&ranks->waits, most == SIZE_MAX ? most : most / 2, true, terminal, out);
  add_loops(ranks, most, terminal, out);
  if (!ranks->count)
    return;
  const struct rank_row *row = &ranks->rows[ranks->slow_count ? ranks->slow[0].worst->rank : 0];
  struct text command = {0};
  text_add(&command, "reticle report ");
  text_add_quoted(&command, row->path);
  text_add(out, "\nnext: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&command);
}
