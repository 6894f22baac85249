// ranks_page.c - slow ranks with their reasons, loops by ranks, waits, and the ranks themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/ranks_page.h"

#include "tools/analysis/stats/outliers.h"
#include "tools/model/rank/ranks_picture.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_frame.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>

/// Of each kind; more would hide what counts, and text has them all. COLUMNS: of the picture.
enum { LOOPS_MOST = 60, WAITS_MOST = 60, SLOW_MOST = 60, ROWS_MOST = 2000, COLUMNS_MOST = 256 };
/// Of the picture, in the units of its view box.
enum { CELL_HEIGHT = 14, PICTURE_WIDTH = 1000, GAPS_MOST = 64 };

static void add_count(size_t shown, size_t count, const char *what, struct text *out) {
  if (shown < count)
    text_format(out, "<p class=\"faint\">and %zu more %s: reticle ranks --all</p>\n", count - shown,
                what);
}

static void add_number(struct text *out, double value, const char *shown) {
  if (isfinite(value))
    text_format(out, "<td class=\"number\" data-v=\"%.9g\">%s</td>", value, shown);
  else
    text_add(out, "<td class=\"number\">n/a</td>");
}

static void add_time(struct text *out, double ns) {
  add_number(out, ns, isfinite(ns) ? units_duration(ns).data : "");
}

static void add_quantity_time(struct text *out, struct quantity time) {
  add_time(out, time.status == QUANTITY_OK ? time.value : NAN);
}

static void add_text(struct text *out, struct text *words) {
  text_add(out, "<td>");
  html_text(out, text_get(words));
  text_add(out, "</td>");
  text_release(words);
}

static void begin_table(const char *name, const char *const *titles, size_t count,
                        size_t first_number, struct text *out) {
  text_format(out,
              "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>"
              "<thead><tr>",
              name);
  for (size_t i = 0; i < count; i++)
    text_format(out, "<th scope=\"col\"%s>%s</th>", i >= first_number ? " class=\"number\"" : "",
                titles[i]);
  text_add(out, "</tr></thead><tbody>\n");
}

static void end_table(struct text *out) { text_add(out, "</tbody></table></div>\n"); }

// --- slow ranks ----------------------------------------------------------------------------------

static void add_slow(const struct ranks *ranks, const struct slow_rank *slow, struct text *out) {
  const struct rank_finding *f = slow->worst;
  const struct rank_row *row = &ranks->rows[f->rank];
  struct text name = {0}, place = {0}, reason = {0};
  ranks_add_name(row, &name);
  text_printf(&place, "L%zu ", ranks->loops[f->loop].number);
  ranks_add_loop(&ranks->loops[f->loop], &place);
  ranks_add_reason(ranks, f, &reason);
  text_add(out, "<li class=\"finding high\">\n<div class=\"gain\">");
  html_printf(out, "%s", units_lost(f->excess_ns.value).data);
  text_add(out, "<small>more</small></div>\n<div><h3>");
  html_printf(out, "%s on %s", text_get(&name), row->host);
  text_format(out, " <span class=\"code\">%s</span></h3>\n<p class=\"place\">",
              rank_kind_name(f->kind));
  html_text(out, text_get(&place));
  text_add(out, "</p>\n<p>");
  html_text(out, text_get(&reason));
  if (slow->others)
    text_format(out, "; and in %zu more loops", slow->others);
  text_add(out, "</p></div></li>\n");
  text_release(&name);
  text_release(&place);
  text_release(&reason);
}

static void add_slow_ranks(const struct ranks *ranks, struct text *out) {
  text_add(out, "<section id=\"slow\"><h2>Slow ranks</h2>\n");
  if (!ranks->slow_count && ranks->count >= OUTLIERS_LEAST)
    text_format(out,
                "<p class=\"good\">No rank is slow beyond what ranks differ by (family error %g "
                "%%, %zu comparisons).</p>\n",
                100 * RANK_FAMILY_ERROR, ranks->judged.tests);
  else if (ranks->slow_count)
    text_format(out,
                "<p>Beyond what the others differ by (family error %g %%, %zu comparisons). Time "
                "is what this rank takes longer than the median rank.</p>\n<ol "
                "class=\"findings\">\n",
                100 * RANK_FAMILY_ERROR, ranks->judged.tests);
  for (size_t i = 0; i < ranks->slow_count && i < SLOW_MOST; i++)
    add_slow(ranks, &ranks->slow[i], out);
  if (ranks->slow_count)
    text_add(out, "</ol>\n");
  add_count(SLOW_MOST, ranks->slow_count, "slow ranks", out);
  for (enum rank_kind kind = 0; kind < RANK_KINDS; kind++) {
    struct text common = {0};
    ranks_add_common(ranks, kind, &common);
    if (common.length) {
      text_add(out, "<p>");
      html_printf(out, "Those of kind %s have in common: %s.", rank_kind_name(kind),
                  text_get(&common));
      text_add(out, "</p>\n");
    }
    text_release(&common);
  }
  text_add(out, "</section>\n");
}

// --- loops by ranks ------------------------------------------------------------------------------

static void add_legend(struct text *out) {
  double low = 0;
  text_add(out, "<ul class=\"legend\">");
  for (size_t i = 0; i < RANKS_SHADES; low = ranks_shades[i++]) {
    text_format(out,
                "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
                "class=\"h%zu\" width=\"10\" height=\"10\"/></svg>",
                i);
    if (isfinite(ranks_shades[i]))
      text_format(out, "up to %gx", ranks_shades[i]);
    else
      text_format(out, "above %gx", low);
    text_add(out, "</li>");
  }
  text_add(out, "</ul>\n");
}

/// A cell's own words, as a browser shows them: who it is, and how long.
static void add_cell(const struct ranks *ranks, double ratio, size_t c, size_t columns,
                     struct text *out) {
  size_t first = ranks->count * c / columns, end = ranks->count * (c + 1) / columns;
  double width = (double)PICTURE_WIDTH / (double)columns, gap = columns <= GAPS_MOST ? 1.5 : 0;
  struct text name = {0};
  ranks_add_name(&ranks->rows[first], &name);
  text_format(out, "<rect class=\"h%zu\" x=\"%.2f\" width=\"%.2f\" height=\"%d\"><title>",
              ranks_shade(ratio), width * (double)c, width - gap, CELL_HEIGHT);
  html_text(out, text_get(&name));
  if (end > first + 1)
    text_format(out, " and %zu more, the longest", end - first - 1);
  else
    html_printf(out, " on %s", ranks->rows[first].host);
  html_printf(out, ": %s", units_ratio(ratio).data);
  text_add(out, "</title></rect>");
  text_release(&name);
}

static void add_loop(const struct ranks *ranks, size_t i, size_t columns, double *ratios,
                     struct text *out) {
  const struct rank_loop *loop = &ranks->loops[i];
  const struct rank_loop_view *view = &ranks->judged.loops[i];
  struct text name = {0};
  ranks_picture(ranks, loop, columns, ratios);
  ranks_add_loop(loop, &name);
  text_format(out, "<tr><td>L%zu</td>", loop->number);
  add_text(out, &name);
  text_format(out,
              "<td><svg class=\"ranks\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
              "role=\"img\" aria-label=\"L%zu, time of each rank over the median rank's\">",
              PICTURE_WIDTH, CELL_HEIGHT, loop->number);
  for (size_t c = 0; c < columns; c++)
    if (isfinite(ratios[c]))
      add_cell(ranks, ratios[c], c, columns, out);
  text_add(out, "</svg></td>");
  add_quantity_time(out, view->total_ns);
  bool is_known = view->imbalance.status == QUANTITY_OK;
  add_number(out, is_known ? view->imbalance.value : NAN,
             is_known ? units_ratio(view->imbalance.value).data : "");
  bool is_lost = view->lost_ns.status == QUANTITY_OK;
  add_number(out, is_lost ? view->lost_ns.value : NAN,
             is_lost ? units_lost(view->lost_ns.value).data : "");
  text_add(out, "</tr>\n");
}

static void add_loops(const struct ranks *ranks, struct text *out) {
  static const char *const titles[] = {"id",        "loop",     "ranks in their order",
                                       "all ranks", "max/mean", "lost"};
  size_t columns = ranks->count < COLUMNS_MOST ? ranks->count : COLUMNS_MOST;
  double *ratios = memory_zeroed(columns + 1, sizeof *ratios);
  text_add(out, "<section id=\"loops\"><h2>Loops by ranks</h2>\n<p>A cell is a rank's time in the "
                "loop over the median rank's; empty: it never entered it. Lost: what the longest "
                "rank takes beyond the mean, which an even share would save.</p>\n");
  add_legend(out);
  begin_table("Loops by ranks", titles, sizeof titles / sizeof *titles, 3, out);
  for (size_t i = 0; i < ranks->loop_count && i < LOOPS_MOST; i++)
    add_loop(ranks, i, columns, ratios, out);
  end_table(out);
  add_count(LOOPS_MOST, ranks->loop_count, "loops", out);
  if (columns < ranks->count)
    text_format(out,
                "<p class=\"faint\">A cell is of %zu ranks or one more: the longest of them "
                "shows.</p>\n",
                ranks->count / columns);
  text_add(out, "</section>\n");
  free(ratios);
}

// --- waits, ranks --------------------------------------------------------------------------------

static void add_wait(const struct waits_row *row, struct text *out) {
  struct text place = {0}, whom = {0}, most = {0};
  struct quantity share = waits_row_share(row);
  const struct wait_cell *end = &row->site->cells[row->site->most];
  waits_add_place(row, &place);
  waits_add_whom(row, &whom);
  waits_add_cell(row, end, &most);
  text_printf(&most, " %s", units_duration((double)end->time_ns).data);
  text_format(out, "<tr><td>W%zu</td><td>", row->number);
  html_text(out, row->site->operation);
  text_add(out, "</td>");
  add_text(out, &place);
  add_text(out, &whom);
  add_text(out, &most);
  add_number(out, (double)row->site->calls, units_count((double)row->site->calls).data);
  add_time(out, (double)row->site->time_ns);
  add_number(out, share.status == QUANTITY_OK ? share.value : NAN,
             share.status == QUANTITY_OK ? units_share(share.value).data : "");
  add_quantity_time(out, waits_row_late(row));
  text_add(out, "</tr>\n");
}

static void add_waits(const struct waits *waits, struct text *out) {
  static const char *const titles[] = {"id",    "call", "called by", "waited for", "most",
                                       "calls", "time", "share",     "waited"};
  if (!waits->row_count)
    return;
  text_add(out, "<section id=\"waits\"><h2>Waits</h2>\n");
  begin_table("Waits", titles, sizeof titles / sizeof *titles, 5, out);
  for (size_t i = 0; i < waits->row_count && i < WAITS_MOST; i++)
    add_wait(&waits->rows[i], out);
  end_table(out);
  add_count(WAITS_MOST, waits->row_count, "call sites", out);
  text_add(out, "</section>\n");
}

static void add_rows(const struct ranks *ranks, struct text *out) {
  static const char *const titles[] = {"rank",        "host",      "run", "CPU", "waited for a CPU",
                                       "page faults", "migrations"};
  text_add(out, "<section id=\"ranks\"><h2>Ranks</h2>\n");
  begin_table("Ranks", titles, sizeof titles / sizeof *titles, 2, out);
  for (size_t i = 0; i < ranks->count && i < ROWS_MOST; i++) {
    const struct rank_row *row = &ranks->rows[i];
    struct text name = {0};
    ranks_add_name(row, &name);
    text_add(out, "<tr>");
    add_text(out, &name);
    text_add(out, "<td>");
    html_text(out, row->host);
    text_add(out, "</td>");
    add_time(out, row->run_ns);
    add_time(out, row->cpu_ns);
    add_time(out, row->runnable_ns);
    add_number(out, row->faults, isfinite(row->faults) ? units_count(row->faults).data : "");
    add_number(out, row->migrations,
               isfinite(row->migrations) ? units_count(row->migrations).data : "");
    text_add(out, "</tr>\n");
  }
  end_table(out);
  add_count(ROWS_MOST, ranks->count, "ranks", out);
  text_add(out, "</section>\n");
}

void ranks_page_add(const struct ranks *ranks, struct text *out) {
  struct page_nonce nonce = page_nonce_new();
  page_begin("Ranks", &nonce, out);
  text_add(out, "<nav aria-label=\"Sections\"><ul><li><a href=\"#slow\">Slow ranks</a></li><li><a "
                "href=\"#loops\">Loops by ranks</a></li>");
  if (ranks->waits.row_count)
    text_add(out, "<li><a href=\"#waits\">Waits</a></li>");
  text_add(out, "<li><a href=\"#ranks\">Ranks</a></li></ul></nav>\n<main>\n<header><h1>");
  html_text(out, base_name(ranks->executable));
  text_add(out, "</h1><p>");
  text_format(out, "%zu ranks on %s", ranks->count, units_counted(ranks->hosts, "host").data);
  if (ranks->count && *ranks->rows[0].job)
    html_printf(out, ", job %s", ranks->rows[0].job);
  text_add(out, "</p></header>\n");
  for (size_t i = 0; i < ranks->notes.count; i++) {
    text_add(out, "<p class=\"doubt\"><b>Note:</b> ");
    html_text(out, ranks->notes.items[i].text);
    text_add(out, "</p>\n");
  }
  add_slow_ranks(ranks, out);
  add_loops(ranks, out);
  add_waits(&ranks->waits, out);
  add_rows(ranks, out);
  text_add(out, "</main>\n");
  page_end(&nonce, out);
}
