// diff.c - reticle diff: which loops became slower or faster from one set of runs to another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/page_file.h"
#include "tools/cmd/problems.h"
#include "tools/model/compare/diff_input.h"
#include "tools/model/compare/diff_samples.h"
#include "tools/render/html/diff_page.h"
#include "tools/render/json/compare/diff_json.h"
#include "tools/render/json/compare/diff_samples_json.h"
#include "tools/render/text/compare/diff_samples_show.h"
#include "tools/render/text/compare/diff_text.h"
#include "tools/store/postgres_url.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <string.h>

struct diff_options {
  const char *html;
  bool json;
  bool samples, lines;
  struct diff_rows rows;
};

/// The files of both sides, and where they are divided.
struct operands {
  char **a, **b; ///< [count_a], [count_b]
  int count_a, count_b;
};

/// Samples of the program counter instead of loops.
static int compare_samples(const struct operands *files, const struct diff_options *options) {
  struct sample_comparison comparison;
  int status = exit_status(sample_comparison_load(files->a, (size_t)files->count_a, files->b,
                                                  (size_t)files->count_b, options->lines,
                                                  &comparison, problems_shown()));
  bool written = true;
  if (status == EXIT_FINE && options->json) {
    written = diff_samples_json_write(&comparison, stdout);
  } else if (status == EXIT_FINE) {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0};
    diff_samples_text_add(&comparison, &options->rows, &terminal, &out);
    written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
    text_release(&out);
  }
  if (!written) {
    message_error("diff: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE && sample_comparison_has_finding(&comparison))
    status = EXIT_FINDING;
  sample_comparison_release(&comparison);
  return status;
}

static bool write_page(const struct comparison *comparison, const char *path) {
  struct text page = {0};
  diff_page_add(comparison, &page);
  bool written = page_file_write("diff", path, &page);
  text_release(&page);
  return written;
}

static int print(const struct comparison *comparison, const struct diff_options *options) {
  bool written = true;
  if (options->html && !write_page(comparison, options->html))
    return EXIT_UNREADABLE;
  if (options->html && !options->json) {
    // The page is what was asked for.
  } else if (options->json) {
    written = diff_json_write(comparison, stdout);
  } else {
    struct terminal terminal = terminal_inspect(fileno(stdout));
    struct text out = {0};
    diff_text_add(comparison, &options->rows, &terminal, &out);
    written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
    text_release(&out);
  }
  if (!written) {
    message_error("diff: not all of it could be written: %s", strerror(errno));
    return EXIT_UNREADABLE;
  }
  const size_t *verdicts = comparison->diff.verdicts;
  return verdicts[DIFF_SLOWER] + verdicts[DIFF_FASTER] ? EXIT_FINDING : EXIT_FINE;
}

/// Reads options and files: two files, or two lists with "--" between. Options may stand on both
/// sides of it.
static enum options_result parse(const struct command *command, int argc, char **argv,
                                 struct diff_options *options, struct operands *out) {
  int divider = options_divider(argc, argv);
  enum options_result result = options_parse(command, divider, argv, options, &out->count_a);
  out->a = argv + 1;
  if (result != OPTIONS_OK || divider == argc)
    return result;
  out->b = argv + divider + 1;
  return options_parse(command, argc - divider, argv + divider, options, &out->count_b);
}

static int run(const struct command *command, int argc, char **argv) {
  struct diff_options chosen = {0};
  struct operands files = {0};
  postgres_url_hide_all(argc, argv);
  enum options_result result = parse(command, argc, argv, &chosen, &files);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!files.b && files.count_a == 2) {
    files.b = files.a + 1;
    files.count_a = files.count_b = 1;
  } else if (!files.b && files.count_a > 2) {
    return options_misuse(command, "%d files: put -- between those of A and those of B",
                          files.count_a);
  }
  if (files.count_a < 1 || files.count_b < 1)
    return options_misuse(command, "needs profiles of A and of B");
  bool has_fleet = postgres_url_is(files.a[0]) || postgres_url_is(files.b[0]);
  if (has_fleet && (chosen.samples || chosen.lines || chosen.html))
    return options_misuse(command,
                          "a database keeps no samples: --samples, --lines and --html need "
                          "the profiles");
  if ((chosen.samples || chosen.lines) && chosen.html)
    return options_misuse(command, "--html shows loops: leave out --samples and --lines");
  if (chosen.samples || chosen.lines)
    return compare_samples(&files, &chosen);
  struct comparison comparison;
  int status =
      exit_status(comparison_load(files.a, (size_t)files.count_a, files.b, (size_t)files.count_b, 1,
                                  &comparison, problems_shown()));
  if (status == EXIT_FINE)
    status = print(&comparison, &chosen);
  comparison_release(&comparison);
  return status;
}

static const struct option_spec options[] = {
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct diff_options, json),
     "JSON on stdout (schema reticle-diff/1, of samples reticle-diff-samples/1)"},
    {"html", 0, OPTION_TEXT, "FILE", offsetof(struct diff_options, html),
     "write a page there: both sides, each loop's change with its interval, durations of both"},
    {"samples", 's', OPTION_FLAG, NULL, offsetof(struct diff_options, samples),
     "functions by samples of the program counter, of runs with sample=1, instead of loops"},
    {"lines", 'l', OPTION_FLAG, NULL, offsetof(struct diff_options, lines),
     "the same by lines of the source"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct diff_options, rows.all),
     "every loop or function, also those that did not change"},
    {"top", 'n', OPTION_POSITIVE, "N", offsetof(struct diff_options, rows.top),
     "N loops or functions at most (default 20)"},
};

const struct command command_diff = {
    .name = "diff",
    .operands = "A B | A... -- B...",
    .summary = "which loops, or functions, became slower or faster from one set of runs to another",
    .details =
        "A and B are profile files, one for each run. One run a side tells large changes of steady "
        "loops only, since runs of the same program differ; three a side or more, taken in turn "
        "(A B A B A B), tell how much runs differ, and so more. All loops together, equal programs "
        "are called different in less than 1 % of comparisons. A side may be runs in a database.",
    .finding = "some loop, or function, became significantly slower or faster",
    .examples =
        (const struct command_example[]){
            {"reticle diff old.prof new.prof", "one run of each"},
            {"reticle diff old.*.prof -- new.*.prof", "several runs of each"},
            {"reticle diff --html diff.html old.*.prof -- new.*.prof",
             "the same as a page with pictures"},
            {"reticle diff --samples old.prof new.prof", "functions, of runs with sample=1"},
            {"reticle diff 'postgresql://db.example/perf#commit=4f2a1c' "
             "'postgresql://db.example/perf#commit=9be001'",
             "runs of two commits that were pushed"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
