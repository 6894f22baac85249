// sample_report.c - prints SAMPLES: how they were taken, load files, functions, inlined copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/sample_report.h"
#include "tools/support/names.h"

#include "tools/render/text/stalls_table.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <string.h>

/// Copies that are named below a function, each with at least this part of its time.
#define COPIES_MOST 3
#define COPY_LEAST 0.1

static const struct table_column file_columns[] = {
    {"", false, 16, true},
    {"share", true, 0, false},
    {"95 %", false, 0, false},
    {"samples", true, 0, false},
};
static const struct table_column function_columns[] = {
    {"", false, 16, false},          {"share", true, 0, false}, {"95 %", false, 0, false},
    {"samples", true, 0, false},     {"file", false, 8, true},  {"hottest line", false, 10, true},
    {"of function", true, 0, false},
};

/// Why perf_event_open could not be used, with the fix.
static void add_denied(uint32_t error, struct text *out) {
  switch (error) {
  case 1: // EPERM: 13 is EACCES, and so on; a profile may come from another system
    text_add(out, "perf_event_open is denied (EPERM: seccomp of a container, or "
                  "perf_event_mlock_kb used up)");
    break;
  case 13:
    text_add(out, "perf_event_open is denied (EACCES: sysctl kernel.perf_event_paranoid=2)");
    break;
  case 38:
    text_add(out, "perf_event_open is missing (ENOSYS)");
    break;
  case 125:
    text_add(out, "option sample_perf=0");
    break;
  default:
    text_printf(out, "perf_event_open failed (errno %u)", error);
  }
}

static void add_engine(const struct profile_sampling *s, struct text *out) {
  struct units period = units_duration((double)s->period_ns);
  switch (s->engine) {
  case RETICLE_SAMPLING_PERF:
    text_printf(out, "the kernel's CPU clock, every %s", period.data);
    break;
  case RETICLE_SAMPLING_TIMER: {
    uint64_t user = s->samples - s->kernel;
    text_printf(out, "timers and signals, every %s, as ",
                units_duration(user ? (double)s->time_ns / (double)user : 0).data);
    add_denied(s->perf_errno, out);
    break;
  }
  default:
    text_add(out, "none: timers can't be made, and ");
    add_denied(s->perf_errno, out);
  }
}

/// How many samples there are, of how much CPU time, and how they were taken.
static void add_origin(const struct measurement *m, const struct terminal *terminal,
                       struct text *out) {
  const struct profile *profile = &m->input.profile;
  uint64_t cpu_ns = 0;
  for (size_t i = 0; i < profile->sampling_count; i++)
    cpu_ns += profile->sampling[i].cpu_ns;
  terminal_add(terminal, out, STYLE_HEADING, "SAMPLES");
  text_printf(out, "  %s, for %s of CPU time in user mode", units_exact(m->samples.all).data,
              units_duration((double)m->samples.all_ns).data);
  if (cpu_ns)
    text_printf(out, " (the kernel counts %s)", units_duration((double)cpu_ns).data);
  text_add(out, "\n");
  for (size_t i = 0; i < profile->sampling_count; i++) {
    struct text line = {0};
    add_engine(&profile->sampling[i], &line);
    text_add(out, "  ");
    text_add_wrapped(out, text_get(&line), 2, 4, terminal->width);
    text_add(out, "\n");
    text_release(&line);
  }
}

static void add_share(struct table *table, struct quantity share) {
  table_add(table, STYLE_PLAIN, units_share(share.value).data);
  table_printf(table, STYLE_FAINT, "%.1f to %.1f %%", 100 * share.low, 100 * share.high);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static void add_files(const struct measurement *m, const struct terminal *terminal,
                      struct text *out) {
  struct table table;
  table_init(&table, file_columns, sizeof(file_columns) / sizeof(*file_columns));
  // Few, so the largest is looked for each time.
  uint64_t last_ns = UINT64_MAX;
  size_t last = 0;
  for (size_t shown = 0; shown < m->samples.file_count; shown++) {
    const struct sampled_file *best = NULL;
    for (size_t i = 0; i < m->samples.file_count; i++) {
      const struct sampled_file *f = &m->samples.files[i];
      bool comes_later = f->time_ns < last_ns || (f->time_ns == last_ns && i > last);
      if (f->samples && comes_later && (!best || f->time_ns > best->time_ns))
        best = f;
    }
    if (!best)
      break;
    last_ns = best->time_ns;
    last = (size_t)(best - m->samples.files);
    table_add(&table, STYLE_PLAIN, best->file->path);
    add_share(&table, samples_share(&m->samples, best->time_ns));
    table_add(&table, STYLE_FAINT, units_exact(best->samples).data);
  }
  table_print(&table, terminal, "LOAD FILES", out);
  table_release(&table);
}

static void add_copies(const struct sampled_function *f, struct table *table) {
  for (size_t i = 0; i < f->copy_count && i < COPIES_MOST; i++) {
    const struct sampled_copy *copy = &f->copies[i];
    if ((double)copy->time_ns < COPY_LEAST * (double)f->time_ns)
      break;
    table_printf(table, STYLE_FAINT, "  inlined: %s", copy->name);
    struct text text = {0};
    text_printf(&text, "%.0f %% of it", 100 * (double)copy->time_ns / (double)f->time_ns);
    table_add(table, STYLE_FAINT, "");
    table_add_tail(table, STYLE_FAINT, text_get(&text));
    text_release(&text);
  }
}

static void add_functions(const struct measurement *m, size_t most, const struct terminal *terminal,
                          struct text *out) {
  struct table table;
  table_init(&table, function_columns, sizeof(function_columns) / sizeof(*function_columns));
  size_t shown = smaller(most, m->samples.function_count);
  for (size_t i = 0; i < shown; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    table_add(&table, *f->symbol ? STYLE_PLAIN : STYLE_FAINT, f->name);
    add_share(&table, samples_share(&m->samples, f->time_ns));
    table_add(&table, STYLE_FAINT, units_exact(f->samples).data);
    table_add(&table, STYLE_FAINT, base_name(m->samples.files[f->file].file->path));
    if (f->line) {
      table_printf(&table, STYLE_PLAIN, "%s:%u", base_name(f->source), f->line);
      table_printf(&table, STYLE_FAINT, "%.0f %%", 100 * (double)f->line_ns / (double)f->time_ns);
    } else {
      table_add(&table, STYLE_FAINT, "");
      table_add(&table, STYLE_FAINT, "");
    }
    add_copies(f, &table);
  }
  table_print(&table, terminal, "FUNCTIONS by samples", out);
  table_release(&table);
  if (shown < m->samples.function_count)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n",
                    m->samples.function_count - shown);
}

static double percent(uint64_t part, uint64_t all) {
  return all ? 100 * (double)part / (double)all : 0;
}

/// What the samples add up to, and what there was besides.
static void add_tally(const struct measurement *m, const struct terminal *terminal,
                      struct text *out) {
  const struct samples *s = &m->samples;
  struct text line = {0};
  text_printf(&line, "tally: %.1f %% in functions with a name, %.1f %% without, %.1f %% in no file",
              percent(s->named_ns, s->all_ns), percent(s->nameless_ns, s->all_ns),
              percent(s->unmapped_ns, s->all_ns));
  if (s->no_room)
    text_printf(&line, ", %s samples without a place in a full table",
                units_exact(s->no_room).data);
  if (s->lost)
    text_printf(&line, "; %s lost in full rings", units_exact(s->lost).data);
  if (s->kernel)
    text_printf(&line, "; besides, %s samples in the kernel", units_exact(s->kernel).data);
  text_add(out, "  ");
  text_add_wrapped(out, text_get(&line), 2, 4, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

static void add_none(const struct measurement *m, const struct terminal *terminal,
                     struct text *out) {
  struct text why = {0};
  static const char heading[] = "no samples: ";
  terminal_add(terminal, out, STYLE_BAD, heading);
  if (!m->samples.taken)
    text_add(&why, "run it with RETICLE_OPTIONS=sample=1");
  else if (m->input.profile.sampling[0].engine == RETICLE_SAMPLING_NONE)
    add_engine(&m->input.profile.sampling[0], &why);
  else
    text_printf(&why,
                "the process took less than %s of CPU time in user mode; let it do more "
                "work, or raise sample_hz",
                units_duration((double)m->input.profile.sampling[0].period_ns).data);
  text_add_wrapped(out, text_get(&why), strlen(heading), 2, terminal->width);
  text_add(out, "\n");
  text_release(&why);
}

void sample_report_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                       struct text *out) {
  if (!m->samples.all) {
    add_none(m, terminal, out);
    return;
  }
  add_origin(m, terminal, out);
  add_files(m, terminal, out);
  add_functions(m, most, terminal, out);
  add_tally(m, terminal, out);
  stalls_add(m, most, terminal, out);
}
