// show.c - reticle show: one card with everything that is known about a loop, a struct or a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_advice.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/operands.h"
#include "tools/cmd/problems.h"
#include "tools/model/block/measured_block.h"
#include "tools/model/finding/finding.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/loop/find_loop.h"
#include "tools/model/struct/struct_elements.h"
#include "tools/model/struct/struct_find.h"
#include "tools/model/trial/program_trials.h"
#include "tools/render/json/report/report_json.h"
#include "tools/render/text/block/block_report.h"
#include "tools/render/text/heap/site_table.h"
#include "tools/render/text/loop/loop_card.h"
#include "tools/render/text/report/change_table.h"
#include "tools/render/text/report/finding_table.h"
#include "tools/render/text/report/head.h"
#include "tools/render/text/struct/struct_table.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct show_options {
  const char *counts;
  bool json;
};

/// What a name stands for: one of them.
struct shown {
  char about[24];   ///< "L1"
  size_t structure; ///< position + 1; 0 if it is none
  size_t site;      ///< the same, of an allocation site
  const struct measured_block *block;
  const struct measured_loop *loop;
};

static void name_shown(struct shown *shown) {
  char kind = shown->structure ? 'S' : shown->site ? 'A' : shown->block ? 'B' : 'L';
  size_t number = shown->structure ? shown->structure
                  : shown->site    ? shown->site
                  : shown->block   ? shown->block->rank
                                   : shown->loop->rank;
  snprintf(shown->about, sizeof(shown->about), "%c%zu", kind, number);
}

/// The command to type next.
static void add_command(const struct measurement *m, const struct shown *shown, struct text *out) {
  const char *code = shown->block ? shown->block->block->code : "";
  if (shown->block && strspn(code, "0123456789abcdef") == strlen(code)) { // nothing for a shell
    text_printf(out, "reticle block -v -x %s", code);
    return;
  }
  const struct measured_loop *loop = shown->loop;
  if (shown->block)
    text_add(out, "reticle report --blocks");
  else if (shown->structure)
    text_add(out, "reticle report --structs");
  else if (shown->site)
    text_add(out, "reticle report --heap");
  else if (loop->rank < m->loop_count && m->loops[loop->rank].stats.samples)
    text_printf(out, "reticle show L%zu", loop->rank + 1);
  else
    text_add(out, "reticle report");
  input_add_operands(&m->input, out);
}

/// With all that can be found out about its layout, for which a report on all structs has no time.
static void add_struct(const struct measurement *m, size_t rank, const struct terminal *terminal,
                       struct text *out) {
  struct struct_advice advice;
  struct element_count count = struct_elements_get(m, &m->structs.structs[rank - 1]);
  const struct advice_wish wish = {.count = &count,
                                   .walks = struct_walks_get(m, &m->structs.structs[rank - 1])};
  struct_advise(&m->input.profile, &m->structs.structs[rank - 1], &wish, &advice);
  struct_card_add(m, rank, &advice, terminal, out);
  struct_advice_release(&advice);
}

static bool print_card(const struct measurement *m, const struct findings *findings,
                       const struct shown *shown) {
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0}, command = {0};
  head_add(m, &terminal, "", &out);
  text_add(&out, "\n");
  finding_table_add(findings, shown->about, SIZE_MAX, &terminal, &out);
  if (shown->structure)
    add_struct(m, shown->structure, &terminal, &out);
  else if (shown->site)
    site_card_add(m, shown->site, &terminal, &out);
  else if (shown->block)
    block_report_card(m, shown->block, &terminal, &out);
  else
    loop_card_add(m, shown->loop, &terminal, &out);
  add_command(m, shown, &command);
  text_add(&out, "\nnext: ");
  terminal_add(&terminal, &out, STYLE_COMMAND, text_get(&command));
  text_add(&out, "\n");
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
  text_release(&command);
  text_release(&out);
  return written;
}

static bool is_number_of(char kind, const char *name) {
  return name[0] == kind && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

/// Whether a name that nothing has must have been a struct's: S9, or there are no loops.
static bool means_struct(const struct measurement *m, const char *name) {
  return is_number_of('S', name) || (m->structs.accessed && !m->loop_count);
}

/// Says why the profile has nothing of that number; false for other names. status: gets what that
/// is: a number that isn't there, or a profile without any.
static bool say_missing_number(const struct measurement *m, const char *name, int *status) {
  const struct {
    char letter;
    size_t count;
    const char *what, *remedy;
  } kinds[] = {
      {'L', m->loop_count, "loop",
       "it has no loop with probes: reticle doctor of the program says why; reticle report "
       "--structs lists structs"},
      {'A', m->sites.count, "allocation site",
       "compile with -fplugin-arg-reticle-features=loop,shadow, and run it"},
      {'B', m->block_count, "block",
       "run it with RETICLE_OPTIONS=blocks=20, or type: reticle block --save"},
  };
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    if (!is_number_of(kinds[i].letter, name))
      continue;
    unsigned long long number = strtoull(name + 1, NULL, 10);
    if ((number && number <= kinds[i].count) || (kinds[i].letter == 'L' && kinds[i].count))
      return false; // find_loop says which there are
    if (!kinds[i].count)
      message_error("show: no %s '%s': the profile has none; %s", kinds[i].what, name,
                    kinds[i].remedy);
    else
      message_error("show: no %s '%s': the profile has %c1 to %c%zu", kinds[i].what, name,
                    kinds[i].letter, kinds[i].letter, kinds[i].count);
    *status = kinds[i].count ? EXIT_USAGE : EXIT_UNREADABLE;
    return true;
  }
  return false;
}

/// The card of a change: R1. EXIT_USAGE after saying that there is none.
static int show_change(const struct measurement *m, const char *name) {
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  bool is_there = change_card_add(m, name, &terminal, &out);
  if (is_there)
    fwrite(text_get(&out), 1, out.length, stdout);
  else
    message_error("show: no change '%s': %s", name,
                  program_trials_get(m)->count ? "reticle report lists them"
                                               : "nothing was tried: reticle study does");
  text_release(&out);
  return is_there ? EXIT_FINE : EXIT_USAGE;
}

static int show(const struct show_options *options, const char *name, char *const *paths,
                size_t count) {
  struct measurement measurement;
  struct shown shown = {0};
  int status = exit_status(
      measurement_load_counted(paths, count, options->counts, &measurement, problems_shown()));
  if (status == EXIT_FINE && is_number_of('R', name) && !options->json) {
    status = show_change(&measurement, name);
    measurement_release(&measurement);
    return status;
  }
  if (status == EXIT_FINE &&
      !(shown.structure = struct_find(&measurement.structs, name, problems_shown())) &&
      !(shown.site = site_find(&measurement.sites, name)) &&
      !(shown.block = block_report_find(&measurement, name))) {
    status = EXIT_USAGE;
    bool is_said = say_missing_number(&measurement, name, &status);
    if (!is_said && means_struct(&measurement, name)) {
      struct_missing(&measurement, name, "show", problems_shown());
      status = *struct_gap(&measurement) ? EXIT_UNREADABLE : EXIT_USAGE;
    } else if (!is_said) {
      shown.loop = find_loop(&measurement, name, problems_shown());
      status = shown.loop ? EXIT_FINE : EXIT_USAGE;
    }
  }
  if (status == EXIT_FINE) {
    size_t row = shown.loop ? shown.loop->rank - 1 : 0;
    struct report_chosen chosen = {0};
    if (!shown.loop) {
      chosen.structure = shown.structure ? shown.structure : REPORT_NONE;
      chosen.site = shown.site ? shown.site : REPORT_NONE;
      chosen.block = shown.block ? shown.block->rank : REPORT_NONE;
    }
    struct findings findings;
    findings_make(&measurement, &findings);
    name_shown(&shown);
    chosen.about = shown.about;
    bool written = options->json ? report_json_write(&measurement, &findings, &row,
                                                     shown.loop != NULL, &chosen, stdout)
                                 : print_card(&measurement, &findings, &shown);
    findings_release(&findings);
    if (!written) {
      message_error("show: not all of it could be written: %s", strerror(errno));
      status = EXIT_UNREADABLE;
    }
  }
  measurement_release(&measurement);
  return status;
}

static const struct option_spec options[] = {
    {"counts", 0, OPTION_TEXT, "FILE", offsetof(struct show_options, counts),
     "counts of blocks from this profile of another build (features=loop,block), laid over F by "
     "its labels"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct show_options, json),
     "JSON on stdout: a report with this loop, struct, site or block alone (schema "
     "reticle-report/1)"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct show_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command,
                          "name a loop, a struct, an allocation site or a block: its number in the "
                          "report, e.g. L1, S1, A1 or B1");
  operands_name_first(argv + 1, (size_t)operands);
  return show(&chosen, argv[1], argv + 2, (size_t)operands - 1);
}

const struct command command_show = {
    .name = "show",
    .operands = "ID [F...]",
    .summary =
        "one card with everything that is known about a loop, a struct, an allocation site or "
        "a block",
    .details = "ID is the number in the report (L1), the stable id (16 hex digits), the place "
               "(book.c:8) or the function; of a struct its number (S1) or its name; of an "
               "allocation site or a "
               "block its number (A1, B1); of a change that a study has tried R1. F are profile "
               "files as for report; the numbers L1, L2, "
               "... hold for "
               "one set of files.",
    .examples =
        (const struct command_example[]){
            {"reticle show L1 app.prof", "the first loop of the report"},
            {"reticle show book.c:118", "the loop at that place, in the newest profile here"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
