// page_loops.c - the table of loops, and each by itself: durations, over time, stalls, structs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_cause.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg.h"
#include "tools/support/units.h"

#include <stdio.h>

static void draw_id(const struct measurement *m, const void *of, struct text *out) {
  const struct measured_loop *loop = of;
  char id[24];
  snprintf(id, sizeof id, "L%zu", loop->rank);
  page_link(m, id, out);
}

static void draw_place(const struct measurement *m, const void *of, struct text *out) {
  const struct measured_loop *loop = of;
  struct text place = {0};
  (void)m;
  measurement_add_place(loop->loop, &place);
  html_text(out, text_get(&place));
  text_release(&place);
}

static void draw_spark(const struct measurement *m, const void *of, struct text *out) {
  const struct measured_loop *loop = of;
  (void)m;
  svg_spark(out, loop->stats.spark, LOOP_SPARK_COLUMNS, "executions by duration, short to long");
}

static void draw_verdict(const struct measurement *m, const void *of, struct text *out) {
  const struct measured_loop *loop = of;
  (void)m;
  text_add(out, "<span title=\"");
  html_text(out, loop->stats.reason);
  text_format(out, "\" class=\"%s\">%s</span>", loop_verdict_name(loop->stats.verdict),
              loop_verdict_words(loop->stats.verdict));
}

static const struct html_column columns[] = {
    {.title = "id", .help = "number in this report", .draw = draw_id},
    {.key = "function", .title = "function"},
    {.title = "place", .help = "source of the loop's start", .draw = draw_place},
    {.title = "durations", .help = "executions by duration, short to long", .draw = draw_spark},
    {.key = "share", .tell = loop_told_share},
    {.key = "executions"},
    {.key = "p50"},
    {.key = "p95"},
    {.key = "amplitude", .tell = loop_told_amplitude},
    {.key = "lost", .tell = loop_told_lost},
    {.title = "verdict", .help = "whether executions take the same time", .draw = draw_verdict},
};

static void add_row(const char *name, struct quantity quantity, const char *unit,
                    struct text *out) {
  text_format(out, "<div><dt>%s</dt><dd>", name);
  html_quantity(out, quantity, unit);
  text_add(out, "</dd></div>\n");
}

static void add_told_row(const char *name, struct told told, struct quantity of, const char *unit,
                         struct text *out) {
  text_format(out, "<div><dt>%s</dt><dd>", name);
  html_told(out, &told, of, unit);
  text_add(out, "</dd></div>\n");
}

static void add_numbers(const struct measured_loop *loop, struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  text_add(out, "<dl class=\"facts\">\n");
  text_format(out, "<div><dt>executions</dt><dd>%s</dd></div>\n",
              units_exact(stats->executions).data);
  text_format(out, "<div><dt>timed</dt><dd>%s</dd></div>\n", units_exact(stats->samples).data);
  add_told_row("share", loop_told_share(loop), loop->share, "share", out);
  add_row("total", stats->total_ns, "ns", out);
  add_row("p50", stats->p50_ns, "ns", out);
  add_row("p95", stats->p95_ns, "ns", out);
  add_row("p99", stats->p99_ns, "ns", out);
  add_row("longest", stats->max_ns, "ns", out);
  add_row("slow executions", stats->slow_share, "share", out);
  add_row("slower by", stats->slow_by_ns, "ns", out);
  add_told_row("lost to them", loop_told_lost(loop), stats->lost_ns, "ns", out);
  add_row("variance: work", stats->variance_work, "share", out);
  add_row("variance: processor", stats->variance_processor, "share", out);
  text_add(out, "</dl>\n");
}

static void add_cause(const struct measurement *m, const struct measured_loop *loop,
                      struct text *out) {
  const struct loop_cause *cause = loop_cause_get(m, loop);
  struct text change = {0};
  loop_cause_change(m, loop, cause, &change);
  if (change.length) {
    text_add(out, "<p class=\"change\">");
    html_text(out, text_get(&change));
    text_add(out, "</p>\n");
  }
  text_release(&change);
  for (size_t i = 0; i < cause->struct_count; i++) {
    char id[24];
    snprintf(id, sizeof id, "S%zu", cause->structs[i].rank);
    text_add(out, i ? ", " : "<p>Structs: ");
    page_link(m, id, out);
    html_printf(out, " %s (%s)", cause->structs[i].use->record->name, cause->structs[i].fields);
    text_add(out, i + 1 == cause->struct_count ? "</p>\n" : "");
  }
}

static void add_sites(const struct measurement *m, const struct measured_loop *loop,
                      struct text *out) {
  const struct loop_sites *sites = loop_sites_get(m, loop);
  for (size_t i = 0; i < sites->count; i++)
    html_printf(out, "%sA%zu",
                i ? ", " : "Allocation sites that it touches: ", sites->sites[i].rank);
}

static void add_card(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out) {
  struct loop_plot plot;
  loop_plot_get(&m->input.profile.env, loop->loop, &plot);
  text_format(out, "<details class=\"card\" id=\"L%zu\"><summary><b>L%zu</b> ", loop->rank,
              loop->rank);
  struct text name = {0};
  measurement_add_name(loop, &name);
  html_text(out, text_get(&name));
  text_add(out, " <span class=\"place\">");
  draw_place(m, loop, out);
  text_add(out, "</span> ");
  draw_verdict(m, loop, out);
  text_add(out, "</summary>\n<p>");
  html_text(out, loop->stats.reason);
  text_add(out, "</p>\n<div class=\"plots\">");
  if (plot.bar_count)
    text_add(out, "<figure><figcaption>Executions by duration (height: square root)</figcaption>");
  svg_durations(out, &plot, &loop->stats);
  if (plot.bar_count)
    text_add(out, "</figure>");
  if (plot.dot_count > 1)
    text_add(out, "<figure><figcaption>Duration over the run, a dot a sample</figcaption>");
  svg_over_time(out, &plot);
  if (plot.dot_count > 1)
    text_add(out, "</figure>");
  text_add(out, "</div>\n");
  add_numbers(loop, out);
  page_delays_add(m, loop, out);
  add_cause(m, loop, out);
  add_sites(m, loop, out);
  text_add(out, "</details>\n");
  text_release(&name);
  loop_plot_release(&plot);
}

void page_loops_add(const struct report *report, struct text *out) {
  const struct measurement *m = report->m;
  if (!m->loop_count)
    return;
  text_add(out, "<section id=\"loops\"><h2>Loops</h2>\n");
  html_table(out, &section_loops, report, columns, sizeof columns / sizeof *columns, NULL,
             PAGE_ROWS, "Loops");
  for (size_t i = 0; i < m->loop_count && i < PAGE_CARDS; i++)
    if (m->loops[i].stats.executions)
      add_card(m, &m->loops[i], out);
  text_add(out, "</section>\n");
}
