// diff_page.c - both sides, the change of each loop, and the durations of both.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/diff_page.h"

#include "tools/model/compare/diff_words.h"
#include "tools/model/doctor/gap.h"
#include "tools/model/loop/loop_plot.h"
#include "tools/model/measurement/measurement.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_frame.h"
#include "tools/render/html/svg_pair.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Loops with a card at most; the table has all.
#define CARDS_MOST 100
/// The axis of changes shows so much at least and at most, as logarithms.
#define RANGE_LEAST 0.05
#define RANGE_MOST 1.4
/// Files of a side that are named.
#define FILES_MOST 3

// --- the sides ---------------------------------------------------------------------------------

static void add_fact(struct text *out, const char *name, const char *value) {
  text_add(out, "<div><dt>");
  html_text(out, name);
  text_add(out, "</dt><dd>");
  html_text(out, value);
  text_add(out, "</dd></div>");
}

static void add_when(const struct compared_side *side, struct text *out) {
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < side->count; i++) {
    uint64_t at = side->profiles[i]->env.start_time_s;
    first = at < first ? at : first;
    last = at > last ? at : last;
  }
  const uint64_t both[] = {first, last};
  for (size_t i = 0; i < (first == last ? 1 : 2); i++) {
    struct tm at;
    time_t seconds = (time_t)both[i];
    char words[48];
    if (gmtime_r(&seconds, &at) && strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S", &at))
      text_printf(out, "%s%s", i ? " to " : "", words);
  }
  text_add(out, " UTC");
}

/// Runs of a study are in one file.
static void add_files(const struct compared_side *side, struct text *out) {
  const char *before = "";
  size_t named = 0, more = 0;
  for (size_t i = 0; i < side->count; i++) {
    const char *name = side->runs[i].paths[0];
    if (strcmp(name, before) == 0)
      continue;
    before = name;
    if (named < FILES_MOST)
      text_printf(out, "%s%s", named++ ? ", " : "", base_name(name));
    else
      more++;
  }
  if (more)
    text_printf(out, " and %zu more", more);
}

static void add_side(const struct compared_side *side, const char *letter, struct text *out) {
  const struct profile *profile = &side->merged;
  const struct profile_env *env = &profile->env;
  struct text words = {0};
  char machine[160];
  text_format(out, "<section class=\"side %s\"><h2><span class=\"letter\">%s</span> ",
              *letter == 'A' ? "a" : "b", letter);
  html_text(out, *env->arguments ? env->arguments : env->executable);
  text_add(out, "</h2><dl class=\"facts\">");
  add_when(side, &words);
  add_fact(out, "when", text_get(&words));
  text_clear(&words);
  text_printf(&words, "%zu", profile->merged_count);
  if (side->overview.elapsed_ns.status == QUANTITY_OK)
    text_printf(
        &words, " of %s wall clock",
        units_duration(side->overview.elapsed_ns.value / (double)profile->merged_count).data);
  add_fact(out, "runs", text_get(&words));
  text_clear(&words);
  add_files(side, &words);
  add_fact(out, "files", text_get(&words));
  cpu_short_name(env->cpu_model, env->hypervisor, machine, sizeof machine);
  add_fact(out, "machine", machine);
  add_fact(out, "compiler",
           profile->object_count ? profile->objects[0].compiler : "no instrumented object");
  text_add(out, "</dl>");
  text_clear(&words);
  gap_add(&side->overview, &words);
  if (words.length) {
    text_add(out, "<p class=\"doubt\">no loop was timed: ");
    html_text(out, text_get(&words));
    text_add(out, "</p>");
  }
  text_add(out, "</section>\n");
  text_release(&words);
}

static void add_doubts(const struct comparison *c, struct text *out) {
  for (size_t i = 0; i < c->notes.count; i++) {
    text_add(out, "<p class=\"doubt\">");
    html_text(out, c->notes.items[i].text);
    text_add(out, "</p>\n");
  }
  for (size_t i = 0; diff_doubt(&c->diff, i); i++) {
    text_add(out, "<p class=\"doubt\">");
    html_text(out, diff_doubt(&c->diff, i));
    text_add(out, "</p>\n");
  }
}

// --- loops -------------------------------------------------------------------------------------

static const char *class_of(enum diff_verdict verdict) {
  switch (verdict) {
  case DIFF_SLOWER:
    return "unsteady";
  case DIFF_FASTER:
    return "good";
  case DIFF_INCONCLUSIVE:
    return "inconclusive";
  default:
    return "none";
  }
}

static const char *dot_class(enum diff_verdict verdict) {
  return verdict == DIFF_SLOWER ? "worse" : verdict == DIFF_FASTER ? "better" : "c4";
}

static const struct profile_loop *shown_of(const struct diff_loop *loop) {
  return loop->b.loop ? loop->b.loop : loop->a.loop;
}

static void add_name(const struct diff_loop *loop, struct text *out) {
  const struct profile_loop *shown = shown_of(loop);
  char *function =
      function_short_name(*shown->inlined_from ? shown->inlined_from : shown->function);
  html_printf(out, "%s%s",
              shown->flags & RETICLE_LOOP_REGION      ? "region "
              : shown->flags & RETICLE_LOOP_ITERATION ? "iteration "
                                                      : "",
              function);
  free(function);
}

static void add_place(const struct diff_loop *loop, struct text *out) {
  struct text place = {0};
  measurement_add_place(shown_of(loop), &place);
  html_text(out, text_get(&place));
  text_release(&place);
}

static void add_number(struct text *out, bool is_known, double value, const char *words) {
  if (!is_known) {
    text_add(out, "<td class=\"number faint\">n/a</td>");
    return;
  }
  text_format(out, "<td class=\"number\" data-v=\"%.9g\">", value);
  html_text(out, words);
  text_add(out, "</td>");
}

static void add_mean(struct text *out, const struct diff_loop_side *side) {
  bool is_known = side->loop && side->mean_ns.status == QUANTITY_OK;
  double ns = is_known ? side->mean_ns.value : 0;
  add_number(out, is_known, ns, units_duration(ns).data);
}

static void add_row(const struct diff_loop *loop, size_t number, double range, struct text *out) {
  text_format(out, "<tr><td data-v=\"%zu\">", number);
  text_format(out, number <= CARDS_MOST ? "<a href=\"#D%zu\">D%zu</a>" : "D%zu", number, number);
  text_add(out, "</td><td>");
  add_name(loop, out);
  text_add(out, "</td><td class=\"place\">");
  add_place(loop, out);
  text_format(out, "</td><td class=\"verdict %s\">", class_of(loop->verdict));
  html_text(out, diff_verdict_name(loop->verdict));
  text_add(out, "</td>");
  const struct diff_outcome *mean = &loop->mean;
  add_number(out, mean->is_known, mean->change,
             mean->is_known ? diff_change(mean->change).data : "");
  text_add(out, "<td>");
  if (mean->is_known)
    svg_change(out, mean, range, dot_class(loop->verdict));
  else
    html_text(out, loop->reason);
  text_add(out, "</td>");
  struct quantity total = loop->total_change_ns;
  bool has_total = mean->is_known && total.status == QUANTITY_OK;
  struct text words = {0};
  if (has_total)
    text_printf(&words, "%s%s", total.value < 0 ? "-" : "+",
                units_duration(fabs(total.value)).data);
  add_number(out, has_total, has_total ? total.value : 0, text_get(&words));
  text_release(&words);
  add_mean(out, &loop->a);
  add_mean(out, &loop->b);
  const struct diff_loop_side *side = loop->b.loop ? &loop->b : &loop->a;
  add_number(out, true, side->executions, units_count(side->executions).data);
  text_add(out, "</tr>\n");
}

/// What holds all intervals, within reason.
static double range_of(const struct diff *diff) {
  double range = RANGE_LEAST;
  for (size_t i = 0; i < diff->count; i++) {
    const struct diff_outcome *mean = &diff->loops[i].mean;
    bool is_told = diff->loops[i].verdict <= DIFF_SAME;
    if (mean->is_known && is_told)
      range = fmax(range, 1.1 * fabs(mean->change));
  }
  return fmin(range, RANGE_MOST);
}

static void add_table(const struct diff *diff, double range, struct text *out) {
  static const struct {
    const char *title, *help;
    bool is_number;
  } columns[] = {
      {"#", "number", false},
      {"loop", "function, or region or iteration", false},
      {"place", "in the source of B", false},
      {"verdict", "of B against A", false},
      {"change", "of the mean duration, B against A", true},
      {"95 % interval", "of the change; shaded: too small to be reported", false},
      {"total", "change of the loop's time a run", true},
      {"mean A", "of one execution", true},
      {"mean B", "of one execution", true},
      {"executions", "a run of B", true},
  };
  text_format(
      out, "<h2>Loops, B against A</h2>\n<p class=\"faint\">The axis of the intervals goes from ");
  html_text(out, diff_change(-range).data);
  text_add(out, " to ");
  html_text(out, diff_change(range).data);
  text_add(out, "; left of the line B is faster.</p>\n");
  text_add(out, "<div class=\"scroll\" role=\"region\" aria-label=\"Loops\" "
                "tabindex=\"0\"><table><thead><tr>");
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    text_format(out, "<th scope=\"col\"%s title=\"",
                columns[i].is_number ? " class=\"number\"" : "");
    html_text(out, columns[i].help);
    text_add(out, "\">");
    html_text(out, columns[i].title);
    text_add(out, "</th>");
  }
  text_add(out, "</tr></thead><tbody>\n");
  for (size_t i = 0; i < diff->count; i++)
    add_row(&diff->loops[i], i + 1, range, out);
  text_add(out, "</tbody></table></div>\n");
}

// --- cards -------------------------------------------------------------------------------------

static void add_sides(const struct diff_loop *loop, struct text *out) {
  const struct diff_loop_side *const sides[] = {&loop->a, &loop->b};
  text_add(out, "<table class=\"sides\" aria-label=\"Both sides\"><thead><tr><th "
                "scope=\"col\"><span class=\"unseen\">of one side</span></th><th scope=\"col\" "
                "class=\"number\">A</th>"
                "<th scope=\"col\" class=\"number\">B</th></tr></thead><tbody>");
  static const char *const names[] = {"executions a run", "mean", "p50", "p95", "total a run"};
  for (size_t row = 0; row < sizeof names / sizeof *names; row++) {
    text_format(out, "<tr><th scope=\"row\">%s</th>", names[row]);
    for (size_t i = 0; i < 2; i++) {
      const struct quantity of[] = {
          {0}, sides[i]->mean_ns, sides[i]->p50_ns, sides[i]->stats.p95_ns, sides[i]->total_ns};
      text_add(out, "<td class=\"number\">");
      if (!sides[i]->loop)
        text_add(out, "-");
      else if (row == 0)
        html_text(out, units_count(sides[i]->executions).data);
      else
        html_quantity(out, of[row], "ns");
      text_add(out, "</td>");
    }
    text_add(out, "</tr>");
  }
  text_add(out, "</tbody></table>\n");
}

static void add_card(const struct comparison *c, const struct diff_loop *loop, size_t number,
                     struct text *out) {
  struct text work = {0};
  struct loop_plot a = {0}, b = {0};
  text_format(out, "<section class=\"card\" id=\"D%zu\"><h3>D%zu ", number, number);
  add_name(loop, out);
  text_format(out, " <span class=\"%s\">%s</span></h3>\n<p class=\"place\">",
              class_of(loop->verdict), diff_verdict_name(loop->verdict));
  add_place(loop, out);
  text_add(out, "</p>\n<p>");
  if (loop->mean.is_known)
    html_printf(out, "mean %s (%s), median %s: ", diff_change(loop->mean.change).data,
                diff_interval(&loop->mean).data, diff_change(loop->median.change).data);
  html_text(out, loop->reason);
  diff_work_words(loop, &work);
  if (work.length)
    html_printf(out, ". %s", text_get(&work));
  text_add(out, "</p>\n<div class=\"plots\"><figure>");
  if (loop->a.loop)
    loop_plot_get(&c->a.merged.env, loop->a.loop, &a);
  if (loop->b.loop)
    loop_plot_get(&c->b.merged.env, loop->b.loop, &b);
  svg_durations_pair(out, &a, &b, loop->a.p50_ns, loop->b.p50_ns);
  text_add(out, "<figcaption>Executions by duration, A above, B below; lines: the medians. Heights "
                "are roots of "
                "the parts, so that what is rare can be seen.</figcaption></figure>\n<div>");
  add_sides(loop, out);
  text_add(out, "</div></div></section>\n");
  loop_plot_release(&a);
  loop_plot_release(&b);
  text_release(&work);
}

void diff_page_add(const struct comparison *c, struct text *out) {
  struct page_nonce nonce = page_nonce_new();
  struct text floor = {0}, turns = {0}, verdicts = {0};
  double range = range_of(&c->diff);
  page_begin("Difference", &nonce, out);
  text_add(out, "<main>\n<header><h1>B against A: ");
  diff_verdicts_words(c->diff.verdicts, &verdicts);
  html_text(out, text_get(&verdicts));
  text_add(out, "</h1></header>\n<div class=\"pair\">\n");
  add_side(&c->a, "A", out);
  add_side(&c->b, "B", out);
  text_add(out, "</div>\n");
  add_doubts(c, out);
  diff_design_words(c, &floor, &turns);
  text_add(out, "<p class=\"faint\">");
  html_printf(out, "%s; %s.", text_get(&turns), text_get(&floor));
  text_add(out, "</p>\n");
  if (c->diff.count)
    add_table(&c->diff, range, out);
  else
    text_add(out, "<p>no loop could be compared</p>\n");
  for (size_t i = 0; i < c->diff.count && i < CARDS_MOST; i++)
    add_card(c, &c->diff.loops[i], i + 1, out);
  text_add(out, "</main>\n");
  page_end(&nonce, out);
  text_release(&floor);
  text_release(&turns);
  text_release(&verdicts);
}
