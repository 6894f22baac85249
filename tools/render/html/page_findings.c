// page_findings.c - what to do: account of time, findings, what was not found, what to doubt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_worth.h"
#include "tools/model/report/hottest.h"
#include "tools/model/study/study_view.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg.h"
#include "tools/support/units.h"

#include <stdio.h>
#include <stdlib.h>

static void add_account(const struct measurement *m, struct text *out) {
  const struct account *a = &m->account;
  const struct {
    const char *label, *class;
    struct quantity time;
  } of[] = {{"CPU, user", "c1", a->user_ns},
            {"CPU, kernel", "c2", a->system_ns},
            {"waited for a CPU", "c3", a->runnable_ns},
            {"blocked", "c4", a->blocked_ns},
            {"stopped", "c5", a->stopped_ns}};
  struct svg_part parts[sizeof of / sizeof *of];
  size_t count = 0;
  if (a->threads_ns.status != QUANTITY_OK || !(a->threads_ns.value > 0))
    return;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (of[i].time.status == QUANTITY_OK && of[i].time.value > 0)
      parts[count++] =
          (struct svg_part){of[i].label, of[i].class, of[i].time.value / a->threads_ns.value};
  text_add(out, "<h3>Where the time of all threads went</h3>\n");
  svg_stack(out, parts, count, "Where the time of all threads went");
}

enum { HOTTEST_SHOWN = 8 };

static void add_hot_row(const struct measurement *m, const struct hottest_row *row,
                        struct text *out) {
  struct text name = {0}, where = {0};
  char id[24] = "";
  hottest_name(row, &name, &where);
  text_add(out, "<tr><td class=\"number\">");
  html_text(out, row->share.words);
  if (row->share.value > 0)
    svg_share(out, row->share.value, "c1");
  text_add(out, "</td><td>");
  html_text(out, text_get(&name));
  text_add(out, "</td><td>");
  html_text(out, text_get(&where));
  text_add(out, "</td><td>");
  if (row->loop) {
    snprintf(id, sizeof id, "L%zu", row->loop->rank);
    page_link(m, id, out);
  }
  text_add(out, "</td></tr>\n");
  text_release(&name);
  text_release(&where);
}

/// What takes the most time: the same as on the first screen.
static void add_hottest(const struct measurement *m, struct text *out) {
  struct hottest hottest;
  hottest_find(m, HOTTEST_SHOWN, HOTTEST_SAMPLES, &hottest);
  if (!hottest.count)
    return;
  text_add(out, "<h3>Hottest <small class=\"faint\">");
  html_text(out, hottest_words(m, hottest.kind));
  text_add(out, "</small></h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                "aria-label=\"Hottest\"><table><thead><tr><th scope=\"col\" "
                "class=\"number\">share</th><th scope=\"col\">function</th><th "
                "scope=\"col\">place</th><th scope=\"col\">loop</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < hottest.count; i++)
    add_hot_row(m, &hottest.rows[i], out);
  text_add(out, "</tbody></table></div>\n");
}

static void add_builds(const struct measurement *m, struct text *out) {
  const struct study_view *view = m->input.study ? study_view_get(m) : NULL;
  if (!view)
    return;
  text_add(out, "<p class=\"faint\">Builds: ");
  for (size_t i = 0; i < view->count; i++) {
    const struct study_view_build *build = &view->builds[i];
    html_printf(out, "%s%s", i ? ", " : "", build->name);
    if (build == view->plain && build->runs)
      html_printf(out, " %s of CPU time", units_duration(build->cpu_s.value * 1e9).data);
    else if (build->cost.status == QUANTITY_OK)
      html_printf(out, " %.2fx", build->cost.value);
    else if (!build->runs)
      text_add(out, " not run");
    if (build->is_ended)
      text_add(out, " ended early");
  }
  text_add(out, "</p>\n");
  struct text failure = {0};
  study_view_add_failure(view, &failure);
  if (failure.length) {
    text_add(out, "<p class=\"doubt\">");
    html_text(out, text_get(&failure));
    text_add(out, "</p>\n");
  }
  text_release(&failure);
  for (size_t i = 0; i < view->count; i++)
    if (view->builds[i].is_other_output) {
      text_add(out, "<p class=\"doubt\">The build ");
      html_text(out, view->builds[i].name);
      text_add(out, " prints something else than the plain one: ");
      html_text(out, text_get(&view->difference));
      text_add(out, "</p>\n");
    }
}

/// A small picture of what a finding is about.
static void add_picture(const struct measurement *m, const struct finding *finding,
                        struct text *out) {
  size_t rank = finding->about[0] == 'L' ? strtoul(finding->about + 1, NULL, 10) : 0;
  if (rank && rank <= m->loop_count)
    svg_spark(out, m->loops[rank - 1].stats.spark, LOOP_SPARK_COLUMNS,
              "executions by duration, short to long");
}

static void add_finding(const struct measurement *m, const struct finding *f, struct text *out) {
  bool is_known = f->gain.status == QUANTITY_OK;
  text_format(out, "<li class=\"finding %s%s\">\n<div class=\"gain\">",
              finding_severity_name(f->severity), f->proof == FINDING_REFUTED ? " refuted" : "");
  struct text gain = {0};
  finding_add_gain(f, finding_base_words(f), &gain);
  if (is_known)
    html_printf(out, "%s", units_share(f->gain.value).data);
  else if (f->at_stake > 0)
    html_printf(out, "%s", units_share(f->at_stake).data);
  else
    text_add(out, "?");
  text_add(out, "<small>");
  html_text(out, text_get(&gain));
  text_add(out, "</small>");
  text_release(&gain);
  text_add(out, "</div>\n<div><h3>");
  if (*f->about) {
    page_link(m, f->about, out);
    text_add(out, " ");
  }
  html_text(out, f->name.length ? text_get(&f->name) : "the whole program");
  text_add(out, " <span class=\"code\">");
  html_text(out, finding_code_name(f->code));
  text_add(out, "</span></h3>\n<p class=\"place\">");
  if (*f->file)
    html_printf(out, f->line ? "%s:%u" : "%s", f->file, f->line);
  text_add(out, "</p>\n");
  add_picture(m, f, out);
  text_add(out, "<p>");
  html_text(out, text_get(&f->text));
  if (f->change.length) {
    text_add(out, "</p>\n<p class=\"change\">");
    html_text(out, text_get(&f->change));
  }
  text_add(out, "</p></div></li>\n");
}

static void add_others(const struct measurement *m, const struct findings *findings,
                       struct text *out) {
  struct text line = {0};
  findings_add_absent(m, findings, &line);
  if (line.length) {
    text_add(out, "<p class=\"good\"><b>Looked for and not found:</b> ");
    html_text(out, text_get(&line));
    text_add(out, "</p>\n");
  }
  text_clear(&line);
  findings_add_unknown(m, &line);
  if (line.length) {
    text_add(out, "<p class=\"doubt\"><b>Not known:</b> ");
    html_text(out, text_get(&line));
    text_add(out, "</p>\n");
  }
  text_release(&line);
}

static void add_notes(const struct measurement *m, struct text *out) {
  for (size_t i = 0; i < m->notes.count; i++) {
    text_add(out, "<p class=\"doubt\"><b>Note:</b> ");
    html_text(out, m->notes.items[i].text);
    text_add(out, "</p>\n");
  }
}

/// Below it, all findings together are not worth much work.
#define LITTLE 0.03

void page_findings_add(const struct report *report, struct text *out) {
  const struct findings *findings = report->findings;
  double worth = findings_worth(report->m, findings, false);
  text_add(out, "<section id=\"do\"><h2>What to do</h2>\n");
  add_account(report->m, out);
  add_hottest(report->m, out);
  add_builds(report->m, out);
  if (!findings->count)
    text_add(out, "<p>Nothing that was measured is worth more than 1 % of the time.</p>\n");
  else if (worth >= FINDINGS_WORTH_LEAST) {
    text_add(out, "<p>");
    html_printf(
        out,
        "Findings, most to gain first; all together about %s of the CPU time (what is on one "
        "loop counts once).",
        units_share(worth).data);
    if (worth < LITTLE)
      text_add(out, " <b>Little to gain by what is known here.</b>");
    text_add(out, "</p>\n");
  }
  text_add(out, "<ol class=\"findings\">\n");
  for (size_t i = 0; i < findings->count; i++)
    add_finding(report->m, &findings->items[i], out);
  text_add(out, "</ol>\n");
  add_others(report->m, findings, out);
  add_notes(report->m, out);
  text_add(out, "</section>\n");
}
