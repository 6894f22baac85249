// head.c - prints program, compiler, machine, floor, probe share, coverage and notes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/head.h"

#include "tools/model/measurement/environment.h"
#include "tools/model/measurement/load.h"
#include "tools/model/rank/rank_names.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

/// Longest command line that is shown in full.
#define COMMAND_COLUMNS 40
/// Lines that don't fit go on below, indented.
#define CONTINUATION 2
#define PARTS_MAX 12
/// Part of the time from which on other programs' pressure is shown.
#define PRESSURE_SHOWN 0.05

/// One line of the head: parts three blanks apart, broken between parts where it gets too wide.
struct head_line {
  struct text parts[PARTS_MAX];
  enum style styles[PARTS_MAX];
  size_t count;
};

static struct text *add_part(struct head_line *line, enum style style) {
  line->styles[line->count] = style;
  return &line->parts[line->count++];
}

/// Adds a string in lines of the terminal's width; those behind the first get the prefix, too.
///
/// column  where it begins
static void add_lines(const char *string, enum style style, size_t column,
                      const struct terminal *terminal, const char *prefix, struct text *out) {
  struct text lines = {0};
  size_t before = text_width(prefix);
  size_t width = terminal->width > before ? terminal->width - before : 1;
  text_add_wrapped(&lines, string, column - before, CONTINUATION, width);
  for (const char *line = text_get(&lines), *end; line; line = *end ? end + 1 : NULL) {
    end = line + strcspn(line, "\n");
    terminal_printf(terminal, out, style, "%.*s", (int)(end - line), line);
    if (*end)
      text_printf(out, "\n%s", prefix);
  }
  text_release(&lines);
}

static void print_line(struct head_line *line, const struct terminal *terminal, const char *prefix,
                       struct text *out) {
  size_t column = text_width(prefix);
  text_add(out, prefix);
  for (size_t i = 0; i < line->count; i++) {
    const char *part = text_get(&line->parts[i]);
    size_t width = text_width(part);
    if (i && column + 3 + width > terminal->width) {
      text_printf(out, "\n%s%*s", prefix, CONTINUATION, "");
      column = text_width(prefix) + CONTINUATION;
    } else if (i) {
      text_add(out, "   ");
      column += 3;
    }
    if (column + width > terminal->width)
      add_lines(part, line->styles[i], column, terminal, prefix, out);
    else
      terminal_add(terminal, out, line->styles[i], part);
    column += width;
    text_release(&line->parts[i]);
  }
  text_add(out, "\n");
  line->count = 0;
}

static void add_program(const struct measurement *m, struct text *out) {
  const struct profile_env *env = &m->input.profile.env;
  const char *command = *env->arguments ? env->arguments : env->executable;
  struct text shown = {0};
  text_add_name(&shown, command);
  if (text_width(text_get(&shown)) <= COMMAND_COLUMNS) {
    text_add(out, text_get(&shown));
  } else {
    text_add_bytes(out, text_get(&shown), text_prefix(text_get(&shown), COMMAND_COLUMNS - 4));
    text_add(out, " ...");
  }
  text_release(&shown);
  text_add(out, "  ");
  if (m->overview.elapsed_ns.status == QUANTITY_OK)
    text_printf(out, "%s wall clock", units_duration(m->overview.elapsed_ns.value).data);
  else
    text_add(out, "unknown time");
  if (m->overview.stopped_ns.status == QUANTITY_OK && m->overview.stopped_ns.value > 0)
    text_printf(out, ", stopped for %s of it", units_duration(m->overview.stopped_ns.value).data);
  // Of a study the runs are alike: threads of one of them.
  uint64_t runs = m->input.study ? m->input.profile.merged_count : 1;
  uint64_t threads = (env->thread_count + runs - 1) / runs;
  if (threads > 1)
    text_printf(out, ", %s", units_counted(threads, "thread").data);
  if (m->input.profile.merged_count > 1)
    text_printf(out, ", %zu runs merged", m->input.profile.merged_count);
}

static void add_part_of_time(struct head_line *line, const char *what, struct quantity time,
                             struct quantity of) {
  struct text *out = add_part(line, STYLE_PLAIN);
  if (time.status != QUANTITY_OK) {
    text_printf(out, "%s: not measured (%s)", what, time.reason);
    return;
  }
  text_printf(out, "%s %s", what, units_duration(time.value).data);
  if (of.status == QUANTITY_OK && of.value > 0)
    text_printf(out, " (%s)", units_share(time.value / of.value).data);
}

/// Where the time went; nothing in a profile that doesn't say.
static void add_account(const struct measurement *m, struct head_line *line) {
  const struct account *a = &m->account;
  if (a->no_counts)
    return;
  struct text *cpu = add_part(line, STYLE_PLAIN);
  double cpu_ns = a->user_ns.value + a->system_ns.value;
  bool is_known = a->threads_ns.status == QUANTITY_OK && a->threads_ns.value > 0;
  if (is_known && m->input.profile.env.thread_count > 1)
    text_printf(cpu, "of %s of all threads: ", units_duration(a->threads_ns.value).data);
  text_printf(cpu, "CPU %s", units_duration(cpu_ns).data);
  if (is_known)
    text_printf(cpu, " (user %s, system %s)",
                units_share(a->user_ns.value / a->threads_ns.value).data,
                units_share(a->system_ns.value / a->threads_ns.value).data);
  add_part_of_time(line, "waited for a CPU", a->runnable_ns, a->threads_ns);
  if (a->blocked_ns.status == QUANTITY_OK)
    add_part_of_time(line, "blocked", a->blocked_ns, a->threads_ns);
  if (a->stopped_ns.status == QUANTITY_OK && a->stopped_ns.value > 0)
    add_part_of_time(line, "stopped", a->stopped_ns, a->threads_ns);
  if (a->stolen_ns.status == QUANTITY_OK && a->stolen_ns.value > 0)
    text_printf(add_part(line, STYLE_PLAIN), "stolen from the machine %s",
                units_duration(a->stolen_ns.value).data);
  struct text *counts = add_part(line, STYLE_PLAIN);
  text_printf(counts, "page faults %s",
              units_count((double)a->minor_faults + (double)a->major_faults).data);
  if (a->major_faults)
    text_printf(counts, " (%s from disk)", units_count((double)a->major_faults).data);
  text_printf(counts, ", switches %s", units_count((double)a->switches).data);
  if (a->has_migrations)
    text_printf(counts, ", migrations %s", units_count((double)a->migrations).data);
  if (a->forks) {
    text_printf(counts, ", forks %s, %s", units_count((double)a->forks).data,
                units_duration(a->fork_ns.value).data);
    if (a->forks > 1)
      text_printf(counts, " (the longest %s)", units_duration(a->fork_longest_ns.value).data);
  }
}

/// What the cgroup's quota and other programs took, where that is worth a word.
static void add_pressure(const struct measurement *m, struct head_line *line) {
  const struct pressure *p = &m->pressure;
  double elapsed_ns = m->overview.elapsed_ns.value;
  if (p->throttled) {
    struct text *out = add_part(line, STYLE_CAUTION);
    text_printf(out, "throttled %s times, %s", units_count((double)p->throttled).data,
                units_duration(p->throttled_ns.value).data);
    if (p->quota.status == QUANTITY_OK)
      text_printf(out, ", by a quota of %.3g CPUs", p->quota.value);
  }
  const struct {
    const char *name;
    struct quantity time;
  } of[] = {{"CPU", p->cpu_ns}, {"memory", p->memory_ns}, {"I/O", p->io_ns}};
  struct text *out = NULL;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    if (of[i].time.status != QUANTITY_OK || !(elapsed_ns > 0) ||
        !(of[i].time.value >= PRESSURE_SHOWN * elapsed_ns))
      continue;
    const char *before = ", ";
    if (!out) {
      out = add_part(line, STYLE_PLAIN);
      before = "pressure of the machine: ";
    }
    text_printf(out, "%s%s %s", before, of[i].name,
                units_share(fmin(1, of[i].time.value / elapsed_ns)).data);
  }
  if (p->huge_misses)
    text_printf(add_part(line, STYLE_PLAIN), "no huge page at %s of %s faults of the machine",
                units_count((double)p->huge_misses).data,
                units_count((double)p->huge_misses + (double)p->huge_pages).data);
  if (p->compactions)
    text_printf(add_part(line, STYLE_PLAIN), "memory compactions %s",
                units_count((double)p->compactions).data);
}

static const char *level_name(uint32_t level) {
  static const char *const names[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"};
  return level < sizeof(names) / sizeof(names[0]) ? names[level] : "-O?";
}

/// Compiler and optimisation level of the first object, and how many differ from it.
static void add_compiler(const struct profile *profile, struct text *out) {
  if (!profile->object_count)
    return;
  const struct profile_object *first = &profile->objects[0];
  size_t others = 0;
  for (size_t i = 1; i < profile->object_count; i++)
    others += profile->objects[i].opt_level != first->opt_level ||
              strcmp(profile->objects[i].compiler, first->compiler) != 0;
  text_printf(out, "%s %s", first->compiler, level_name(first->opt_level));
  if (others)
    text_printf(out, " (%s otherwise)", units_counted(others, "object").data);
}

static void add_machine(const struct measurement *m, struct text *out) {
  const struct profile_env *env = &m->input.profile.env;
  char name[160];
  cpu_short_name(env->cpu_model, env->hypervisor, name, sizeof(name));
  text_add_name(out, name);
  bool scripted = env->timer_flags & RETICLE_TIMER_SCRIPTED;
  if (env->timer_hz)
    text_printf(out, ", %s %.3f GHz",
                scripted                       ? "scripted clock"
                : strstr(env->timer, "cntvct") ? "counter"
                                               : "TSC",
                (double)env->timer_hz / 1e9);
  if (m->overview.step_ns.status == QUANTITY_OK)
    text_printf(out, ", tick %.1f ns", m->overview.step_ns.value);
  else
    text_add(out, ", tick unknown");
  if (env->timer_flags & RETICLE_TIMER_BURST)
    text_printf(out, ", burst=1%s",
                env->timer_flags & RETICLE_TIMER_BURST_IDLE ? " (of no use: fine tick)" : "");
}

static void add_floor(const struct measurement *m, struct text *out) {
  const struct timing_floor *floor = &m->floor;
  if (m->floor_source == FLOOR_NONE) {
    text_printf(out, "timer floor unknown: %s", floor->t_min_ns.reason);
    return;
  }
  if (floor->t_min_ns.status == QUANTITY_OK)
    text_printf(out, "timer floor %s", units_duration(floor->t_min_ns.value).data);
  else
    text_printf(out, "timer floor unknown (%s)", floor->t_min_ns.reason);
  if (floor->t_diff_ns.status == QUANTITY_OK)
    text_printf(out, ", differences %s", units_duration(floor->t_diff_ns.value).data);
  else
    text_printf(out, ", differences unknown (%s)", floor->t_diff_ns.reason);
  if (m->floor_source == FLOOR_MEASURED)
    text_add(out, " (just measured)");
  else if (floor->time_s)
    text_printf(out, " (%s old)", units_age(floor->time_s, (uint64_t)time(NULL)).data);
}

static void add_probe_share(const struct overview *overview, struct text *out) {
  if (overview->probe_share.status != QUANTITY_OK)
    text_printf(out, "probe share unknown (%s)", overview->probe_share.reason);
  else
    text_printf(out, "probe share %s (budget %g %%)", units_share(overview->probe_share.value).data,
                100 * overview->probe_budget);
  if (overview->runtime_share.status == QUANTITY_OK)
    text_printf(out, ", whole runtime %s", units_share(overview->runtime_share.value).data);
}

static void add_coverage(const struct measurement *m, struct text *out) {
  const struct coverage *coverage = &m->program.coverage;
  unsigned long long loops = m->overview.loops_probed;
  if (m->overview.gap == OVERVIEW_EPOCHS) {
    text_add(out, "closed epochs: what is instrumented is in the run's own file");
    return;
  }
  if (!m->program.covered) {
    text_printf(out, "instrumented %s, %s; of how many is not known%s",
                units_counted(m->overview.functions, "function").data,
                units_counted(loops, "loop").data,
                m->program.file ? ": the executable is stripped" : "");
    return;
  }
  text_printf(out, "instrumented %zu/%s, %s", coverage->functions_instrumented,
              units_counted(coverage->functions, "function").data,
              units_counted(loops, "loop").data);
  if (!coverage->missing_count)
    return;
  text_printf(out, "; not instrumented: %s", program_source_name(coverage->missing[0]));
  if (coverage->missing_count > 1)
    text_printf(out, " +%zu", coverage->missing_count - 1);
}

static void add_sentence(const char *label, const char *sentence, const struct terminal *terminal,
                         const char *prefix, struct text *out) {
  text_add(out, prefix);
  terminal_add(terminal, out, STYLE_CAUTION, label);
  add_lines(sentence, STYLE_PLAIN, text_width(prefix) + strlen(label), terminal, prefix, out);
  text_add(out, "\n");
}

void head_add(const struct measurement *m, const struct terminal *terminal, const char *prefix,
              struct text *out) {
  const struct profile *profile = &m->input.profile;
  struct head_line line = {0};
  add_program(m, add_part(&line, STYLE_HEADING));
  if (profile->rank_count)
    rank_names_add_job(profile, add_part(&line, STYLE_PLAIN));
  if (profile->object_count)
    add_compiler(profile, add_part(&line, STYLE_PLAIN));
  add_machine(m, add_part(&line, STYLE_PLAIN));
  print_line(&line, terminal, prefix, out);

  struct text busy = {0};
  load_add(m, &busy);
  if (busy.length)
    add_sentence("", text_get(&busy), terminal, prefix, out);
  text_release(&busy);
  add_account(m, &line);
  add_pressure(m, &line);
  if (line.count)
    print_line(&line, terminal, prefix, out);

  add_floor(m, add_part(&line, STYLE_PLAIN));
  add_probe_share(&m->overview, add_part(&line, STYLE_PLAIN));
  struct text *pmu = add_part(&line, STYLE_PLAIN);
  text_add(pmu, "PMU: ");
  environment_add_pmu(&profile->env, pmu);
  print_line(&line, terminal, prefix, out);

  add_coverage(m, add_part(&line, STYLE_PLAIN));
  if (m->program.coverage.missing_count) {
    // As it was typed, where that still finds it; the whole path otherwise.
    size_t typed = strcspn(profile->env.arguments, " ");
    bool relative = strncmp(profile->env.arguments, "./", 2) == 0;
    text_printf(add_part(&line, STYLE_COMMAND), "[reticle doctor %.*s]",
                relative ? (int)typed : (int)strlen(profile->env.executable),
                relative ? profile->env.arguments : profile->env.executable);
  }
  print_line(&line, terminal, prefix, out);
  for (size_t i = 0; i < m->notes.count; i++)
    add_sentence("warning: ", m->notes.items[i].text, terminal, prefix, out);
}
