// report.c - reticle report: the summary of one or several profiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/report.h"

#include "tools/analysis/loop/loop_rank.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/model/doctor/gap.h"
#include "tools/model/finding/finding.h"
#include "tools/model/heap/site_gap.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/rank/waits.h"
#include "tools/model/report/section.h"
#include "tools/model/struct/struct_find.h"
#include "tools/model/study/study_view.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/profile/rank.h"
#include "tools/render/csv/section_csv.h"
#include "tools/render/json/report/report_json.h"
#include "tools/render/text/block/block_report.h"
#include "tools/render/text/heap/sharing_show.h"
#include "tools/render/text/heap/site_table.h"
#include "tools/render/text/loop/loop_table.h"
#include "tools/render/text/loop/topdown_show.h"
#include "tools/render/text/rank/waits_table.h"
#include "tools/render/text/report/change_table.h"
#include "tools/render/text/report/finding_table.h"
#include "tools/render/text/report/head.h"
#include "tools/render/text/report/losses.h"
#include "tools/render/text/report/next_commands.h"
#include "tools/render/text/report/quickfix.h"
#include "tools/render/text/report/screen.h"
#include "tools/render/text/report/study_page.h"
#include "tools/render/text/sample/sample_report.h"
#include "tools/render/text/struct/struct_table.h"
#include "tools/run/child/live.h"
#include "tools/store/profile_list.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Loops in a text report, unless --top or --all says otherwise.
#define TOP_DEFAULT 20
#define TOP_FINDINGS 5

enum { SHARE_CPU, SHARE_WALL };

static const char *order_name(const struct measurement *m, unsigned sort) {
  switch ((enum loop_key)sort) {
  case LOOP_KEY_LOST:
    return "time lost to variation";
  case LOOP_KEY_SHARE:
    return m->shares_wall ? "share of the threads' wall-clock time" : "share of CPU time";
  case LOOP_KEY_P50:
    return "median duration";
  case LOOP_KEY_RUNS:
    return "executions";
  }
  return "number";
}

static void add_heading(const struct measurement *m, unsigned sort, struct text *out) {
  bool regions = false;
  for (size_t i = 0; i < m->loop_count; i++)
    regions |= m->loops[i].region != NULL;
  text_printf(out, "LOOPS%s by %s", regions ? " AND REGIONS" : "", order_name(m, sort));
}

/// The loops to show, in order.
///
/// rows  gets [result] positions; the caller frees it
/// left  gets how many entered loops are not among them
static size_t choose_rows(const struct measurement *m, const struct report_options *options,
                          size_t **rows, size_t *left) {
  const struct loop_stats **stats = memory_zeroed(m->loop_count + 1, sizeof(*stats));
  struct loop_stats *keys = memory_zeroed(m->loop_count + 1, sizeof(*keys));
  *rows = memory_zeroed(m->loop_count + 1, sizeof(**rows));
  for (size_t i = 0; i < m->loop_count; i++) {
    keys[i] = m->loops[i].stats;
    keys[i].total_ns = m->loops[i].share; // by the share that is shown
    stats[i] = &keys[i];
  }
  loop_order(stats, m->loop_count, (enum loop_key)options->sort, *rows);
  uint64_t most = options->top ? options->top : TOP_DEFAULT;
  if (options->all || (options->json && !options->top))
    most = UINT64_MAX;
  size_t shown = 0;
  *left = 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    size_t position = (*rows)[i];
    bool entered = stats[position]->executions > 0;
    if ((entered || options->all) && shown < most)
      (*rows)[shown++] = position;
    else
      *left += entered;
  }
  free(keys);
  free(stats);
  return shown;
}

static void add_next(const struct measurement *m, const size_t *rows, size_t row_count,
                     const struct terminal *terminal, struct text *out) {
  struct text command = {0};
  if (row_count && m->overview.gap == OVERVIEW_MEASURED) {
    text_printf(&command, "reticle show L%zu", m->loops[rows[0]].rank);
    input_add_operands(&m->input, &command);
  } else {
    text_printf(&command, "reticle doctor %s", m->input.profile.env.executable);
  }
  text_add(out, "next: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&command);
}

static void add_left(const struct measurement *m, size_t left, const struct terminal *terminal,
                     struct text *out) {
  if (!left)
    return;
  struct text line = {0};
  text_printf(&line, "  and %zu more: reticle report --all", left);
  input_add_operands(&m->input, &line);
  terminal_add(terminal, out, STYLE_FAINT, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
}

/// What the parts of a text report are made of.
struct shown {
  const struct measurement *m;
  const struct findings *findings;
  const struct report_options *options;
  const size_t *rows; ///< [row_count] loops to show
  size_t row_count;
  size_t left;        ///< entered loops that aren't among them
  const char *prefix; ///< of a line, at exit
  const struct terminal *terminal;
};

static bool is_all(const struct report_options *options) {
  for (size_t i = 0; i < REPORT_PARTS; i++)
    if (options->only[i])
      return false;
  return true;
}

// part_<name>_add: each adds its part, and says why where it is empty.
//
// most  rows at most

static void part_findings_add(const struct shown *s, size_t most, struct text *out) {
  bool is_asked = s->options->only[PART_findings];
  (void)most;
  if (is_asked && !s->findings->count)
    text_add(out, "no finding: nothing that was measured is worth more than 1 % of the time\n\n");
  finding_table_add(s->findings, NULL, is_asked || s->options->all ? SIZE_MAX : TOP_FINDINGS,
                    s->terminal, out);
}

static void part_loops_add(const struct shown *s, size_t most, struct text *out) {
  struct text heading = {0};
  (void)most;
  if (s->m->overview.gap != OVERVIEW_MEASURED)
    return; // the head says so
  add_heading(s->m, s->options->sort, &heading);
  loop_table_add(s->m, s->rows, s->row_count, text_get(&heading), s->terminal, out);
  text_release(&heading);
  add_left(s->m, s->left, s->terminal, out);
  text_add(out, "\n");
}

static void part_waits_add(const struct shown *s, size_t most, struct text *out) {
  const struct waits *waits = waits_get(s->m);
  if (s->options->only[PART_waits] && !waits->tally.source_count)
    text_add(out, "no wait was seen: the program used no MPI, OpenMP or locks, or was not started "
                  "by reticle run, or another tool has the calls (docs/method/ranks.md)\n\n");
  waits_table_add(waits, most, false, s->terminal, out);
}

static void part_samples_add(const struct shown *s, size_t most, struct text *out) {
  sample_report_add(s->m, most, s->terminal, out);
  text_add(out, "\n");
}

static void part_structs_add(const struct shown *s, size_t most, struct text *out) {
  struct_table_add(s->m, most, s->terminal, out);
  text_add(out, "\n");
}

static void part_heap_add(const struct shown *s, size_t most, struct text *out) {
  site_table_add(s->m, most, s->terminal, out);
  if (!*site_gap(s->m) && (s->options->only[PART_heap] || s->m->sharing.measured))
    sharing_table_add(s->m, most, s->terminal, out);
  text_add(out, "\n");
}

static void part_blocks_add(const struct shown *s, size_t most, struct text *out) {
  block_report_add(s->m, most, s->terminal, out);
  text_add(out, "\n");
}

static void part_topdown_add(const struct shown *s, size_t most, struct text *out) {
  topdown_view_add(s->m, topdown_view_get(s->m), most, s->terminal, out);
  text_add(out, "\n");
}

static void add_part(const struct shown *s, enum report_part part, struct text *out) {
  static void (*const add[])(const struct shown *, size_t, struct text *) = {
#define PART(name, most, help) part_##name##_add,
#include "tools/model/report/parts.def"
  };
  const struct report_options *options = s->options;
  bool is_asked = options->only[part];
  if (!is_asked && (!is_all(options) || !part_is_shown(s->m, part)))
    return;
  uint64_t most = options->top ? options->top : is_asked ? TOP_DEFAULT : part_most(part);
  add[part](s, options->all ? SIZE_MAX : (size_t)most, out);
}

/// Why no loop was timed, where loops are shown.
static void add_gap(const struct shown *s, struct text *out) {
  struct text reason = {0};
  gap_add(&s->m->overview, &reason);
  if (reason.length && (s->options->only[PART_loops] || is_all(s->options))) {
    text_add(out, s->prefix);
    terminal_add(s->terminal, out, STYLE_BAD, "no loop was timed: ");
    text_add_wrapped(out, text_get(&reason), strlen(s->prefix) + strlen("no loop was timed: "), 2,
                     s->terminal->width);
  }
  text_add(out, "\n");
  text_release(&reason);
}

/// Whether one screen is what was asked for, and something says what to put on it.
static bool is_screen(const struct shown *s) {
  const struct report_options *options = s->options;
  bool is_known =
      s->m->input.study ? s->m->samples.all > 0 : s->m->overview.gap == OVERVIEW_MEASURED;
  return is_known && is_all(options) && !options->all && !options->top && !options->sort &&
         !options->share;
}

static void add_text_report(const struct shown *s, struct text *out) {
  const struct measurement *m = s->m;
  if (is_screen(s)) {
    screen_add(m, s->findings, s->terminal, s->prefix, out);
    return;
  }
  if (m->input.study && is_all(s->options)) {
    study_page_head_add(m, study_view_get(m), s->findings, s->terminal, out);
    change_table_add(m, s->options->all, s->terminal, out);
    finding_table_add(s->findings, NULL, s->options->all ? SIZE_MAX : TOP_FINDINGS, s->terminal,
                      out);
    study_page_tail_add(m, s->findings, s->terminal, out);
  }
  head_add(m, s->terminal, s->prefix, out);
  if (m->input.study && !is_all(s->options))
    study_page_doubts_add(study_view_get(m), s->terminal, out);
  add_gap(s, out);
  for (int part = 0; part < REPORT_PARTS; part++)
    add_part(s, (enum report_part)part, out);
  losses_add(&m->input.profile.health, s->terminal, "", out);
  next_commands_add_ranks(m, s->terminal, out);
  add_next(m, s->rows, s->row_count, s->terminal, out);
}

/// The section of --csv; null after saying which there are.
static const struct section *csv_section(const char *name) {
  const struct section *found = section_find(name);
  if (found)
    return found;
  struct text names = {0};
  for (size_t i = 0; sections[i]; i++)
    text_printf(&names, "%s%s", i ? ", " : "", sections[i]->key);
  message_error("report: --csv takes one of %s; not '%s'", text_get(&names), name);
  text_release(&names);
  return NULL;
}

static void report_add(const struct measurement *m, const struct findings *findings,
                       const struct report_options *options, const struct terminal *terminal,
                       struct text *out) {
  size_t *rows;
  struct text prefix = {0};
  if (options->at_exit)
    text_printf(&prefix, "reticle[%llu] ", (unsigned long long)m->input.profile.env.pid);
  struct shown s = {.m = m,
                    .findings = findings,
                    .options = options,
                    .terminal = terminal,
                    .prefix = text_get(&prefix)};
  s.row_count = choose_rows(m, options, &rows, &s.left);
  s.rows = rows;
  add_text_report(&s, out);
  free(rows);
  text_release(&prefix);
}

/// Whether the profile has something of the parts that were asked for: at least of one.
static bool has_asked(const struct measurement *m, const struct report_options *options) {
  bool has = is_all(options);
  for (int part = 0; part < REPORT_PARTS && !has; part++)
    has = options->only[part] && part_has_something(m, (enum report_part)part);
  return has;
}

static bool write_text(const struct text *text, FILE *stream) {
  return fwrite(text_get(text), 1, text->length, stream) == text->length && fflush(stream) == 0;
}

/// Writes the form that was asked for. False, with errno set, if it could not all be written.
static bool write_report(const struct measurement *m, const struct findings *findings,
                         const struct section *csv, const struct report_options *options,
                         FILE *stream) {
  struct text out = {0};
  if (options->json) {
    size_t *rows, left;
    size_t row_count = choose_rows(m, options, &rows, &left);
    bool written = report_json_write(m, findings, rows, row_count, NULL, stream);
    free(rows);
    return written;
  }
  if (options->quickfix) {
    quickfix_add(findings, &out);
  } else if (csv) {
    section_csv_add(csv, &(struct report){m, findings}, &out);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stream));
    report_add(m, findings, options, &terminal, &out);
  }
  bool written = write_text(&out, stream);
  text_release(&out);
  return written;
}

/// Waits for the time that was asked for, and loads what the process did in it.
static int load_since(const char *operand, double seconds, struct measurement *m) {
  struct live live;
  *m = (struct measurement){0};
  bool fine = live_open(operand, &live, problems_shown()) && live_mark(&live);
  if (fine)
    message_note("report: what %s does in %g s", live.path, seconds);
  int status =
      fine && live_wait(&live, seconds)
          ? exit_status(measurement_load_interval(live.name, live.path, m, problems_shown()))
          : EXIT_UNREADABLE;
  live_close(&live);
  return status;
}

int report_print(char *const *paths, size_t count, const struct report_options *options,
                 FILE *stream) {
  const struct section *csv = options->csv ? csv_section(options->csv) : NULL;
  if (options->csv && !csv)
    return EXIT_USAGE;
  struct measurement measurement;
  int status = options->since ? load_since(paths[0], units_seconds(options->since), &measurement)
                              : exit_status(measurement_load_counted(
                                    paths, count, options->counts, &measurement, problems_shown()));
  if (status != EXIT_FINE) {
    measurement_release(&measurement);
    return status;
  }
  if (measurement.input.candidates)
    message_note("reads %s, the newest of %zu here", measurement.input.paths[0],
                 measurement.input.candidates);
  if (options->share == SHARE_WALL)
    measurement_share_wall(&measurement);
  struct findings findings;
  findings_make(&measurement, &findings);
  if (options->html) {
    if (!report_html_write(&measurement, &findings, options->html))
      status = EXIT_UNREADABLE;
  } else if (!write_report(&measurement, &findings, csv, options, stream)) {
    message_error("report: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  } else if (!options->json && !options->quickfix && !csv && !has_asked(&measurement, options)) {
    status = EXIT_UNREADABLE; // what it lacks stands in the section
  }
  findings_release(&findings);
  measurement_release(&measurement);
  return status;
}

static const struct option_spec options[] = {
    {"counts", 0, OPTION_TEXT, "FILE", offsetof(struct report_options, counts),
     "counts of blocks from this profile of another build (features=loop,block), laid over F by "
     "its labels"},
    {"since", 0, OPTION_TEXT, "TIME", offsetof(struct report_options, since),
     "of a running process, by its id in place of F: what it does in the next 60s, 5m or 2h alone"},
    {"html", 0, OPTION_TEXT, "FILE", offsetof(struct report_options, html),
     "everything as a page in one file, for a browser; it needs no network"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct report_options, json),
     "JSON on stdout (schema reticle-report/1) with all loops that were entered"},
    {"csv", 0, OPTION_TEXT, "SECTION", offsetof(struct report_options, csv),
     "one section as comma-separated values on stdout, all rows: "
#define SECTION(key) #key ", "
#include "tools/model/report/sections.def"
     "as docs/columns.md has them"},
    {"quickfix", 0, OPTION_FLAG, NULL, offsetof(struct report_options, quickfix),
     "findings as a compiler's warnings, FILE:LINE: a line each, for editors"},
    {"rank", 0, OPTION_TEXT, "N", offsetof(struct report_options, rank),
     "of the profiles of a parallel job, that of rank N alone; F may be their folder"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct report_options, all),
     "every loop, also those that were never entered"},
    {"top", 'n', OPTION_POSITIVE, "N", offsetof(struct report_options, top),
     "N loops at most (default 20)"},
    {"share", 0, OPTION_CHOICE, "cpu|wall", offsetof(struct report_options, share),
     "loops' shares of the CPU time (the default), or of the wall-clock time that threads lived"},
    {"sort", 's', OPTION_CHOICE, "lost|share|p50|runs", offsetof(struct report_options, sort),
     "what the largest of comes first (default lost: time lost to variation); ids stay the same"},
#define PART(name, most, help)                                                                     \
  {#name, 0, OPTION_FLAG, NULL, offsetof(struct report_options, only[PART_##name]), help},
#include "tools/model/report/parts.def"
    {"at-exit", 0, OPTION_FLAG, NULL, offsetof(struct report_options, at_exit), NULL},
};

static int print_rank(const struct command *command, char *const *operands, size_t count,
                      const struct report_options *chosen) {
  char *end;
  unsigned long long rank = strtoull(chosen->rank, &end, 10);
  if (chosen->rank[0] < '0' || chosen->rank[0] > '9' || *end || rank >= PROFILE_RANK_UNKNOWN)
    return options_misuse(command, "--rank takes the number of a rank, from 0, not '%s'",
                          chosen->rank);
  if (!count || chosen->since)
    return options_misuse(command, "--rank takes the profiles of a job, or their folder");
  struct profile_list list;
  int status = profile_list_make("report", operands, count, &list, problems_shown()) &&
                       profile_list_choose_rank("report", (uint32_t)rank, &list, problems_shown())
                   ? report_print(list.paths, list.count, chosen, stdout)
                   : EXIT_UNREADABLE;
  profile_list_release(&list);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct report_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (chosen.since && (operands != 1 || chosen.counts))
    return options_misuse(command, "--since takes one process id, or one profile, and no --counts");
  if (chosen.since && units_seconds(chosen.since) == 0)
    return options_misuse(command, "--since takes a time as in 90s, 5m or 2h, not '%s'",
                          chosen.since);
  return chosen.rank ? print_rank(command, argv + 1, (size_t)operands, &chosen)
                     : report_print(argv + 1, (size_t)operands, &chosen, stdout);
}

const struct command command_report = {
    .name = "report",
    .operands = "[F...]",
    .summary = "where the time of a run went, and which loops run unsteadily",
    .details = "F are profile files; several are merged. Without F the newest reticle.*.prof of "
               "the current directory is read.",
    .examples =
        (const struct command_example[]){
            {"reticle report", "the newest profile here"},
            {"reticle report --sort share --top 5 app.prof",
             "the five loops that take most of the time"},
            {"reticle report --rank 3 profiles", "one rank of a job that wrote into this folder"},
            {"reticle report --csv loops app.reticle", "the loops of a study, for a spreadsheet"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
