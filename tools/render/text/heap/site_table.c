// site_table.c - prints the table of sites by waste, and how much of the run it covers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/heap/site_table.h"

#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/model/heap/site_type.h"
#include "tools/render/text/section_table.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>

static const struct shown_column columns[] = {
    {.key = "id"},           {.narrowest = 24} /* name */, {.key = "type", .narrowest = 10},
    {.key = "peak_bytes"},   {.key = "objects"},           {.key = "lifetime"},
    {.key = "useful_share"}, {.key = "ever_share"},        {.key = "wasted_bytes"},
};
#define COLUMNS (sizeof columns / sizeof *columns)

/// Columns that stand as they are, behind name and type.
static const struct {
  const char *key, *missing;
} numbers[] = {{"peak_bytes", ""},       {"objects", ""},        {"lifetime", ""},
               {"useful_share", "none"}, {"ever_share", "none"}, {"wasted_bytes", "none"}};

static void add_row(const struct measurement *m, struct table *table, size_t i) {
  const struct site_use *use = &m->sites.sites[i];
  struct text name = {0};
  section_cell(table, &section_sites, "id", m, use, STYLE_HEADING, "");
  text_add(&name, use->record->kind == RETICLE_SITE_GLOBAL ? "global "
                  : use->record->kind == RETICLE_SITE_MMAP ? "mmap "
                                                           : "");
  site_add_name(m, use, &name);
  table_add(table, STYLE_PLAIN, text_get(&name));
  text_clear(&name);
  struct site_type type = site_type_find(m, use);
  site_type_add_name(&type, &name);
  table_add(table, type.status == SITE_TYPE_KNOWN ? STYLE_PLAIN : STYLE_FAINT, text_get(&name));
  text_release(&name);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    section_cell(table, &section_sites, numbers[k].key, m, use, STYLE_PLAIN, numbers[k].missing);
}

/// From so many on nine or ten of the ten worst sites are those of a run that marks all the time
/// (docs/method/shadow.md).
enum { BURSTS_ENOUGH = 40 };

/// To be typed next.
static void add_few_bursts(const struct site_uses *uses, struct text *line) {
  double factor = (double)BURSTS_ENOUGH / (double)uses->bursts;
  if (factor <= 1)
    return;
  text_printf(line,
              ": with fewer than %d bursts the order of sites is rough; run %.0f times as long",
              BURSTS_ENOUGH, ceil(factor));
  if (uses->duty * factor <= 1)
    text_printf(line, ", or with duty=%.0f%%", ceil(100 * uses->duty * factor));
}

static void add_bursts(const struct site_uses *uses, struct text *line) {
  if (!uses->bursts)
    text_add(line,
             "no burst took place, so that what was touched isn't known: the program ended before "
             "the first; let it run longer, or raise duty= or shadow_hz= in RETICLE_OPTIONS");
  else
    text_printf(line, "marked in %s bursts of %s", units_exact(uses->bursts).data,
                units_duration(uses->burst_ns).data);
  if (uses->bursts && uses->burst_share == uses->burst_share)
    text_printf(line, ", %s of the time", units_share(uses->burst_share).data);
  if (uses->bursts)
    text_add(line,
             ": useful, ever and waste are of these, and what was touched at other times isn't "
             "known");
  if (uses->bursts)
    add_few_bursts(uses, line);
  double marked = (double)uses->code_marked, unfit = (double)uses->code_unfit;
  if (uses->code_unfit)
    text_printf(line,
                "; %s of the marks have no effect, as their code was compiled without "
                "-fplugin-arg-reticle-shadow=bursts",
                units_share(unfit / marked).data);
  if (uses->code_copied + uses->code_unfit < uses->code_marked)
    text_printf(line,
                "; %s of the marks cost outside of bursts, too, as their code can't be copied",
                units_share((marked - unfit - (double)uses->code_copied) / marked).data);
  text_add(line, "; ");
}

static void add_drawn(uint32_t every, struct text *line) {
  enum { EXAMPLE_OBJECTS = 10000 };
  if (every <= 1)
    return;
  text_printf(
      line,
      "one in %u objects below 1 KiB was looked at, at random, and stands for the others: "
      "objects and bytes are estimates, of a site of %s objects within %s, and sites of few "
      "may be missing; shadow_objects=1 looks at each; ",
      every, units_exact(EXAMPLE_OBJECTS).data,
      units_share(site_objects_error(EXAMPLE_OBJECTS, every) / EXAMPLE_OBJECTS).data);
}

/// How far the numbers can be trusted.
static void add_coverage_note(const struct measurement *m, const struct terminal *terminal,
                              struct text *out) {
  const struct site_uses *uses = &m->sites;
  struct text line = {0};
  if (uses->in_bursts)
    add_bursts(uses, &line);
  add_drawn(uses->every, &line);
  text_printf(&line, "sampled %s times", units_exact(uses->samples).data);
  if (uses->scan_share == uses->scan_share)
    text_printf(&line, " (%s of the time of one processor)", units_share(uses->scan_share).data);
  text_add(&line, "; useful: touched bytes of touched lines; waste: the others of these; both "
                  "each interval anew; ever: in an object's life at once; none: not touched");
  if (uses->code_all)
    text_printf(&line, "; %s of the code's accesses outside the stack are marked",
                units_share((double)uses->code_marked / (double)uses->code_all).data);
  for (size_t i = 0; i < m->input.profile.shadow_count; i++) {
    const struct profile_shadow *shadow = &m->input.profile.shadow[i];
    if (shadow->sites_state == RETICLE_SITES_OTHER_ALLOCATOR)
      text_add(&line, "; malloc is not glibc's: allocations have no sites");
    else if (shadow->sites_state == RETICLE_SITES_NONE)
      text_add(&line,
               "; no allocation came by (a static program, or one with a malloc of its own): "
               "allocations have no sites");
    if (shadow->no_room)
      text_printf(&line, "; %s allocations found no place in the table of sites",
                  units_exact(shadow->no_room).data);
  }
  text_add(out, "  ");
  text_add_wrapped(out, text_get(&line), 2, 4, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

void site_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                    struct text *out) {
  const char *gap = site_gap(m);
  if (*gap) {
    static const char start[] = "no allocation site was measured: ";
    terminal_add(terminal, out, STYLE_BAD, start);
    text_add_wrapped(out, gap, sizeof start - 1, 2, terminal->width);
    text_add(out, "\n");
    return;
  }
  struct table table;
  struct table_column made[COLUMNS];
  section_table_init(&table, &section_sites, columns, COLUMNS, made);
  size_t shown = m->sites.count < most ? m->sites.count : most;
  for (size_t i = 0; i < shown; i++)
    add_row(m, &table, i);
  table_print(&table, terminal, "HEAP AND GLOBALS by wasted bytes", out);
  table_release(&table);
  if (shown < m->sites.count)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n", m->sites.count - shown);
  add_coverage_note(m, terminal, out);
}
