// push.c - reticle push: runs into a PostgreSQL database, each once, for a fleet of machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/model/fleet/pushed.h"
#include "tools/render/sql/push_rows.h"
#include "tools/store/fleet_push.h"
#include "tools/store/profile_list.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How long a lost connection is tried again.
#define RETRY_DEFAULT_S 60
struct push_options {
  bool set_up;
  const char *commit, *label, *retry;
};

struct tally {
  size_t pushed, there, shorter, running, epochs, unreadable;
  bool has_stopped; ///< the database said no
};

/// Runs that weren't pushed as they still run, or hold nothing, aren't mistakes of the user's.
static void count_left_out(enum pushed_result result, const char *path, struct tally *tally) {
  tally->running += result == PUSHED_RUNNING;
  tally->epochs += result == PUSHED_EPOCHS;
  tally->unreadable += result == PUSHED_UNREADABLE || result == PUSHED_REFUSED;
  if (result == PUSHED_RUNNING)
    message_warning("push: %s: its process still runs: push it when it has ended", path);
}

static void push_one(struct fleet_pusher *pusher, const char *path, struct push_facts facts,
                     struct tally *tally) {
  struct pushed pushed;
  char *whole = realpath(path, NULL); // FILE@BUILD is none
  facts.path = whole ? whole : path;
  struct fleet_run run = {0};
  enum pushed_result result = pushed_load(path, &pushed, problems_shown());
  if (result != PUSHED_LOADED) {
    count_left_out(result, path, tally);
    pushed_release(&pushed);
    free(whole);
    return;
  }
  push_rows_put(&pushed, &facts, &run);
  switch (fleet_push(pusher, &run)) {
  case FLEET_PUSHED:
    tally->pushed++;
    break;
  case FLEET_WAS_THERE:
    tally->there++;
    break;
  case FLEET_WAS_SHORTER:
    tally->shorter++;
    message_warning(
        "push: %s: an earlier checkpoint of this run is there as %s and stays: runs are "
        "only added; push when they have ended",
        path, run.id);
    break;
  case FLEET_FAILED:
    tally->has_stopped = true;
    break;
  }
  fleet_run_release(&run);
  pushed_release(&pushed);
  free(whole);
}

/// One line on stdout.
static void print(const struct tally *tally, const struct fleet_pusher *pusher) {
  printf("pushed %s", units_counted(tally->pushed, "run").data);
  if (tally->there)
    printf(", %zu %s there already", tally->there, tally->there == 1 ? "was" : "were");
  if (tally->shorter)
    printf(", %zu %s there as an earlier checkpoint", tally->shorter,
           tally->shorter == 1 ? "was" : "were");
  if (tally->running)
    printf(", %zu still run%s", tally->running, tally->running == 1 ? "s" : "");
  if (tally->epochs)
    printf(", %s of closed epochs left out", units_counted(tally->epochs, "file").data);
  if (tally->unreadable)
    printf(", %zu could not be read", tally->unreadable);
  if (pusher->retries)
    printf(" (%s tried again)", units_counted(pusher->retries, "time").data);
  putchar('\n');
}

static int push_all(const struct postgres_url *url, char *const *operands, size_t count,
                    const struct push_options *options, double patience_s) {
  struct profile_list list;
  struct fleet_pusher pusher = {0};
  struct tally tally = {0};
  const struct push_facts facts = {options->commit, options->label, NULL};
  bool fine = profile_list_make("push", operands, count, &list, problems_shown()) &&
              fleet_pusher_open("push", url, patience_s, &pusher, problems_shown());
  for (size_t i = 0; fine && i < list.count && !tally.has_stopped; i++)
    push_one(&pusher, list.paths[i], facts, &tally);
  bool is_something = tally.pushed || tally.there || tally.shorter || !tally.has_stopped;
  if (fine && is_something)
    print(&tally, &pusher);
  fine = fine && !tally.has_stopped && !tally.unreadable && fflush(stdout) == 0;
  fleet_pusher_close(&pusher);
  profile_list_release(&list);
  return fine ? EXIT_FINE : EXIT_UNREADABLE;
}

static bool set_up(const struct postgres_url *url) {
  int from = 0;
  if (!fleet_set_up("push", url, &from, problems_shown()))
    return false;
  if (from == FLEET_VERSION)
    printf("tables of version %d are there\n", from);
  else if (from)
    printf("tables brought from version %d to %d\n", from, FLEET_VERSION);
  else
    printf("tables of version %d made, with roles reticle_writer and reticle_reader\n",
           FLEET_VERSION);
  return true;
}

static int run(const struct command *command, int argc, char **argv) {
  struct push_options chosen = {0};
  struct postgres_url url = {0};
  int operands;
  postgres_url_hide_all(argc, argv);
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  double patience_s = RETRY_DEFAULT_S;
  if (chosen.retry && strcmp(chosen.retry, "0") == 0)
    patience_s = 0;
  else if (chosen.retry && (patience_s = units_seconds(chosen.retry)) == 0)
    return options_misuse(command, "--retry takes a time as in 90s, 5m or 2h, or 0, not '%s'",
                          chosen.retry);
  if (!operands || !postgres_url_is(argv[1]))
    return options_misuse(command, "name the database first: postgresql://HOST/DATABASE");
  if (operands == 1 && !chosen.set_up)
    return options_misuse(command, "name the profiles, folders or studies to push");
  if (strchr(argv[1], '#'))
    return options_misuse(command, "what is behind # names runs to read: leave it out");
  int status = EXIT_UNREADABLE;
  if (postgres_url_parse("push", argv[1], &url, problems_shown()) &&
      (!chosen.set_up || set_up(&url)))
    status = operands == 1 ? EXIT_FINE
                           : push_all(&url, argv + 2, (size_t)operands - 1, &chosen, patience_s);
  postgres_url_release(&url);
  return status;
}

static const struct option_spec options[] = {
    {"set-up", 0, OPTION_FLAG, NULL, offsetof(struct push_options, set_up),
     "make the tables and roles first, or bring older tables to this version; keeps what is in "
     "them"},
    {"commit", 'c', OPTION_TEXT, "COMMIT", offsetof(struct push_options, commit),
     "what the program was built from: 'git rev-parse HEAD' of its sources"},
    {"label", 0, OPTION_TEXT, "TEXT", offsetof(struct push_options, label),
     "a word of your own for these runs, as a branch or a cluster"},
    {"retry", 0, OPTION_TEXT, "TIME", offsetof(struct push_options, retry),
     "how long to try again where the connection is lost or the server restarts (default 60s)"},
};

const struct command command_push = {
    .name = "push",
    .operands = "postgresql://... PROFILE|FOLDER|STUDY...",
    .summary = "add runs to a PostgreSQL database, for a fleet of machines",
    .details =
        "One transaction a run; a run that is there already stays as it is, so it is safe to "
        "push again. Passwords belong into PGPASSFILE or a service file; libpq's variables "
        "fill in what the URL leaves out. reticle ranks, diff and check read from it.",
    .examples =
        (const struct command_example[]){
            {"reticle push --set-up postgresql://db.example/perf", "tables and roles, once"},
            {"reticle push postgresql://db.example/perf app.*.prof", "runs of a program"},
            {"reticle push --commit $(git rev-parse HEAD) postgresql:///perf app.reticle",
             "a study, with what it was built from"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(*options),
    .run = run,
};
