// check.c - reticle check: whether the program as it is regressed against a base.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/check/check.h"

#include "tools/cmd/check_outputs.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/model/compare/history.h"
#include "tools/render/json/compare/check_json.h"
#include "tools/render/text/compare/check_text.h"
#include "tools/store/postgres_url.h"
#include "tools/support/messages.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_options {
  const char *base, *build, *output, *time, *regress, *budgets, *history;
  uint64_t inconclusive_as, looks, placements;
  bool json, all, require_covered, no_coverage, no_counts, more;
  struct check_outputs outputs;
};

/// Of the runs, unless --time says otherwise.
#define TIME_DEFAULT_S 300
#define REGRESS_DEFAULT 0.02
/// Highest exit status of a process.
#define STATUS_MOST 255

/// "14 more pairs of runs, about 6 min"; nothing where it isn't known.
static void add_needs(const struct check_result *result, const struct check_effort *effort,
                      struct text *out) {
  size_t have = effort->pairs ? effort->pairs : result->comparison.a.merged.merged_count;
  if (result->verdict != CHECK_INCONCLUSIVE || result->runs_needed <= have)
    return;
  size_t more = result->runs_needed - have;
  text_printf(out, "about %s of runs", units_counted(more, "more pair").data);
  if (effort->pair_s > 0)
    text_printf(out, ", %s: --time %.0fs", units_duration((double)more * effort->pair_s * 1e9).data,
                check_time_s(effort, result->runs_needed));
}

static const char *text_or_empty(const char *text) { return text ? text : ""; }

static int print(const struct check_result *result, const struct check_effort *effort,
                 const struct check_options *options) {
  const struct changed_lines *changed = effort->has_changed ? &effort->changed : NULL;
  const struct counted_changes *counted = effort->has_counts ? &effort->counts : NULL;
  bool written;
  if (options->json) {
    written = check_json_write(result, text_or_empty(effort->revision), changed, counted, stdout);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0}, needs = {0};
    add_needs(result, effort, &needs);
    check_text_add(result, text_get(&needs), changed, counted, options->all, &terminal, &out);
    written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
    text_release(&out);
    text_release(&needs);
  }
  if (written)
    return EXIT_FINE;
  message_error("check: not all of it could be written: %s", strerror(errno));
  return EXIT_UNREADABLE;
}

/// False, and says so, where the change was to be executed and wasn't.
static bool is_covered(const struct check_effort *effort, const struct check_options *options) {
  const struct changed_lines *changed = &effort->changed;
  if (!options->require_covered || (!changed->unknown && changed->executed) ||
      (!changed->unknown && !changed->with_code))
    return true;
  struct text text = {0};
  changed_lines_add(changed, &text);
  message_error("check: --require-covered: changed lines: %s", text_get(&text));
  text_release(&text);
  return false;
}

static int status_of(const struct check_result *result, const struct check_options *options) {
  if (result->verdict == CHECK_REGRESSION)
    return EXIT_FINDING;
  return result->verdict == CHECK_INCONCLUSIVE ? (int)options->inconclusive_as : EXIT_FINE;
}

/// Files of both sides, without a base to build.
struct check_files {
  char *const *a, *const *b;
  size_t count_a, count_b;
};

/// FILE@base and FILE@head: two builds of one check.
static bool is_one_study(const struct check_files *files) {
  const char *a = files->count_a ? strrchr(files->a[0], '@') : NULL;
  size_t length = a ? (size_t)(a - files->a[0]) + 1 : 0;
  return length && files->count_b && strncmp(files->a[0], files->b[0], length) == 0;
}

static int check(const struct check_settings *settings, const struct check_files *files,
                 const struct check_options *options) {
  struct check_result result = {0};
  struct check_effort effort = {0};
  int status =
      settings->base
          ? exit_status(check_measure(settings, &result, &effort))
          : exit_status(check_result_load(files->a, files->count_a, files->b, files->count_b,
                                          &settings->limits, &result, problems_shown()));
  if (status > 128)
    message_note("check: interrupted; what was measured is kept in %s.part", settings->path);
  if (status == EXIT_FINE) {
    status = print(&result, &effort, options);
    if (!check_outputs_write(&options->outputs, &result))
      status = EXIT_UNREADABLE;
    if (options->history && !history_add(options->history, &result, text_or_empty(effort.head),
                                         text_or_empty(effort.revision), problems_shown()))
      status = EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE)
    status = is_covered(&effort, options) ? status_of(&result, options) : EXIT_FINDING;
  check_result_release(&result);
  check_effort_release(&effort);
  return status;
}

/// What the options say in words. EXIT_FINE, or the status after saying what is wrong.
static int read_options(const struct command *command, const struct check_options *chosen,
                        struct check_settings *out, struct budgets *budgets) {
  out->limits = (struct check_limits){
      .regress = REGRESS_DEFAULT, .looks = chosen->looks, .has_more = chosen->more};
  out->limit_s = TIME_DEFAULT_S;
  if (chosen->regress && !budget_parse(chosen->regress, &out->limits.regress))
    return options_misuse(command, "--max-regress takes a share as in 3%%, not '%s'",
                          chosen->regress);
  if (chosen->time && (out->limit_s = units_seconds(chosen->time)) == 0)
    return options_misuse(command, "--time takes a time as in 90s, 5m or 2h, not '%s'",
                          chosen->time);
  if (chosen->inconclusive_as > STATUS_MOST)
    return options_misuse(command, "--inconclusive-as takes an exit status, 0 to %d", STATUS_MOST);
  if (chosen->budgets && !budgets_read(chosen->budgets, budgets, problems_shown()))
    return EXIT_UNREADABLE;
  out->limits.budgets = chosen->budgets ? budgets : NULL;
  return EXIT_FINE;
}

/// Both sides' files: A B, or A... -- B...; a side without any has count 0.
static struct check_files files_of(int argc, char **argv, int divider, int operands) {
  if (operands == 2 && divider == argc)
    return (struct check_files){argv + 1, argv + 2, 1, 1};
  return (struct check_files){argv + 1, argv + divider + 1, (size_t)operands,
                              divider < argc ? (size_t)(argc - divider - 1) : 0};
}

/// EXIT_FINE if they fit together, or the status after saying what doesn't.
static int judge_options(const struct command *command, const struct check_options *chosen,
                         const struct check_files *files) {
  if (chosen->base && (files->count_a || !files->count_b))
    return options_misuse(command, "give the command that runs the program behind --");
  if (chosen->base && !chosen->build)
    return options_misuse(command, "--base needs --build: the command that compiles the program");
  if (!chosen->base && (!files->count_a || !files->count_b))
    return options_misuse(command, "give --base, --build and the program behind --, or studies or "
                                   "profiles of both sides: A B, or A... -- B...");
  if (chosen->json && chosen->outputs.github)
    return options_misuse(command, "--json and --github both write to the standard output");
  if (chosen->require_covered && (chosen->no_coverage || !chosen->base))
    return options_misuse(command, "--require-covered needs --base, and no --no-coverage");
  if (!chosen->placements || chosen->placements > CHECK_PLACEMENTS_MOST)
    return options_misuse(command, "--placements takes a number from 1 to %d",
                          CHECK_PLACEMENTS_MOST);
  if (!chosen->looks)
    return options_misuse(command, "--looks takes a number from 1 on");
  return EXIT_FINE;
}

static int run(const struct command *command, int argc, char **argv) {
  struct check_options chosen = {.inconclusive_as = EXIT_INCONCLUSIVE, .looks = 1, .placements = 1};
  postgres_url_hide_all(argc, argv);
  int divider = options_divider(argc, argv), operands;
  enum options_result result = options_parse(command, divider, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  const struct check_files files = files_of(argc, argv, divider, operands);
  int status = judge_options(command, &chosen, &files);
  if (status != EXIT_FINE)
    return status;
  struct check_settings settings = {.problems = problems_shown(),
                                    .base = chosen.base,
                                    .build = chosen.build,
                                    .argv = argv + divider + 1,
                                    .placements = (unsigned)chosen.placements,
                                    .has_coverage = !chosen.no_coverage,
                                    .has_counts = !chosen.no_counts};
  struct budgets budgets = {0};
  struct text path = {0};
  if (chosen.output)
    text_add(&path, chosen.output);
  else if (chosen.base)
    text_format(&path, "%s.check.reticle", base_name(argv[divider + 1]));
  settings.path = text_get(&path);
  status = read_options(command, &chosen, &settings, &budgets);
  settings.limits.is_one_program = is_one_study(&files);
  if (status == EXIT_FINE)
    status = check(&settings, &files, &chosen);
  budgets_release(&budgets);
  text_release(&path);
  return status;
}

static const struct option_spec options[] = {
    {"base", 'B', OPTION_TEXT, "BASE", offsetof(struct check_options, base),
     "what to compare with: a git revision, or a folder with its sources"},
    {"build", 'b', OPTION_TEXT, "COMMAND", offsetof(struct check_options, build),
     "compile all of the program anew by this shell command, with $CC and $CXX: 'make -B'; run for "
     "the base, too"},
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct check_options, output),
     "the file of what was measured (default PROGRAM.check.reticle), FILE.part until it is "
     "finished; then one that is there becomes FILE.old"},
    {"time", 't', OPTION_TEXT, "TIME", offsetof(struct check_options, time),
     "how long the runs may take (default 5m); it ends when it is decided"},
    {"placements", 0, OPTION_COUNT, "N", offsetof(struct check_options, placements),
     "build each side N times, 1 to 5, with functions at other places, as these alone may move a "
     "loop (default 1); runs take turns"},
    {"max-regress", 'm', OPTION_TEXT, "SHARE", offsetof(struct check_options, regress),
     "what may take so much longer: 3% (default 2%)"},
    {"budgets", 0, OPTION_TEXT, "FILE", offsetof(struct check_options, budgets),
     "of single functions, files or loops: lines as in 'parse_line 5%'"},
    {"looks", 0, OPTION_COUNT, "N", offsetof(struct check_options, looks),
     "of files: how often they are compared while runs come in, at most (default 1); with --base "
     "it is known"},
    {"more", 0, OPTION_FLAG, NULL, offsetof(struct check_options, more),
     "of files: more runs will follow, so a loop that tells nothing yet isn't the same"},
    {"no-counts", 0, OPTION_FLAG, NULL, offsetof(struct check_options, no_counts),
     "don't count accesses of fields and allocations: two builds and three runs less"},
    {"no-coverage", 0, OPTION_FLAG, NULL, offsetof(struct check_options, no_coverage),
     "don't look which changed lines are executed: a build and a run less"},
    {"require-covered", 0, OPTION_FLAG, NULL, offsetof(struct check_options, require_covered),
     "fail, too, where lines with code changed and none of them was executed"},
    {"inconclusive-as", 0, OPTION_COUNT, "STATUS", offsetof(struct check_options, inconclusive_as),
     "exit status where nothing can be told (default 4): 0 passes, 77 is skipped in automake and "
     "meson"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct check_options, json),
     "JSON on stdout (schema reticle-check/1)"},
    {"github", 0, OPTION_FLAG, NULL, offsetof(struct check_options, outputs.github),
     "annotations for GitHub Actions behind the text, and a table in the step's summary"},
    {"sarif", 0, OPTION_TEXT, "FILE", offsetof(struct check_options, outputs.sarif),
     "write what regressed as SARIF 2.1.0"},
    {"junit", 0, OPTION_TEXT, "FILE", offsetof(struct check_options, outputs.junit),
     "write each loop as a test case, JUnit XML"},
    {"code-quality", 0, OPTION_TEXT, "FILE", offsetof(struct check_options, outputs.quality),
     "write what regressed for GitLab's Code Quality"},
    {"history", 0, OPTION_TEXT, "FILE", offsetof(struct check_options, history),
     "append what was measured, for `reticle history FILE`"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct check_options, all),
     "every loop, also those that are the same"},
};

const struct command command_check = {
    .name = "check",
    .operands = "A... -- B... | -- PROGRAM [ARGUMENT...]",
    .summary = "whether the program regressed against a base: for CI",
    .details =
        "Builds base and head, runs them in turn until it is decided, and judges each loop and the "
        "CPU time by how runs differ. Or compares studies, FILE@BUILD, profiles, or runs in a "
        "database: A B, or A... -- B.... Exit status 3 also where something could not be built or "
        "run.",
    .finding = "something regressed, or --require-covered does not hold",
    .inconclusive = "nothing can be told, unless --inconclusive-as says otherwise",
    .examples =
        (const struct command_example[]){
            {"reticle check --base origin/main --build 'make -B' -- ./app input",
             "the sources here against a revision"},
            {"reticle check old.*.prof -- new.*.prof", "runs that are there already"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
