// gates.c - reticle gates: loops that the next build is better off without gates for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/study/gate_list.h"
#include "tools/profile/file.h"
#include "tools/support/messages.h"
#include "tools/support/text.h"

#include <errno.h>
#include <string.h>

struct gates_options {
  const char *output;
  uint64_t budget_permille;
};

static int write_list(const char *path, const struct text *list) {
  if (!path) {
    if (fwrite(text_get(list), 1, list->length, stdout) == list->length && !fflush(stdout))
      return EXIT_FINE;
    message_error("gates: not all of it could be written: %s", strerror(errno));
    return EXIT_UNREADABLE;
  }
  struct profile_error error;
  if (file_write(path, text_get(list), list->length, &error) == 0)
    return EXIT_FINE;
  message_error("gates: %s", error.text);
  return EXIT_UNREADABLE;
}

static int choose(const struct gates_options *options, char **argv, size_t files) {
  struct measurement measurement;
  struct gate_choice choice = {0};
  struct text list = {0};
  int status = exit_status(measurement_load(argv + 1, files, &measurement, problems_shown()));
  const char *gap = NULL;
  if (status == EXIT_FINE)
    gap = gate_list_add(&measurement, options->budget_permille, &list, &choice);
  if (gap) {
    message_error("gates: %s; run the program again with this version", gap);
    status = EXIT_UNREADABLE;
  }
  if (status == EXIT_FINE)
    status = write_list(options->output, &list);
  if (status == EXIT_FINE && options->output)
    printf("%s: loops left out: %zu, with %.1f %% of all entries\n", options->output, choice.count,
           choice.executions ? 100.0 * (double)choice.left_executions / (double)choice.executions
                             : 0.0);
  text_release(&list);
  measurement_release(&measurement);
  return status;
}

static int run(const struct command *command, int argc, char **argv) {
  struct gates_options chosen = {.budget_permille = GATE_BUDGET_PERMILLE};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  return choose(&chosen, argv, (size_t)operands);
}

static const struct option_spec options[] = {
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct gates_options, output),
     "write the list there, not on stdout"},
    {"budget", 0, OPTION_POSITIVE, "PERMILLE", offsetof(struct gates_options, budget_permille),
     "what the gates that stay may take of the CPU time, in thousandths (default 5)"},
};

const struct command command_gates = {
    .name = "gates",
    .operands = "[FILE...]",
    .summary = "list the loops that are too short for a gate, for the next build",
    .details = "For programs that are measured all the time. The list goes to "
               "-fplugin-arg-reticle-ignorelist=FILE: those loops get no gate, and are neither "
               "timed nor counted by themselves. The shortest loops come first, until the gates of "
               "the others are within the budget.",
    .examples =
        (const struct command_example[]){
            {"reticle gates -o short.list app.prof",
             "then compile with -fplugin-arg-reticle-ignorelist=short.list"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(*options),
    .run = run,
};
