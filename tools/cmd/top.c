// top.c - reticle top: what a running process does now, redrawn every few seconds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/report/hottest.h"
#include "tools/render/text/report/top_screen.h"
#include "tools/run/child/live.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELAY_S 3
/// Rows where the screen's height isn't known.
#define ROWS_DEFAULT 15
/// What a row's weight keeps from one screen to the next: those of like shares keep their places.
#define KEPT 0.7
/// A weight that is forgotten.
#define WEIGHT_LEAST 1e-4

struct top_options {
  const char *delay;
  uint64_t count;
};

/// Shares of rows on recent screens, older ones with less weight.
struct recent {
  struct {
    char key[120];
    double weight;
  } rows[4 * HOTTEST_MOST];
  size_t count;
};

static void name_row(const struct hottest_row *row, char *key, size_t size) {
  snprintf(key, size, "%llx %s", row->loop ? (unsigned long long)row->loop->loop->id : 0,
           row->place ? row->place->function : "");
}

/// Adds what the row takes now; null where there is no room for another one.
static const double *weigh(struct recent *recent, const struct hottest_row *row) {
  char key[sizeof recent->rows[0].key];
  size_t i = 0;
  name_row(row, key, sizeof key);
  while (i < recent->count && strcmp(recent->rows[i].key, key) != 0)
    i++;
  if (i == sizeof recent->rows / sizeof *recent->rows)
    return NULL;
  if (i == recent->count) {
    memcpy(recent->rows[i].key, key, sizeof key);
    recent->rows[recent->count++].weight = 0;
  }
  if (row->share.value > 0)
    recent->rows[i].weight += row->share.value;
  return &recent->rows[i].weight;
}

static void forget(struct recent *recent) {
  size_t kept = 0;
  for (size_t i = 0; i < recent->count; i++) {
    recent->rows[i].weight *= KEPT;
    if (recent->rows[i].weight >= WEIGHT_LEAST)
      recent->rows[kept++] = recent->rows[i];
  }
  recent->count = kept;
}

struct weighed {
  struct hottest_row row;
  double weight;
  size_t was; ///< place by what they take now
};

static int compare_weights(const void *left, const void *right) {
  const struct weighed *a = left, *b = right;
  return a->weight != b->weight ? (a->weight < b->weight ? 1 : -1)
                                : (a->was > b->was) - (a->was < b->was);
}

/// By what they took on recent screens: rows that take about the same don't change places each
/// time.
static void order_by_recent(struct recent *recent, struct hottest *hottest) {
  struct weighed rows[HOTTEST_MOST];
  forget(recent);
  for (size_t i = 0; i < hottest->count; i++) {
    const double *weight = weigh(recent, &hottest->rows[i]);
    rows[i] = (struct weighed){hottest->rows[i], weight ? *weight : 0, i};
  }
  if (hottest->count)
    qsort(rows, hottest->count, sizeof *rows, compare_weights);
  for (size_t i = 0; i < hottest->count; i++)
    hottest->rows[i] = rows[i].row;
}

/// Prints what the process did since the mark; on a terminal in place of what stands there.
static bool draw(const struct live *live, struct recent *recent) {
  struct measurement m;
  struct terminal terminal = terminal_inspect(STDOUT_FILENO);
  struct text out = {0};
  bool fine = exit_status(measurement_load_interval(live->name, live->path, &m,
                                                    problems_shown())) == EXIT_FINE;
  if (fine) {
    struct hottest hottest;
    hottest_find(&m, HOTTEST_MOST, 1, &hottest);
    order_by_recent(recent, &hottest);
    if (isatty(STDOUT_FILENO))
      text_add(&out, "\033[H\033[2J");
    top_screen_add(&m, &hottest, terminal.height ? 0 : ROWS_DEFAULT, &terminal, &out);
    fine = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
    if (!fine)
      message_error("top: not all of it could be written: %s", strerror(errno));
  }
  text_release(&out);
  measurement_release(&m);
  return fine;
}

static int watch(const char *operand, double delay_s, uint64_t count) {
  struct recent recent = {.count = 0};
  struct live live;
  int status = EXIT_FINE;
  bool goes_on = live_open(operand, &live, problems_shown());
  if (!goes_on)
    status = EXIT_UNREADABLE;
  for (uint64_t i = 0; goes_on && (!count || i < count); i++) {
    // A process that ends while it is watched is no error.
    goes_on = live_mark(&live) && live_wait(&live, delay_s) && draw(&live, &recent);
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
  return watch(argv[1], delay_s, chosen.count);
}

static const struct option_spec options[] = {
    {"delay", 'd', OPTION_TEXT, "TIME", offsetof(struct top_options, delay),
     "from one table to the next (default 3s; a process writes a checkpoint about once a second)"},
    {"count", 'n', OPTION_POSITIVE, "N", offsetof(struct top_options, count),
     "end after so many tables"},
};

const struct command command_top = {
    .name = "top",
    .operands = "PID|F",
    .summary = "what a running process does now: its loops, and functions where it is sampled",
    .details =
        "One screen, of the time since the last one; rows keep their places while they take about "
        "the same. The process isn't stopped, and nothing is sent to it: the checkpoints that it "
        "writes are read.",
    .examples =
        (const struct command_example[]){
            {"reticle top 4711", "the process 4711, until Ctrl-C"},
            {"reticle top --delay 10s --count 6 4711", "a minute of it"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
