// sample_report.c - prints SAMPLES: how they were taken, load files, functions, inlined copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/sample/sample_report.h"
#include "tools/render/text/sample/call_table.h"
#include "tools/render/text/section_table.h"
#include "tools/support/names.h"

#include "tools/render/text/block/stalls_table.h"
#include "tools/support/units.h"

#include <string.h>

/// Copies that are named below a function, each with at least this part of its time.
#define COPIES_MOST 3
#define COPY_LEAST 0.1

static const struct shown_column file_columns[] = {
    {.key = "path", .narrowest = 16, .keep_end = true},
    {.key = "share"},
    {.title = "95 %"},
    {.key = "samples"},
};
#define FILE_COLUMNS (sizeof file_columns / sizeof *file_columns)
static const struct shown_column function_columns[] = {
    {.key = "function", .narrowest = 16},
    {.key = "share"},
    {.title = "95 %"},
    {.key = "samples"},
    {.key = "loadfile", .narrowest = 8, .keep_end = true},
    {.title = "hottest line", .narrowest = 10, .keep_end = true},
    {.title = "of function", .right = true},
};
#define FUNCTION_COLUMNS (sizeof function_columns / sizeof *function_columns)

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

/// One row for all of Reticle's own functions; none without samples in them.
static void add_own(const struct measurement *m, size_t columns, struct table *table) {
  if (!m->samples.own)
    return;
  table_add(table, STYLE_FAINT, "(instrumentation)");
  add_share(table, samples_share(&m->samples, m->samples.own_ns));
  table_add(table, STYLE_FAINT, units_exact(m->samples.own).data);
  for (size_t i = 4; i < columns; i++)
    table_add(table, STYLE_FAINT, "");
}

static void add_files(const struct measurement *m, const struct terminal *terminal,
                      struct text *out) {
  struct table table;
  struct table_column made[FILE_COLUMNS];
  section_table_init(&table, &section_loadfiles, file_columns, FILE_COLUMNS, made);
  // Few, so the largest is looked for each time.
  uint64_t last_ns = UINT64_MAX;
  size_t last = 0;
  for (size_t shown = 0; shown < m->samples.file_count; shown++) {
    const struct sampled_file *best = NULL;
    for (size_t i = 0; i < m->samples.file_count; i++) {
      const struct sampled_file *f = &m->samples.files[i];
      uint64_t time_ns = f->time_ns - f->own_ns;
      bool comes_later = time_ns < last_ns || (time_ns == last_ns && i > last);
      if (f->samples > f->own && comes_later && (!best || time_ns > best->time_ns - best->own_ns))
        best = f;
    }
    if (!best)
      break;
    last_ns = best->time_ns - best->own_ns;
    last = (size_t)(best - m->samples.files);
    table_add(&table, STYLE_PLAIN, best->file->path);
    add_share(&table, samples_share(&m->samples, last_ns));
    table_add(&table, STYLE_FAINT, units_exact(best->samples - best->own).data);
  }
  add_own(m, FILE_COLUMNS, &table);
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

static void add_function(const struct measurement *m, const struct sampled_function *f,
                         struct table *table) {
  table_add(table, *f->symbol ? STYLE_PLAIN : STYLE_FAINT, f->name);
  add_share(table, samples_share(&m->samples, f->time_ns));
  table_add(table, STYLE_FAINT, units_exact(f->samples).data);
  table_add(table, STYLE_FAINT, base_name(m->samples.files[f->file].file->path));
  if (f->line) {
    table_printf(table, STYLE_PLAIN, "%s:%u", base_name(f->source), f->line);
    table_printf(table, STYLE_FAINT, "%.0f %%", 100 * (double)f->line_ns / (double)f->time_ns);
  } else {
    table_add(table, STYLE_FAINT, "");
    table_add(table, STYLE_FAINT, "");
  }
  add_copies(f, table);
}

/// One row for each library of MPI and OpenMP, in place of functions that mostly have no name.
static bool add_runtime(const struct measurement *m, enum sampled_runtime runtime,
                        struct table *table) {
  uint64_t samples = m->samples.runtime[runtime];
  if (!samples)
    return false;
  table_add(table, STYLE_FAINT, sampled_runtime_words(runtime));
  add_share(table, samples_share(&m->samples, m->samples.runtime_ns[runtime]));
  table_add(table, STYLE_FAINT, units_exact(samples).data);
  for (size_t i = 4; i < FUNCTION_COLUMNS; i++)
    table_add(table, STYLE_FAINT, "");
  return true;
}

static void add_functions(const struct measurement *m, size_t most, const struct terminal *terminal,
                          struct text *out) {
  struct table table;
  struct table_column made[FUNCTION_COLUMNS];
  section_table_init(&table, &section_functions, function_columns, FUNCTION_COLUMNS, made);
  size_t shown = 0, left_out = 0;
  enum sampled_runtime first = SAMPLED_MPI, second = SAMPLED_OPENMP;
  if (m->samples.runtime_ns[second] > m->samples.runtime_ns[first])
    first = SAMPLED_OPENMP, second = SAMPLED_MPI;
  enum sampled_runtime next[] = {first, second};
  size_t given = 0; // of next
  bool folds = most != SIZE_MAX;
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    for (; folds && given < 2 && shown < most && m->samples.runtime_ns[next[given]] >= f->time_ns;
         given++)
      shown += add_runtime(m, next[given], &table);
    if (f->own || (folds && m->samples.files[f->file].runtime != SAMPLED_PROGRAM))
      continue;
    if (shown < most)
      shown++, add_function(m, f, &table);
    else
      left_out++;
  }
  for (; folds && given < 2; given++)
    add_runtime(m, next[given], &table);
  add_own(m, FUNCTION_COLUMNS, &table);
  table_print(&table, terminal, "FUNCTIONS by samples", out);
  table_release(&table);
  if (left_out)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n", left_out);
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
  call_table_add(m, most > SIZE_MAX / 2 ? SIZE_MAX : 2 * most, terminal, out);
  stalls_add(m, most, terminal, out);
}
