// history.c - reticle history: levels over the checks of many commits, and where they changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/history.h"

#include "tools/cmd/commands.h"
#include "tools/cmd/page_file.h"
#include "tools/cmd/problems.h"
#include "tools/render/html/history_page.h"
#include "tools/render/json/compare/history_json.h"
#include "tools/render/text/compare/history_text.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct history_options {
  const char *html;
  bool json, all;
};

static bool write_page(const struct history *history, const char *path) {
  struct text page = {0};
  history_page_add(history, &page);
  bool written = page_file_write("history", path, &page);
  text_release(&page);
  return written;
}

static bool print(const struct history *history, const struct history_options *options) {
  if (options->json)
    return history_json_write(history, stdout);
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  history_text_add(history, options->all, &terminal, &out);
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && fflush(stdout) == 0;
  text_release(&out);
  return written;
}

static int run(const struct command *command, int argc, char **argv) {
  struct history_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands != 1)
    return options_misuse(command, "give one file, as `reticle check --history FILE` writes it");
  struct history history;
  int status = history_load(argv[1], &history, problems_shown()) ? EXIT_FINE : EXIT_UNREADABLE;
  if (status == EXIT_FINE && chosen.html && !write_page(&history, chosen.html))
    status = EXIT_UNREADABLE;
  if (status == EXIT_FINE && (!chosen.html || chosen.json) && !print(&history, &chosen)) {
    message_error("history: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
  history_release(&history);
  return status;
}

static const struct option_spec options[] = {
    {"html", 0, OPTION_TEXT, "FILE", offsetof(struct history_options, html),
     "write a page with a picture of each loop's level there"},
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct history_options, json),
     "JSON on stdout (schema reticle-history/1)"},
    {"all", 'a', OPTION_FLAG, NULL, offsetof(struct history_options, all),
     "every loop, also those whose level never changed"},
};

const struct command command_history = {
    .name = "history",
    .operands = "FILE",
    .summary = "levels over the checks of many commits, and where they changed",
    .details = "Reads what `reticle check --history FILE` appended, check by check. Changes are "
               "told from noise by change points: a level needs some checks, 3 at the least, "
               "before it is believed. Only times of one kind of processor are compared.",
    .examples =
        (const struct command_example[]){
            {"reticle history app.history", "what changed, and at which commit"},
            {"reticle history app.history --html history.html", "the same as pictures"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(*options),
    .run = run,
};
