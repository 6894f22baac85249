// study_page.c - prints time, worth and builds of a study, and what was not found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/study_page.h"

#include "tools/model/finding/finding_worth.h"
#include "tools/model/trial/program_trials.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <string.h>

static void add_wrapped(const char *label, const struct text *text, enum style style,
                        const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  text_add_wrapped(&line, text_get(text), strlen(label), 2, terminal->width);
  terminal_add(terminal, out, style, label);
  text_add(out, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
}

static struct units seconds(double s) { return units_duration(s * 1e9); }

static void add_worth(const struct measurement *m, const struct findings *findings,
                      struct text *out) {
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++)
    count += findings->items[i].proof != FINDING_REFUTED;
  const struct program_trials *trials = program_trials_get(m);
  if (trials->are_there && trials->paying) {
    text_printf(out, trials->paying == 1 ? "%zu change pays" : "%zu changes pay", trials->paying);
    if (trials->together.status == QUANTITY_OK)
      text_printf(out, ": %s of its CPU time (measured); ",
                  units_share(trials->together.value).data);
    else
      text_printf(out, ", %s alone %s of its CPU time (measured); ", trials->items[0].id,
                  units_share(trials->items[0].saved.value).data);
  }
  double worth = findings_worth(m, findings, false);
  double proven = findings_worth(m, findings, true);
  if (!count)
    text_add(out, "no finding");
  else
    text_printf(out, "%s", units_counted(count, "finding").data);
  if (worth < FINDINGS_WORTH_LEAST)
    return;
  text_printf(out, ", together about %s of its CPU time", units_share(worth).data);
  if (!trials->are_there)
    text_printf(out, " (%s tried)", proven > 0 ? units_share(proven).data : "none of it");
}

/// "timing 1.03x, counts 1.21x of plain's CPU time"
static void add_builds(const struct study_view *view, struct text *out) {
  for (size_t i = 0; i < view->count; i++) {
    const struct study_view_build *build = &view->builds[i];
    text_printf(out, "%s%s", i ? ", " : "", build->name);
    if (!build->runs)
      text_add(out, " not run");
    else if (build == view->plain)
      text_printf(out, " %s of CPU time", seconds(build->cpu_s.value).data);
    else if (build->cost.status == QUANTITY_OK)
      text_printf(out, " %.2fx", build->cost.value);
    if (build->runs)
      text_printf(out, " (%s%s)", units_counted(build->runs, "run").data,
                  build->is_ended ? ", ended early" : "");
  }
  text_printf(out, "; builds took %s wall clock, runs %s", seconds(view->builds_s).data,
              seconds(view->runs_s).data);
}

/// Programs shown that the runs left profiles of, too.
#define OTHERS_MOST 3

static void add_others(const struct study_view *view, struct text *out) {
  for (size_t i = 0; i < view->other_count && i < OTHERS_MOST; i++)
    text_printf(out, "%s%s (%s of CPU time)", i ? ", " : "", base_name(view->others[i].path),
                seconds(view->others[i].cpu_s).data);
  if (view->other_count > OTHERS_MOST)
    text_printf(out, " and %zu more", view->other_count - OTHERS_MOST);
  if (view->other_count)
    text_printf(out, ": reticle report %s@%s", view->path, base_name(view->others[0].path));
}

void study_page_doubts_add(const struct study_view *view, const struct terminal *terminal,
                           struct text *out) {
  struct text line = {0};
  if (view->plain && !view->is_repeatable) {
    text_add(&line, "runs of the plain build print different things: whether the builds do the "
                    "same can't be told from it");
    add_wrapped("warning: ", &line, STYLE_CAUTION, terminal, out);
  }
  text_clear(&line);
  study_view_add_failure(view, &line);
  if (line.length)
    add_wrapped("warning: ", &line, STYLE_CAUTION, terminal, out);
  for (size_t i = 0; i < view->count; i++) {
    const struct study_view_build *build = &view->builds[i];
    text_clear(&line);
    if (build->is_other_output)
      text_printf(&line, "the build '%s' prints something else than the plain one: %s", build->name,
                  text_get(&view->difference));
    else if (view->plain && build->runs && build->status != view->plain->status)
      text_printf(&line, "the build '%s' ends with another status than the plain one", build->name);
    if (line.length)
      add_wrapped("warning: ", &line, STYLE_CAUTION, terminal, out);
    text_clear(&line);
    if (build->is_other_speed)
      text_printf(&line,
                  "the build '%s' takes %.2f times the plain one (%.2f to %.2f): its code lies at "
                  "other addresses, at which short loops may run at another speed, or was compiled "
                  "otherwise beside gates and regions by hand; times and cycles below are that "
                  "build's",
                  build->name, build->cost.value, build->cost.low, build->cost.high);
    if (line.length)
      add_wrapped("warning: ", &line, STYLE_CAUTION, terminal, out);
  }
  text_release(&line);
}

void study_page_head_add(const struct measurement *m, const struct study_view *view,
                         const struct findings *findings, const struct terminal *terminal,
                         struct text *out) {
  struct text line = {0}, wrapped = {0};
  const struct profile_env *env = &m->input.profile.env;
  text_printf(&line, "%s", *env->arguments ? env->arguments : env->executable);
  if (view->plain && view->plain->runs)
    text_printf(&line, ", %s wall clock", seconds(view->plain->wall_s.value).data);
  text_add(&line, ": ");
  add_worth(m, findings, &line);
  text_add_wrapped(&wrapped, text_get(&line), 0, 2, terminal->width);
  terminal_add(terminal, out, STYLE_HEADING, text_get(&wrapped));
  text_add(out, "\n");
  text_release(&wrapped);
  text_clear(&line);
  add_builds(view, &line);
  add_wrapped("builds ", &line, STYLE_FAINT, terminal, out);
  text_clear(&line);
  if (view->loops_without_gates)
    text_printf(&line,
                "%s over in some tens of ns, as gates would slow the timing build down: the "
                "time is in the loops around and in samples",
                units_counted(view->loops_without_gates, "loop").data);
  if (line.length)
    add_wrapped("without gates: ", &line, STYLE_FAINT, terminal, out);
  text_clear(&line);
  add_others(view, &line);
  if (line.length)
    add_wrapped("also measured: ", &line, STYLE_FAINT, terminal, out);
  text_release(&line);
  study_page_doubts_add(view, terminal, out);
  text_add(out, "\n");
}

/// What a part of the page says, if anything; brief: what fits a line.
static void add_line(const char *label, const struct text *text, bool is_brief, enum style style,
                     const struct terminal *terminal, struct text *out) {
  if (!text->length)
    return;
  if (!is_brief) {
    add_wrapped(label, text, style, terminal, out);
    return;
  }
  terminal_add(terminal, out, style, label);
  text_add_cut(out, text_get(text), strlen(label), terminal->width);
  text_add(out, "\n");
}

static void add_tail(const struct measurement *m, const struct findings *findings, bool is_brief,
                     const struct terminal *terminal, struct text *out) {
  struct text absent = {0}, unknown = {0};
  findings_add_absent(m, findings, &absent);
  findings_add_unknown(m, &unknown);
  add_line("nothing found: ", &absent, is_brief, STYLE_GOOD, terminal, out);
  add_line("not known: ", &unknown, is_brief, STYLE_CAUTION, terminal, out);
  if (absent.length || unknown.length || !is_brief)
    text_add(out, "\n");
  text_release(&absent);
  text_release(&unknown);
}

void study_page_tail_add(const struct measurement *m, const struct findings *findings,
                         const struct terminal *terminal, struct text *out) {
  add_tail(m, findings, false, terminal, out);
}

void study_page_tail_brief_add(const struct measurement *m, const struct findings *findings,
                               const struct terminal *terminal, struct text *out) {
  add_tail(m, findings, true, terminal, out);
}
