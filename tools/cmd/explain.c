// explain.c - reticle explain: what a word of a report means.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"

#include "tools/support/messages.h"
#include "tools/ui/glossary.h"
#include "tools/ui/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int print(const struct text *text) {
  bool written = fwrite(text_get(text), 1, text->length, stdout) == text->length;
  if (written && !fflush(stdout))
    return EXIT_FINE;
  message_error("explain: not all of it could be written: %s", strerror(errno));
  return EXIT_UNREADABLE;
}

/// The words of the command line as one: reticle explain false sharing.
static void join(char *const *words, int count, struct text *out) {
  for (int i = 0; i < count; i++) {
    text_add(out, i ? " " : "");
    text_add(out, words[i]);
  }
}

static int run(const struct command *command, int argc, char **argv) {
  int operands, status = EXIT_FINE;
  enum options_result result = options_parse(command, argc, argv, NULL, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text word = {0}, out = {0};
  char *nearest = NULL;
  join(argv + 1, operands, &word);
  if (!operands) {
    glossary_list(terminal.width, &out);
  } else if (!glossary_explain(text_get(&word), terminal.width, &out, &nearest)) {
    if (nearest)
      message_error("explain: '%s' is no word of reports; did you mean '%s'?", text_get(&word),
                    nearest);
    else
      message_error("explain: '%s' is no word of reports (reticle explain lists them)",
                    text_get(&word));
    status = EXIT_USAGE;
  }
  if (status == EXIT_FINE)
    status = print(&out);
  free(nearest);
  text_release(&word);
  text_release(&out);
  return status;
}

const struct command command_explain = {
    .name = "explain",
    .operands = "[WORD...]",
    .summary = "what a heading, column, finding or other word of a report means",
    .details = "Without WORD: all of them.",
    .examples = (const struct command_example[]){{"reticle explain stall-memory", "a finding"},
                                                 {"reticle explain work/cpu", "a column"},
                                                 {"reticle explain false sharing", "a term"},
                                                 {0}},
    .run = run,
};
