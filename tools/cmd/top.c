// top.c - reticle top: what a running process does now, redrawn every few seconds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_rank.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/model/join/measurement_load.h"
#include "tools/run/child/live.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define DELAY_S 3
/// Lines that the head, the headings and the samples' table take beside the loops.
#define LINES_BESIDE 22
#define LOOPS_LEAST 5
#define LOOPS_DEFAULT 15

struct top_options {
  const char *delay;
  uint64_t count;
  bool all;
};

/// As many loops as fit the screen.
static uint64_t rows_of(const struct terminal *terminal) {
  return !terminal->height                               ? LOOPS_DEFAULT
         : terminal->height < LINES_BESIDE + LOOPS_LEAST ? LOOPS_LEAST
                                                         : terminal->height - LINES_BESIDE;
}

/// Prints what the process did since the mark; on a terminal in place of what stands there.
static bool draw(const struct live *live, const struct report_options *options) {
  struct measurement m;
  struct findings findings = {0};
  struct terminal terminal = terminal_inspect(STDOUT_FILENO);
  struct text out = {0};
  bool fine = exit_status(measurement_load_interval(live->name, live->path, &m,
                                                    problems_shown())) == EXIT_FINE;
  if (fine) {
    findings_make(&m, &findings);
    if (isatty(STDOUT_FILENO))
      text_add(&out, "\033[H\033[2J");
    struct report_options shown = *options;
    shown.only[PART_samples] = m.samples.taken;
    shown.top = rows_of(&terminal);
    report_add(&m, &findings, &shown, &terminal, &out);
    fine = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
    if (!fine)
      message_error("top: not all of it could be written: %s", strerror(errno));
  }
  text_release(&out);
  findings_release(&findings);
  measurement_release(&m);
  return fine;
}

static int watch(const char *operand, double delay_s, const struct top_options *chosen) {
  struct report_options loops = {
      .only = {[PART_loops] = true}, .sort = LOOP_KEY_SHARE, .all = chosen->all};
  struct live live;
  int status = EXIT_FINE;
  bool goes_on = live_open(operand, &live, problems_shown());
  if (!goes_on)
    status = EXIT_UNREADABLE;
  for (uint64_t i = 0; goes_on && (!chosen->count || i < chosen->count); i++) {
    // A process that ends while it is watched is no error.
    goes_on = live_mark(&live) && live_wait(&live, delay_s) && draw(&live, &loops);
    if (!goes_on && i == 0)
      status = EXIT_UNREADABLE;
  }
  live_close(&live);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct top_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands != 1)
    return options_misuse(command, "give the id of a process, or its profile");
  double delay_s = chosen.delay ? units_seconds(chosen.delay) : DELAY_S;
  if (delay_s == 0)
    return options_misuse(command, "--delay takes a time as in 2s or 1m, not '%s'", chosen.delay);
  return watch(argv[1], delay_s, &chosen);
}

static const struct option_spec options[] = {
    {"delay", 'd', OPTION_TEXT, "TIME", offsetof(struct top_options, delay),
     "from one table to the next (default 3s; a process writes a checkpoint about once a second)"},
    {"count", 'n', OPTION_POSITIVE, "N", offsetof(struct top_options, count),
     "end after so many tables"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct top_options, all), "every loop"},
};

const struct command command_top = {
    .name = "top",
    .operands = "PID|F",
    .summary = "what a running process does now: its loops, and functions where it is sampled",
    .details =
        "Each table is of the time since the last one. The process isn't stopped, and nothing "
        "is sent to it: the checkpoints that it writes are read.",
    .examples =
        (const struct command_example[]){
            {"reticle top 4711", "the process 4711, until Ctrl-C"},
            {"reticle top --delay 10s --count 6 4711", "a minute of it"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
