// site_table.c - see site_table.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/site_table.h"

#include "tools/binary/demangle.h"
#include "tools/cmd/json_quantity.h"
#include "tools/cmd/names.h"
#include "tools/cmd/sharing_show.h"
#include "tools/cmd/site_type.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct table_column columns[] = {
    {"", false, 0, false},      {"", false, 24, false},      {"type", false, 10, false},
    {"peak", true, 0, false},   {"objects", true, 0, false}, {"life", true, 0, false},
    {"useful", true, 0, false}, {"ever", true, 0, false},    {"waste", true, 0, false},
};

static const char *state_gap(const struct profile_shadow *shadow) {
  switch (shadow->state) {
  case RETICLE_SHADOW_ON:
    return "";
  case RETICLE_SHADOW_OFF:
    return "the run had RETICLE_OPTIONS=shadow=0, or wasn't measured at all";
  case RETICLE_SHADOW_NO_PLANE:
    return shadow->error == 17 // EEXIST; a profile may come from another system
               ? "something was mapped at the addresses of the marks, 0x7fff7000 to 0x20007fff8000"
               : "32 TB of addresses could not be reserved (ulimit -v, or vm.overcommit_memory=2): "
                 "run it with ulimit -v unlimited";
  case RETICLE_SHADOW_NO_SAMPLER:
    return "the kernel doesn't say which pages have marks (PAGEMAP_SCAN, Linux 6.7)";
  default:
    return "of a state that this version doesn't know";
  }
}

const char *site_gap(const struct measurement *m) {
  if (!m->sites.marked)
    return "the program was compiled without the feature shadow; compile with "
           "-fplugin-arg-reticle-features=loop,shadow";
  const char *gap = "";
  for (size_t i = 0; i < m->input.profile.shadow_count; i++) {
    gap = state_gap(&m->input.profile.shadow[i]);
    if (!*gap)
      break;
  }
  if (!*gap && !m->sites.count)
    return "no allocation came by, and there is no global variable of 64 bytes or more";
  return gap;
}

static void add_caller(const struct site_caller *caller, struct text *out) {
  text_add_name(out, caller->function);
  if (*caller->file && caller->line)
    text_printf(out, " %s:%u", base_name(caller->file), caller->line);
}

const char *site_kind_name(uint32_t kind) {
  return kind == RETICLE_SITE_GLOBAL ? "global" : kind == RETICLE_SITE_MMAP ? "mmap" : "heap";
}

/// "vtable for ns::Base": the linkage name as the source spells it. What optimisers put behind a
/// dot stays.
static void add_global(const char *linkage, struct text *out) {
  size_t length = strcspn(linkage, ".");
  char *base = strndup(linkage, length), *name = base ? demangle(base) : NULL;
  if (!name)
    memory_exhausted();
  text_printf(out, "%s%s", name, linkage + length);
  free(name);
  free(base);
}

void site_add_name(const struct measurement *m, const struct site_use *use, struct text *out) {
  const struct profile_site *site = use->record;
  if (site->kind == RETICLE_SITE_GLOBAL) {
    add_global(site->name, out);
    if (*site->file && site->line)
      text_printf(out, " %s:%u", base_name(site->file), site->line);
    return;
  }
  struct site_caller *callers;
  size_t count = site_callers(&m->site_names, use, &callers);
  if (!count)
    text_add(out, "?");
  for (size_t i = 0; i < count && i < 3; i++) {
    if (i)
      text_add(out, " < ");
    if (i < 2)
      add_caller(&callers[i], out);
    else
      text_add_name(out, callers[i].function);
  }
  site_callers_free(callers, count);
}

static void add_share(struct table *table, struct quantity share) {
  if (share.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_share(share.value).data);
  else
    table_add(table, STYLE_FAINT, "none");
}

static void add_row(const struct measurement *m, struct table *table, size_t i) {
  const struct site_use *use = &m->sites.sites[i];
  struct text name = {0};
  table_printf(table, STYLE_HEADING, "A%zu", i + 1);
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
  table_add(table, STYLE_PLAIN, units_bytes((double)use->record->peak_bytes).data);
  table_add(table, STYLE_PLAIN, units_count((double)use->record->objects).data);
  table_add(table, STYLE_PLAIN,
            use->lifetime_ns.status == QUANTITY_OK ? units_duration(use->lifetime_ns.value).data
                                                   : "");
  add_share(table, use->useful_share);
  add_share(table, use->ever_share);
  if (use->wasted_bytes.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_bytes(use->wasted_bytes.value).data);
  else
    table_add(table, STYLE_FAINT, "none");
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
                "-fplugin-arg-reticle-duty=1",
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
static void add_honesty(const struct measurement *m, const struct terminal *terminal,
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
  table_init(&table, columns, sizeof columns / sizeof *columns);
  size_t shown = m->sites.count < most ? m->sites.count : most;
  for (size_t i = 0; i < shown; i++)
    add_row(m, &table, i);
  table_print(&table, terminal, "HEAP AND GLOBALS by wasted bytes", out);
  table_release(&table);
  if (shown < m->sites.count)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n", m->sites.count - shown);
  add_honesty(m, terminal, out);
}

size_t site_find(const struct site_uses *uses, const char *name) {
  char *end;
  if (name[0] != 'A' || name[1] < '1' || name[1] > '9')
    return 0;
  unsigned long long rank = strtoull(name + 1, &end, 10);
  return !*end && rank <= uses->count ? (size_t)rank : 0;
}

size_t site_rank(const struct site_uses *uses, uint64_t id) {
  for (size_t i = 0; i < uses->count; i++)
    if (uses->sites[i].record->id == id)
      return i + 1;
  return 0;
}

static void put_stack(const struct measurement *m, const struct site_use *use, struct json *site) {
  struct json *stack = json_put(site, "stack", json_array_new());
  struct site_caller *callers;
  size_t count = site_callers(&m->site_names, use, &callers);
  for (size_t i = 0; i < count; i++) {
    struct json *json = json_append(stack, json_object_new());
    json_put_text(json, "function", callers[i].function);
    json_put_text(json, "file", callers[i].file);
    json_put_count(json, "line", callers[i].line);
  }
  site_callers_free(callers, count);
}

/// Reads and writes: null where they weren't told apart.
static void put_words(const struct site_use *use, bool has_kinds, struct json *site) {
  struct json *words = json_put(site, "words", json_array_new());
  for (size_t i = 0; i < use->word_count; i++) {
    struct json *json = json_append(words, json_object_new());
    json_put_count(json, "offset", 4 * (uint64_t)use->words[i].word);
    json_put_count(json, "objects", use->words[i].objects);
    json_put_count(json, "heat", use->words[i].heat);
    if (has_kinds) {
      json_put_count(json, "reads", use->words[i].reads);
      json_put_count(json, "writes", use->words[i].writes);
    } else {
      json_put_null(json, "reads");
      json_put_null(json, "writes");
    }
  }
}

static void put_type(const struct measurement *m, const struct site_use *use, struct json *site) {
  struct site_type type = site_type_find(m, use);
  struct text name = {0};
  site_type_add_name(&type, &name);
  if (type.status == SITE_TYPE_UNKNOWN)
    json_put_null(site, "type");
  else
    json_put_text(site, "type", text_get(&name));
  json_put_text_or_null(site, "type_reason", type.reason);
  text_release(&name);
}

static void put_site(const struct measurement *m, size_t i, struct json *sites) {
  const struct site_use *use = &m->sites.sites[i];
  const struct profile_site *record = use->record;
  struct json *site = json_append(sites, json_object_new());
  struct text text = {0};
  text_printf(&text, "A%zu", i + 1);
  json_put_text(site, "id", text_get(&text));
  text_clear(&text);
  text_printf(&text, "%016llx", (unsigned long long)record->id);
  json_put_text(site, "stable_id", text_get(&text));
  text_clear(&text);
  json_put_text(site, "kind", site_kind_name(record->kind));
  site_add_name(m, use, &text);
  json_put_text(site, "name", text_get(&text));
  text_release(&text);
  put_stack(m, use, site);
  put_type(m, use, site);
  json_put_count(site, "objects", record->objects);
  json_put_number(site, "objects_error", use->objects_error);
  json_put_count(site, "live_objects", record->live_objects);
  json_put_count(site, "touched_objects", record->touched_objects);
  json_put_count(site, "bytes", record->bytes);
  json_put_count(site, "peak_bytes", record->peak_bytes);
  json_put_count(site, "min_bytes", record->min_bytes);
  json_put_count(site, "max_bytes", record->max_bytes);
  json_put_quantity(site, "lifetime", use->lifetime_ns, "ns");
  json_put_quantity(site, "useful_share", use->useful_share, "share");
  json_put_quantity(site, "ever_share", use->ever_share, "share");
  json_put_quantity(site, "wasted_bytes", use->wasted_bytes, "bytes");
  if (use->stride_bytes) {
    json_put_count(site, "stride_bytes", use->stride_bytes);
    json_put_count(site, "stride_used_bytes", use->stride_used_bytes);
  } else {
    json_put_null(site, "stride_bytes");
    json_put_null(site, "stride_used_bytes");
  }
  json_put_quantity(site, "unread_bytes", use->unread_bytes, "bytes");
  put_words(use, m->sharing.measured, site);
  sharing_json_put(m, use, site);
}

void site_json_put(const struct measurement *m, size_t only, struct json *report) {
  struct json *sites = json_put(report, "sites", json_array_new());
  for (size_t i = 0; !*site_gap(m) && i < m->sites.count; i++)
    if (!only || i + 1 == only)
      put_site(m, i, sites);
  struct json *coverage = json_put(report, "site_coverage", json_object_new());
  json_put_bool(coverage, "marked", m->sites.marked);
  json_put_text_or_null(coverage, "reason", site_gap(m));
  json_put_count(coverage, "samples", m->sites.samples);
  json_put_number_or_null(coverage, "scan_share", m->sites.scan_share);
  json_put_number_or_null(coverage, "marked_share",
                          m->sites.code_all
                              ? (double)m->sites.code_marked / (double)m->sites.code_all
                              : __builtin_nan(""));
  sharing_json_put_coverage(m, report);
  // Without bursts the program marks all the time.
  json_put_number(coverage, "duty", m->sites.in_bursts ? m->sites.duty : 1);
  if (m->sites.in_bursts)
    json_put_count(coverage, "bursts", m->sites.bursts);
  else
    json_put_null(coverage, "bursts");
  json_put_number_or_null(coverage, "burst_share", m->sites.burst_share);
  json_put_count(coverage, "objects_every", m->sites.every);
  json_put_number_or_null(coverage, "copied_share",
                          m->sites.code_marked
                              ? (double)m->sites.code_copied / (double)m->sites.code_marked
                              : __builtin_nan(""));
}
