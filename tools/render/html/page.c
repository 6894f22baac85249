// page.c - navigation and sections of the page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/page.h"

#include "tools/model/study/study_view.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_frame.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *command_of(const struct measurement *m) {
  const struct profile_env *env = &m->input.profile.env;
  return *env->arguments ? env->arguments : env->executable;
}

/// Whether a section has rows.
static bool has_rows(const struct section *section, const struct report *report) {
  struct row_cursor cursor = {0};
  return section->walk(report, &cursor);
}

/// The parts of the page, in order.
static const struct {
  const char *id, *title;
  const struct section *section; ///< that has rows where the part is there; null: always
  void (*add)(const struct report *report, struct text *out);
} parts[] = {
    {"pays", "What pays", &section_trials, page_changes_add},
    {"do", "What to do", NULL, page_findings_add},
    {"loops", "Loops", &section_loops, page_loops_add},
    {"structs", "Structs", &section_structs, page_structs_add},
    {"heap", "Heap", &section_sites, page_sites_add},
    {"calls", "Call tree", &section_calls, page_calls_add},
    {"code", "Code", &section_functions, page_code_add},
    {"blocks", "Blocks", &section_blocks, page_blocks_add},
    {"topdown", "Top-down", &section_topdown, page_topdown_add},
    {"waits", "Waits", &section_waits, page_waits_add},
    {"how", "How it was measured", NULL, page_method_add},
};
#define PARTS (sizeof parts / sizeof *parts)

static void add_navigation(const struct report *report, struct text *out) {
  text_add(out, "<nav aria-label=\"Sections\"><ul>");
  for (size_t i = 0; i < PARTS; i++)
    if (!parts[i].section || has_rows(parts[i].section, report))
      text_format(out, "<li><a href=\"#%s\">%s</a></li>", parts[i].id, parts[i].title);
  text_add(out, "</ul></nav>\n");
}

/// How it was built, and of which sources.
static void add_study(const struct study_view *view, struct text *out) {
  if (*view->build) {
    text_add(out, "<br>built by <code>");
    html_text(out, view->build);
    text_add(out, "</code>");
  }
  if (*view->commit) {
    text_add(out, *view->build ? ", " : "<br>");
    html_printf(out, "commit %.10s%s", view->commit,
                strchr(view->commit, '+') ? " with changes" : "");
  }
}

static void add_title(const struct report *report, struct text *out) {
  const struct measurement *m = report->m;
  const struct profile *profile = &m->input.profile;
  text_add(out, "<header><h1>");
  html_text(out, command_of(m));
  text_add(out, "</h1><p>");
  if (m->overview.elapsed_ns.status == QUANTITY_OK)
    html_printf(out, "%s wall clock", units_duration(m->overview.elapsed_ns.value).data);
  if (profile->merged_count > 1)
    html_printf(out, ", %zu runs merged", profile->merged_count);
  html_printf(out, " on %s, %s", profile->env.host, profile->env.cpu_model);
  if (profile->object_count)
    html_printf(out, ", %s", profile->objects[0].compiler);
  html_printf(out, "; Reticle %s", profile->env.runtime_version);
  if (profile->env.start_time_s)
    html_printf(out, ", %s", units_utc(profile->env.start_time_s).data);
  if (m->input.study)
    add_study(study_view_get(m), out);
  text_add(out, "</p></header>\n");
}

void page_link(const struct measurement *m, const char *id, struct text *out) {
  size_t rank = strlen(id) > 1 ? strtoul(id + 1, NULL, 10) : 0;
  bool has_card = (*id == 'L' && rank <= m->loop_count && rank <= PAGE_CARDS && rank &&
                   m->loops[rank - 1].stats.executions) ||
                  (*id == 'S' && rank <= m->structs.accessed && rank <= PAGE_CARDS);
  if (rank && has_card)
    text_format(out, "<a href=\"#%c%zu\">%c%zu</a>", *id, rank, *id, rank);
  else
    html_text(out, id);
}

void page_share(struct quantity share, struct text *out) {
  html_quantity(out, share, "share");
  if (share.status == QUANTITY_OK)
    svg_share(out, share.value, "c1");
}

/// JSON inside of a script: what could end the script is an escape of JSON.
static void add_json(const char *json, const struct page_nonce *nonce, struct text *out) {
  text_format(out, "<script type=\"application/json\" id=\"report\" nonce=\"%s\">\n", nonce->hex);
  for (const char *at = json; *at;) {
    size_t plain = strcspn(at, "<>&");
    text_add_bytes(out, at, plain);
    at += plain;
    if (*at)
      text_format(out, "\\u%04x", (unsigned)(unsigned char)*at++);
  }
  text_add(out, "</script>\n");
}

void html_page_add(const struct report *report, const char *json, struct text *out) {
  struct page_nonce nonce = page_nonce_new();
  page_begin(base_name(report->m->input.profile.env.executable), &nonce, out);
  add_navigation(report, out);
  text_add(out, "<main>\n");
  add_title(report, out);
  for (size_t i = 0; i < PARTS; i++)
    parts[i].add(report, out);
  text_add(out, "</main>\n");
  if (*json)
    add_json(json, &nonce, out);
  page_end(&nonce, out);
}
