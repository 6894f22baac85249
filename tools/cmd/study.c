// study.c - reticle study: builds, runs in turn, joins; everything about a program in one file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/study.h"

#include "tools/cmd/block_options.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/support/messages.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct study_options {
  const char *build, *output, *time, *html;
  unsigned only;
  bool resume, tries, numerics;
};

/// Layouts that are tried.
#define TRIALS 2

static int study(const struct study_settings *settings, bool tries, const char *html) {
  struct study work;
  int status = exit_status(study_open(settings, &work));
  if (status == EXIT_FINE)
    status = exit_status(study_measure(&work));
  if (status == EXIT_FINE && study_has_role(settings, STUDY_TIMING))
    status = exit_status(study_prove(&work, tries ? TRIALS : 0));
  if (status == EXIT_FINE && tries && study_has_role(settings, STUDY_TIMING))
    status = exit_status(study_trials_make(&work));
  if (status == EXIT_FINE && !(report_store(&work.file) && study_finish(&work)))
    status = EXIT_UNREADABLE;
  if (status != EXIT_FINE && study_has_builds(&work))
    message_note("study: %s; what is done is kept in %s: --resume goes on",
                 status > 128 ? "interrupted" : "not finished", work.path);
  study_close(&work);
  if (status != EXIT_FINE)
    return status;
  char *paths[] = {(char *)settings->path};
  struct report_options report = {0}, page = {.html = html};
  status = report_print(paths, 1, &report, stdout);
  return status == EXIT_FINE && html ? report_print(paths, 1, &page, stdout) : status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct study_options chosen = {.tries = true};
  int divider = options_divider(argc, argv), operands;
  enum options_result result = options_parse(command, divider, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands || divider + 1 >= argc)
    return options_misuse(command, "give the command that runs the program behind --");
  struct study_settings settings = {.problems = problems_shown(),
                                    .command = "study",
                                    .measure_blocks = block_save_hottest,
                                    .has_resume = true,
                                    .build = chosen.build,
                                    .argv = argv + divider + 1,
                                    .only = chosen.only,
                                    .allows_rounding = chosen.numerics,
                                    .is_resumed = chosen.resume};
  if (chosen.time && (settings.limit_s = units_seconds(chosen.time)) == 0)
    return options_misuse(command, "--time takes a time as in 90s, 5m or 2h, not '%s'",
                          chosen.time);
  if (settings.only >> STUDY_BOUND & 1) // which loops are hot
    settings.only |= 1u << STUDY_TIMING;
  struct text path = {0};
  if (chosen.output)
    text_add(&path, chosen.output);
  else
    text_format(&path, "%s.reticle", base_name(argv[divider + 1]));
  settings.path = text_get(&path);
  if (!settings.build && study_is_built(settings.argv[0])) {
    message_note("study: without --build the program is studied as it was compiled: what a "
                 "plain build "
                 "takes, fields, blocks and allocation sites need --build 'make -B'");
    settings.only = 1u << STUDY_TIMING;
  }
  int status = study(&settings, chosen.tries, chosen.html);
  text_release(&path);
  return status;
}

static const struct option_spec options[] = {
    {"build", 'b', OPTION_TEXT, "COMMAND", offsetof(struct study_options, build),
     "compile all of the program anew by this shell command, with $CC and $CXX: 'make -B'"},
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct study_options, output),
     "the study's file (default PROGRAM.reticle), FILE.part until it is finished; then one that is "
     "there becomes FILE.old"},
    {"html", 0, OPTION_TEXT, "FILE", offsetof(struct study_options, html),
     "write the report as a page for a browser, too"},
    {"only", 0, OPTION_CHOICES, "plain|timing|counts|bound", offsetof(struct study_options, only),
     "only these builds, several with commas (bound with timing)"},
    {"time", 't', OPTION_TEXT, "TIME", offsetof(struct study_options, time),
     "how long runs and trials may take: 5m; with less there are fewer. Builds come on top"},
    {"try", 0, OPTION_SWITCH, NULL, offsetof(struct study_options, tries),
     "try what may pay: layouts of structs, prefetches, settings of malloc, flags (default)"},
    {"allow-numerics", 0, OPTION_FLAG, NULL, offsetof(struct study_options, numerics),
     "try changes, too, by which results are rounded otherwise"},
    {"resume", 0, OPTION_FLAG, NULL, offsetof(struct study_options, resume),
     "go on with a study that was interrupted"},
};

const struct command command_study = {
    .name = "study",
    .operands = "-- PROGRAM [ARGUMENT...]",
    .summary = "everything about a program: builds it once for each question, runs, joins, reports",
    .details =
        "The builds are run in turn: plain, timing (loops, samples), counts (blocks, fields, "
        "allocation sites) and bound (what memory costs hot loops). What they say is joined in one "
        "file, which report, show, annotate and diff read. The folder is left with the plain "
        "build.",
    .examples =
        (const struct command_example[]){
            {"reticle study --build 'make -B' -- ./app input", "all of it, into app.reticle"},
            {"reticle study --html app.html --time 5m --build 'make -B' -- ./app",
             "the same with five minutes of runs, and a page for a browser"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
