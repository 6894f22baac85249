// try.c - reticle try: does another layout of a struct make the program faster?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/render/json/struct/replay_json.h"
#include "tools/render/json/struct/try_json.h"
#include "tools/render/text/struct/replay_show.h"
#include "tools/render/text/struct/try_show.h"
#include "tools/run/trial/replay_trial.h"
#include "tools/run/trial/trial.h"
#include "tools/support/messages.h"
#include "tools/support/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PAIRS_MAX 1000

struct try_options {
  const char *layout;
  const char *build;
  uint64_t pairs, placements;
  bool keep, json, replay;
  const char *array;
  struct layout_wish wish;
};

static int print(const struct try_options *o, const struct trial *t) {
  const struct paired *paired = &t->paired;
  bool fine;
  if (o->json) {
    fine = try_show_json(t->structure, &t->written, &t->changed, paired);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0};
    try_show_add(t->structure, &t->written, &t->changed, paired,
                 t->is_compared ? &t->comparison : NULL, &terminal, &out);
    if (paired->verdict == PAIRED_GAIN && t->source.length) {
      text_add(&out, "\nsource\n");
      text_add_clean(&out, text_get(&t->source));
    }
    fine = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
    text_release(&out);
  }
  if (!fine)
    message_error("try: not all of it could be written: %s", strerror(errno));
  return !fine ? EXIT_UNREADABLE : paired->verdict == PAIRED_WORSE ? EXIT_FINDING : EXIT_FINE;
}

/// A study has the tables of its report made anew, with the result.
static int store(char **files, size_t count, int status) {
  return count && !report_store_again(files[0]) && status == EXIT_FINE ? EXIT_UNREADABLE : status;
}

/// Builds and runs, prints the result, and keeps it for `reticle show`.
static int try_struct(const struct try_options *options, char **operands, size_t count,
                      char **command) {
  const struct trial_settings settings = {.problems = problems_shown(),
                                          .structure = operands[0],
                                          .layout = options->layout,
                                          .wish = options->wish,
                                          .build = options->build,
                                          .command = command,
                                          .pairs = (size_t)options->pairs,
                                          .placements = (size_t)options->placements,
                                          .files = operands + 1,
                                          .file_count = count - 1};
  struct trial trial;
  int status = exit_status(trial_make(&settings, &trial));
  if (status == EXIT_FINE) {
    status = print(options, &trial);
    trial_keep(&trial);
    status = store(operands + 1, count - 1, status);
  }
  trial_release(&trial, options->keep);
  return status;
}

static int print_replay(const struct try_options *o, const struct replay_result *result) {
  bool fine;
  if (o->json) {
    fine = replay_show_json(result);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0};
    replay_show_add(result, &terminal, &out);
    fine = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
    text_release(&out);
  }
  if (!fine)
    message_error("try: not all of it could be written: %s", strerror(errno));
  return !fine ? EXIT_UNREADABLE : result->verdict == PAIRED_WORSE ? EXIT_FINDING : EXIT_FINE;
}

/// program: [..., NULL]
static int replay(const struct command *command, const struct try_options *o, char *const *program,
                  char **operands, size_t count) {
  if (o->build || o->placements || o->wish.align_bytes)
    return options_misuse(command, "--build, --placements and --align aren't of --replay");
  if (o->array && o->layout)
    return options_misuse(command, "--array and --layout both say what to replay: give one");
  const struct replay_settings settings = {.problems = problems_shown(),
                                           .structure = operands[0],
                                           .layout = o->layout,
                                           .array = o->array,
                                           .command = *program ? program : NULL,
                                           .wish = o->wish,
                                           .pairs = (size_t)o->pairs,
                                           .files = operands + 1,
                                           .file_count = count - 1};
  struct replay_trial trial;
  int status = exit_status(replay_trial_make(&settings, &trial));
  if (status == EXIT_FINE) {
    status = print_replay(o, &trial.result);
    replay_trial_keep(&trial);
    status = store(operands + 1, count - 1, status);
  }
  replay_trial_release(&trial);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct try_options chosen = {.pairs = PAIRED_LEAST};
  int divider = options_divider(argc, argv), operands;
  enum options_result result = options_parse(command, divider, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command, "name a struct, as reticle report --structs lists them");
  if (chosen.pairs < PAIRED_LEAST || chosen.pairs > PAIRS_MAX)
    return options_misuse(command, "--pairs: %d to %d", PAIRED_LEAST, PAIRS_MAX);
  if (chosen.replay && divider + 1 == argc)
    return options_misuse(command, "give the program, as it is without Reticle, behind --");
  if (chosen.replay)
    return replay(command, &chosen, argv + (divider < argc ? divider + 1 : argc), argv + 1,
                  (size_t)operands);
  if (chosen.array)
    return options_misuse(command, "--array is of --replay: a compiler can't take a struct apart");
  if (divider + 1 >= argc)
    return options_misuse(command, "give the command that builds and runs the program behind --");
  chosen.pairs += chosen.pairs % 2; // the last build is then the one as written
  if (!chosen.placements)
    chosen.placements = chosen.pairs;
  if (chosen.placements > chosen.pairs)
    return options_misuse(command, "--placements: 1 to the number of pairs, %d", (int)chosen.pairs);
  return try_struct(&chosen, argv + 1, (size_t)operands, argv + divider + 1);
}

static const struct option_spec options[] = {
    {"layout", 'l', OPTION_TEXT, "FILE", offsetof(struct try_options, layout),
     "this layout file, instead of what the profile advises"},
    {"build", 'b', OPTION_TEXT, "COMMAND", offsetof(struct try_options, build),
     "build by this shell command, each side once a placement; what is behind -- then only runs "
     "the "
     "program"},
    {"pairs", 'n', OPTION_COUNT, "N", offsetof(struct try_options, pairs),
     "N runs of each, in turn (default 10, at least 10)"},
    {"placements", 0, OPTION_COUNT, "N", offsetof(struct try_options, placements),
     "N builds of each, with functions at other places (default: one a pair; 1 saves builds, and "
     "takes the luck of one for the layout's doing)"},
    {"pin", 0, OPTION_TEXT, "FIELD", offsetof(struct try_options, wish.pin),
     "fields up to this one stay where they are"},
    {"align", 0, OPTION_COUNT, "BYTES", offsetof(struct try_options, wish.align_bytes),
     "align the struct, e.g. 64: it must then be allocated with aligned_alloc"},
    {"apart", 0, OPTION_FLAG, NULL, offsetof(struct try_options, wish.apart),
     "keep fields that are written away from those that are only read"},
    {"replay", 0, OPTION_FLAG, NULL, offsetof(struct try_options, replay),
     "build nothing: run the visits that the profile has over memory in both layouts, splits and "
     "arrays too"},
    {"array", 0, OPTION_TEXT, "FIELD,...", offsetof(struct try_options, array),
     "with --replay: these fields in an array of their own, instead of what the profile advises"},
    {"keep", 0, OPTION_FLAG, NULL, offsetof(struct try_options, keep),
     "keep the profiles and the layout file"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct try_options, json),
     "JSON on stdout (schema reticle-try/1; of --replay reticle-replay/1)"},
};

const struct command command_try = {
    .name = "try",
    .operands = "STRUCT [F...] [-- COMMAND [ARGUMENT...]]",
    .summary = "builds and runs a program with a struct as written and as advised, in turn",
    .details =
        "COMMAND compiles all of the program with reticle-clang and runs it; the layout travels in "
        "RETICLE_LAYOUT. Time is the program's own, from its profile, without the build. The "
        "verdict is gain, worse, or no measurable gain. --replay takes the visits of a profile "
        "of the features loop, field and shadow: its proof is weaker, and it takes structs apart. "
        "COMMAND then runs the program as it is without Reticle, whose CPU time the gain is of; "
        "without COMMAND it is the profile's, which counters make longer.",
    .finding = "the layout is worse",
    .examples =
        (const struct command_example[]){
            {"reticle try order --build 'make -B' -- ./app input", "does the advised order pay?"},
            {"reticle try order --layout order.layout -- ./build-and-run.sh",
             "that of a file, with a script that builds and runs"},
            {"reticle try order --replay -- ./app input", "would the advised split or array pay?"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
