// annotate.c - reticle annotate: source and machine code of a function, with its samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/sample_share.h"
#include "tools/binary/elf_file.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/operands.h"
#include "tools/cmd/problems.h"
#include "tools/model/block/function_code.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/sample/skid.h"
#include "tools/render/json/block/annotate_json.h"
#include "tools/render/json/sample/sample_json.h"
#include "tools/render/text/block/annotate_code.h"
#include "tools/render/text/block/annotate_source.h"
#include "tools/render/text/report/head.h"
#include "tools/render/text/sample/sample_report.h"
#include "tools/support/messages.h"
#include "tools/support/names.h"
#include "tools/support/nearest.h"
#include "tools/support/source_place.h"
#include "tools/support/units.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct annotate_options {
  const char *counts;
  bool json;
  bool all;
};

/// What is to be shown: functions of a name, those with samples on a line, or an inlined one.
struct wanted {
  const char *name;
  struct source_place place;
  bool is_place;
};

static bool is_on_line(const struct source_place *wanted, const struct sampled_place *p) {
  return p->line == wanted->line && source_place_is_in(wanted, p->source);
}

/// Time of the function's samples on the line.
static uint64_t line_ns(const struct sampled_function *f, const struct source_place *wanted) {
  uint64_t sum = 0;
  for (size_t i = 0; i < f->place_count; i++)
    if (is_on_line(wanted, &f->places[i]))
      sum += f->places[i].record->time_ns;
  return sum;
}

static bool is_wanted(const struct sampled_function *f, const struct wanted *wanted) {
  if (*f->symbol && (strcmp(f->symbol, wanted->name) == 0 || name_is_meant(f->name, wanted->name)))
    return true;
  return wanted->is_place && line_ns(f, &wanted->place);
}

/// Functions that hold copies are named, most time first, up to so many.
#define HOLDERS_SHOWN 3

/// Samples and time of the copies of that name in a function.
static struct sampled_copy copies_of(const struct sampled_function *f, const char *name) {
  struct sampled_copy sum = {0};
  for (size_t k = 0; k < f->copy_count; k++)
    if (name_is_meant(f->copies[k].name, name)) {
      sum.samples += f->copies[k].samples;
      sum.time_ns += f->copies[k].time_ns;
    }
  return sum;
}

/// The same of all functions.
static struct sampled_copy all_copies(const struct measurement *m, const char *name) {
  struct sampled_copy sum = {0};
  for (size_t i = 0; i < m->samples.function_count; i++) {
    struct sampled_copy copies = copies_of(&m->samples.functions[i], name);
    sum.samples += copies.samples;
    sum.time_ns += copies.time_ns;
  }
  return sum;
}

/// The function, other than those before, that holds most of the copies; null: there is none more.
static const struct sampled_function *next_holder(const struct measurement *m, const char *name,
                                                  const struct sampled_function *const *before,
                                                  size_t count) {
  const struct sampled_function *best = NULL;
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    bool is_new = copies_of(f, name).time_ns > (best ? copies_of(best, name).time_ns : 0);
    for (size_t k = 0; k < count; k++)
      is_new = is_new && before[k] != f;
    best = is_new ? f : best;
  }
  return best;
}

/// "outer (90 % of its time), other (10 % of its time)": the functions that it was inlined into,
/// and the command that shows the first. False: into none.
static bool add_holders(const struct measurement *m, const char *name, struct text *into,
                        struct text *next) {
  const struct sampled_function *holders[HOLDERS_SHOWN];
  double all_ns = (double)all_copies(m, name).time_ns;
  size_t count = 0;
  while (count < HOLDERS_SHOWN && (holders[count] = next_holder(m, name, holders, count)) != NULL)
    count++;
  if (!count)
    return false;
  for (size_t i = 0; i < count; i++)
    text_printf(into, "%s%s (%s of its time)", i ? ", " : "", holders[i]->name,
                units_share((double)copies_of(holders[i], name).time_ns / all_ns).data);
  text_format(next, "reticle annotate ");
  text_add_quoted(next, holders[0]->name);
  input_add_operands(&m->input, next);
  return true;
}

/// Says into which functions it was inlined, and what shows it there. False: into none.
static bool say_inlined(const struct measurement *m, const char *name) {
  struct text into = {0}, next = {0};
  if (!add_holders(m, name, &into, &next))
    return false;
  message_error("annotate: '%s' was inlined into %s: %s shows it there", name, text_get(&into),
                text_get(&next));
  text_release(&into);
  text_release(&next);
  return true;
}

/// The file, if it is stripped, in which most samples are that have no function's name.
static const char *stripped_file(const struct measurement *m) {
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    const struct sampled_file *file = &m->samples.files[f->file];
    struct elf_file *elf;
    if (*f->symbol || file->runtime != SAMPLED_PROGRAM ||
        elf_file_open(program_files_path(m->files, file->file->path), &elf) != ELF_FILE_OK)
      continue;
    bool is_stripped = !elf_file_has_section(elf, ".symtab");
    elf_file_close(elf);
    if (is_stripped)
      return file->file->path;
  }
  return NULL;
}

/// The sampled line of that file that is nearest; 0: no sample lies in the file.
static unsigned nearest_line(const struct measurement *m, const struct source_place *wanted) {
  unsigned nearest = 0, apart = UINT_MAX;
  for (size_t i = 0; i < m->samples.function_count; i++)
    for (size_t k = 0; k < m->samples.functions[i].place_count; k++) {
      const struct sampled_place *p = &m->samples.functions[i].places[k];
      unsigned gap = p->line > wanted->line ? p->line - wanted->line : wanted->line - p->line;
      if (p->line && gap < apart && source_place_is_in(wanted, p->source)) {
        nearest = p->line;
        apart = gap;
      }
    }
  return nearest;
}

static void say_no_line(const struct measurement *m, const struct source_place *wanted) {
  unsigned nearest = nearest_line(m, wanted);
  int bytes = (int)wanted->path_bytes;
  if (nearest)
    message_error("annotate: no samples on %s; the nearest ones are on %.*s:%u", wanted->text,
                  bytes, wanted->text, nearest);
  else
    message_error("annotate: no samples in a file %.*s (see: reticle report --samples)", bytes,
                  wanted->text);
}

/// Says why the function can't be shown. Returns the exit status.
static int say_missing(const struct measurement *m, const struct wanted *wanted) {
  const char *name = wanted->name;
  if (!m->samples.all) {
    struct terminal plain = {.width = 4096};
    struct text why = {0};
    sample_report_add(m, 0, &plain, &why);
    text_trim(&why);
    message_error("annotate: %.*s", (int)strcspn(text_get(&why), "\n"), text_get(&why));
    text_release(&why);
    return EXIT_UNREADABLE;
  }
  if (wanted->is_place) {
    say_no_line(m, &wanted->place);
    return EXIT_USAGE;
  }
  if (say_inlined(m, name))
    return EXIT_USAGE;
  const char *stripped = stripped_file(m);
  struct nearest nearest = {0};
  for (size_t i = 0; i < m->samples.function_count; i++)
    if (*m->samples.functions[i].symbol)
      nearest_add(&nearest, name, m->samples.functions[i].name);
  if (stripped)
    message_error("annotate: no samples in a function '%s': %s is stripped (-s, or strip), which "
                  "takes the names of functions away: link without -s",
                  name, stripped);
  else
    message_error("annotate: no samples in a function '%s'%s%s%s (see: reticle report --samples)",
                  name, nearest.name ? "; did you mean '" : "", nearest.name ? nearest.name : "",
                  nearest.name ? "'?" : "");
  return EXIT_USAGE;
}

static void add_function(const struct measurement *m, const struct sampled_function *f, bool all,
                         const struct terminal *terminal, struct text *out) {
  const struct sampled_file *file = &m->samples.files[f->file];
  struct quantity share = sample_share(f->time_ns, m->samples.all_ns, m->samples.all);
  terminal_printf(terminal, out, STYLE_HEADING, "%s", f->name);
  text_printf(out, "   %s, %s of the CPU time (%.1f to %.1f %%)   ",
              units_counted(f->samples, "sample").data, units_share(share.value).data,
              100 * share.low, 100 * share.high);
  terminal_printf(terminal, out, STYLE_FAINT, "%s", file->file->path);
  text_add(out, "\n");
  for (size_t i = 0; i < f->copy_count; i++)
    text_printf(out, "  inlined: %s, %.1f %% of it\n", f->copies[i].name,
                100 * (double)f->copies[i].time_ns / (double)f->time_ns);
  text_add(out, "\n");
  annotate_source_add(m, f, all, terminal, out);
  text_add(out, "\n");
  struct function_code code;
  function_code_read(m, f, &code);
  annotate_code_add(&code, all, terminal, out);
  function_code_release(&code);
  text_add(out, "\n");
}

/// Where a function was inlined: its own lines, in whatever function their code is.
static void add_inlined(const struct measurement *m, const char *name, bool all,
                        const struct terminal *terminal, struct text *out) {
  struct text into = {0}, next = {0};
  if (!add_holders(m, name, &into, &next))
    return;
  struct sampled_copy copies = all_copies(m, name);
  struct quantity share = sample_share(copies.time_ns, m->samples.all_ns, m->samples.all);
  terminal_printf(terminal, out, STYLE_HEADING, "%s", name);
  text_printf(out, "   %s, %s of the CPU time (%.1f to %.1f %%)\n  inlined into %s\n",
              units_counted(copies.samples, "sample").data, units_share(share.value).data,
              100 * share.low, 100 * share.high, text_get(&into));
  text_printf(out, "  its machine code: %s\n\n", text_get(&next));
  size_t count;
  struct source_line *lines = source_lines_of_copy(&m->samples, name, &count);
  annotate_lines_add(m, lines, count, copies.time_ns, all, terminal, out);
  text_add(out, "\n");
  free(lines);
  text_release(&into);
  text_release(&next);
}

static bool print_text(const struct measurement *m, const struct wanted *wanted, bool all) {
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  head_add(m, &terminal, "", &out);
  text_add(&out, "\n");
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    if (!is_wanted(f, wanted))
      continue;
    if (wanted->is_place)
      text_printf(&out, "%s: %.1f %% of the time of %s\n", wanted->name,
                  100 * (double)line_ns(f, &wanted->place) / (double)f->time_ns, f->name);
    add_function(m, f, all, &terminal, &out);
  }
  add_inlined(m, wanted->name, all, &terminal, &out);
  text_add(&out, "  ");
  struct text note = {0};
  text_add(&note, m->input.profile.count_count && !skid_missing(&m->skid)
                      ? "samples are shown on the instruction that the processor waited for: the "
                        "one before that where they lay"
                      : "a sample lies on the instruction at which the processor stood when the "
                        "clock struck: mostly the one behind the one it waited for");
  text_add_wrapped(&out, text_get(&note), 2, 2, terminal.width);
  text_add(&out, "\nnext: ");
  text_clear(&note);
  text_add(&note, "reticle report --samples");
  input_add_operands(&m->input, &note);
  terminal_add(&terminal, &out, STYLE_COMMAND, text_get(&note));
  text_add(&out, "\n");
  text_release(&note);
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
  text_release(&out);
  return written;
}

static bool print_json(const struct measurement *m, const struct wanted *wanted) {
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-annotate/1");
  struct json *functions = json_put(report, "functions", json_array_new());
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    if (!is_wanted(f, wanted))
      continue;
    struct json *json = json_append(functions, json_object_new());
    sample_report_json_function(m, f, json);
    annotate_source_json(f, json);
    struct function_code code;
    function_code_read(m, f, &code);
    annotate_code_json(&code, json);
    function_code_release(&code);
  }
  bool written = json_write(report, stdout);
  json_free(report);
  return written;
}

static int annotate(const struct annotate_options *options, const char *name, char *const *paths,
                    size_t count) {
  struct measurement measurement;
  int status = exit_status(
      measurement_load_counted(paths, count, options->counts, &measurement, problems_shown()));
  struct wanted wanted = {.name = name};
  wanted.is_place = source_place_parse(name, &wanted.place);
  bool found = false;
  for (size_t i = 0; status == EXIT_FINE && i < measurement.samples.function_count; i++)
    found |= is_wanted(&measurement.samples.functions[i], &wanted) ||
             (!options->json && copies_of(&measurement.samples.functions[i], name).time_ns);
  if (status == EXIT_FINE && !found)
    status = say_missing(&measurement, &wanted);
  else if (status == EXIT_FINE &&
           !(options->json ? print_json(&measurement, &wanted)
                           : print_text(&measurement, &wanted, options->all))) {
    message_error("annotate: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
  measurement_release(&measurement);
  return status;
}

static const struct option_spec options[] = {
    {"counts", 0, OPTION_TEXT, "FILE", offsetof(struct annotate_options, counts),
     "counts of blocks from this profile of another build (features=loop,block), laid over F by "
     "its labels"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct annotate_options, json),
     "JSON on stdout (schema reticle-annotate/1)"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct annotate_options, all),
     "all of the function's code, also blocks without samples"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct annotate_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(
        command, "name a function or a line (in.c:12): reticle report --samples lists them");
  operands_name_first(argv + 1, (size_t)operands);
  return annotate(&chosen, argv[1], argv + 2, (size_t)operands - 1);
}

const struct command command_annotate = {
    .name = "annotate",
    .operands = "FUNCTION|FILE:LINE [F...]",
    .summary = "source and machine code of a function, with its samples",
    .details = "FUNCTION is a name of the report's section on samples, or its linkage name; of one "
               "that was inlined its own lines are shown. FILE:LINE shows the functions with "
               "samples on that line. F are profile files as for report, of runs with "
               "RETICLE_OPTIONS=sample=1.",
    .examples =
        (const struct command_example[]){
            {"reticle annotate parse_line app.prof", "where in parse_line the time goes"},
            {"reticle annotate app.c:12 app.prof", "what the function with that line does"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
