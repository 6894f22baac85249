// topdown.c - reticle topdown: runs a program until what bounds its loops is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/machine/pmu.h"
#include "tools/machine/topdown_machine.h"
#include "tools/render/json/loop/topdown_json.h"
#include "tools/render/text/loop/topdown_show.h"
#include "tools/render/text/report/head.h"
#include "tools/run/child/run_program.h"
#include "tools/run/topdown/topdown_runs.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Loops that are shown, and that decide what is counted next.
enum { TOP_DEFAULT = 5 };

struct topdown_options {
  uint64_t level, top;
  const char *tree, *output;
  bool json, all, estimate, force;
};

/// Where the counts come from.
struct source {
  struct topdown_machine machine;
  const char *reason; ///< why nothing can be counted; null if something can
  int error;          ///< errno of the PMU, 0
};

static bool list_trees(const char *wrong) {
  size_t count;
  const struct topdown_tree *trees = topdown_trees(&count);
  struct text names = {0};
  for (size_t i = 0; i < count; i++)
    text_printf(&names, "%s%s", i ? ", " : "", trees[i].name);
  message_error("topdown: --tree %s: there are %s", wrong, text_get(&names));
  text_release(&names);
  return false;
}

/// Whether RETICLE_OPTIONS has counters told by a file.
static bool is_fake(void) {
  const char *options = getenv("RETICLE_OPTIONS");
  return options && strstr(options, "pmu=fake:");
}

static bool find_source(const struct topdown_options *chosen, struct source *source) {
  *source = (struct source){0};
  topdown_machine_read(&source->machine);
  if (chosen->tree) {
    const struct topdown_tree *tree = topdown_tree_find(chosen->tree);
    if (!tree)
      return list_trees(chosen->tree);
    bool has_metrics = source->machine.has_metrics || is_fake();
    source->machine = (struct topdown_machine){
        .tree = tree, .metrics_tree = has_metrics ? topdown_tree_by_metrics(tree) : NULL};
  }
  source->error = is_fake() ? 0 : pmu_error();
  if (chosen->estimate)
    source->reason = "as asked for";
  else if (source->error)
    source->reason = "no PMU";
  else if (!source->machine.tree)
    source->reason = source->machine.reason;
  return true;
}

static const char spent[] =
    "; its stdin is a pipe, which can't be read twice: give it a file (< FILE)";

static void add_runs(const struct topdown_runs *runs, struct text *out) {
  if (runs->count < 2)
    return;
  text_printf(out, "%s, ", units_counted(runs->count, "run").data);
  if (isnan(runs->points)) {
    text_printf(out, "not comparable: no loop had level 1 in two of them; run 1 is shown%s",
                runs->is_stdin_spent ? spent : "");
    return;
  }
  text_printf(out, "%s: level 1 within %.1f points", runs->is_changed ? "UNSTEADY" : "steady",
              runs->points);
  if (!isnan(runs->factor))
    text_printf(out, ", mean times within a factor of %.2f", runs->factor);
  if (runs->is_changed)
    text_add(out, ": shares of different runs don't belong together; give the program the same "
                  "input and seed each time, pin it (taskset), and leave the machine to it");
  text_add(out, runs->is_changed && runs->is_stdin_spent ? spent : "");
}

static bool print_text(const struct topdown_runs *runs, const struct source *source,
                       const struct topdown_options *chosen) {
  const struct measurement *m = &runs->measurements[runs->shown];
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0}, line = {0};
  head_add(m, &terminal, "", &out);
  add_runs(runs, &line);
  if (line.length) {
    terminal_add(&terminal, &out, runs->is_changed ? STYLE_CAUTION : STYLE_PLAIN, "");
    text_add_wrapped(&out, text_get(&line), 0, 2, terminal.width);
    text_add(&out, "\n");
  }
  if (source->reason && !source->error)
    text_printf(&out, "estimated: %s", source->reason);
  if (source->reason && !source->error && *source->machine.large)
    text_printf(&out, ": taskset -c %s reticle topdown ... counts on the large ones",
                source->machine.large);
  text_add(&out, source->reason && !source->error ? "\n" : "");
  text_add(&out, "\n");
  topdown_view_add(m, &runs->views[runs->shown], chosen->all ? SIZE_MAX : chosen->top, &terminal,
                   &out);
  if (chosen->output) {
    text_printf(&out, "\nnext: ");
    terminal_printf(&terminal, &out, STYLE_COMMAND, "reticle report --topdown %s", chosen->output);
    text_add(&out, "\n");
  }
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
  text_release(&line);
  text_release(&out);
  return written;
}

static bool print_json(const struct topdown_runs *runs, const struct source *source) {
  const struct measurement *m = &runs->measurements[runs->shown];
  struct json *json = json_object_new();
  json_put_text(json, "schema", "reticle-topdown/1");
  json_put_count(json, "runs", runs->count);
  if (runs->count > 1 && !isnan(runs->points))
    json_put_bool(json, "steady", !runs->is_changed);
  else
    json_put_null(json, "steady");
  json_put_number_or_null(json, "steady_points", runs->points);
  json_put_text_or_null(json, "reason", source->reason ? source->reason : "");
  topdown_view_json(m, &runs->views[runs->shown], json);
  bool written = json_write(json, stdout);
  json_free(json);
  return written;
}

/// Keeps the last run's profile.
static bool save(const struct topdown_runs *runs, const char *output) {
  struct profile_error error;
  if (profile_write(&runs->measurements[runs->shown].input.profile, output, &error) == 0)
    return true;
  message_error("topdown: %s", error.text);
  return false;
}

/// Said before the program runs, not after.
static bool can_save(const char *output) {
  const char *slash = strrchr(output, '/');
  struct text folder = {0};
  text_add_bytes(&folder, slash ? output : ".", slash ? (size_t)(slash - output) + 1 : 1);
  bool can = access(text_get(&folder), W_OK | X_OK) == 0;
  if (!can)
    message_error("topdown: -o %s: cannot be written: %s; name a file in a folder that is there",
                  output, strerror(errno));
  text_release(&folder);
  return can;
}

/// Too many counters at once: what is tried then, coarser each time.
static const unsigned fewer[] = {4, 2};
enum { FEWER = sizeof(fewer) / sizeof(fewer[0]) };

/// Counts; where there are too few counters for it, again with fewer at once, at last without
/// general ones.
static int count(struct topdown_runs *runs, const struct source *source) {
  const struct topdown_machine *machine = &source->machine;
  const struct topdown_runs fresh = *runs;
  for (unsigned tries = 0;; tries++) {
    const struct topdown_tree *tree = tries > FEWER ? machine->metrics_tree : machine->tree;
    int status = exit_status(topdown_runs_count(runs, tree, machine->width, machine->has_erratum));
    bool is_last = tries > FEWER || (tries == FEWER && !machine->metrics_tree);
    if (status != EXIT_FINE || is_last || !runs->views[runs->shown].run.is_short)
      return status;
    topdown_runs_release(runs);
    *runs = fresh;
    runs->counters_most = fewer[tries < FEWER ? tries : FEWER - 1];
    if (tries < FEWER) {
      message_note("too few counters are free for a whole group: again with %u at once",
                   fewer[tries]);
    } else {
      message_note("no two counters are free: again with PERF_METRICS, which needs none");
    }
  }
}

static int measure(const struct topdown_options *chosen, const char *path, char **argv) {
  struct source source;
  static struct topdown_runs runs;
  if (!find_source(chosen, &source))
    return EXIT_USAGE;
  if (chosen->output && !can_save(chosen->output))
    return EXIT_UNREADABLE;
  runs = (struct topdown_runs){.problems = problems_shown(),
                               .path = path,
                               .argv = argv,
                               .loops_most = chosen->top,
                               .level_most = chosen->level};
  int status = EXIT_FINE;
  if (!source.reason) {
    status = count(&runs, &source);
    // What a group of the tree needs may be denied where cycles alone are not.
    if (status == EXIT_FINE && runs.views[runs.shown].run.state != TOPDOWN_COUNTED)
      message_note("nothing was counted in run 1: it is estimated from another one");
  }
  if (status == EXIT_FINE &&
      (source.reason || runs.views[runs.shown].run.state != TOPDOWN_COUNTED)) {
    struct topdown_run why = runs.count ? runs.views[runs.shown].run : (struct topdown_run){0};
    status = exit_status(topdown_runs_estimate(&runs));
    if (status == EXIT_FINE && runs.count > 1)
      runs.views[runs.shown].run = why; // what the state says is of the run that tried
  }
  bool written = status != EXIT_FINE ||
                 (chosen->json ? print_json(&runs, &source) : print_text(&runs, &source, chosen));
  if (!written)
    message_error("topdown: not all of it could be written: %s", strerror(errno));
  if (status == EXIT_FINE && (!written || (chosen->output && !save(&runs, chosen->output))))
    status = EXIT_UNREADABLE;
  topdown_runs_release(&runs);
  return status;
}

static const struct option_spec options[] = {
    {"level", 'l', OPTION_POSITIVE, "LEVEL", offsetof(struct topdown_options, level),
     "goes down to this level of the tree (default: as deep as it goes)"},
    {"top", 'n', OPTION_POSITIVE, "N", offsetof(struct topdown_options, top),
     "the N loops that take most time decide what is counted next, and are shown (default 5)"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct topdown_options, all), "shows all loops"},
    {"estimate", 0, OPTION_FLAG, NULL, offsetof(struct topdown_options, estimate),
     "estimates, also where there is a PMU"},
    {"tree", 0, OPTION_TEXT, "NAME", offsetof(struct topdown_options, tree),
     "the tree of another processor, for counters that a file tells (pmu=fake:FILE)"},
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct topdown_options, output),
     "keeps the last run's profile"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct topdown_options, json),
     "JSON on stdout (schema reticle-topdown/1)"},
    {"force", 0, OPTION_FLAG, NULL, offsetof(struct topdown_options, force),
     "run the program although it is not instrumented itself"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct topdown_options chosen = {.top = TOP_DEFAULT};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command, "name the program, e.g. reticle topdown -- ./app");
  argv[1 + operands] = NULL;
  char *path = run_program_find(command->name, argv[1], problems_shown());
  int status = EXIT_UNREADABLE;
  if (path && (chosen.force || run_program_is_instrumented(command->name, path, problems_shown())))
    status = measure(&chosen, path, argv + 1);
  free(path);
  return status;
}

const struct command command_topdown = {
    .name = "topdown",
    .operands = "[--] PROGRAM [ARGUMENT...]",
    .summary = "which part of the processor each loop waits for, and for what there",
    .details =
        "Runs the program, looks at what bounds its loops, and runs it again with the counters "
        "that split that up; the runs are compared. Without a PMU it is run once, and the same "
        "tree is estimated from samples and blocks in isolation. The program's output goes to "
        "stderr, that of later runs nowhere.",
    .examples =
        (const struct command_example[]){{"reticle topdown -- ./app input", "every level"},
                                         {"reticle topdown --level 2 --output app.prof -- ./app",
                                          "two levels, kept for reticle report"},
                                         {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .stops_at_operand = true,
    .run = run,
};
