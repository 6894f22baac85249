// show.c - reticle show: one card with everything that is known about a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/cmd/find_loop.h"
#include "tools/cmd/head.h"
#include "tools/cmd/loop_card.h"
#include "tools/cmd/report_json.h"
#include "tools/cmd/struct_table.h"
#include "tools/ui/messages.h"

#include <errno.h>
#include <string.h>

struct show_options {
  bool json;
};

static void add_next(const struct measurement *m, const struct measured_loop *loop,
                     const struct terminal *terminal, struct text *out) {
  struct text command = {0};
  if (loop->rank < m->loop_count && m->loops[loop->rank].stats.samples)
    text_printf(&command, "reticle show L%zu", loop->rank + 1);
  else
    text_add(&command, "reticle report");
  input_add_operands(&m->input, &command);
  text_add(out, "\nnext: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&command);
}

static bool print_card(const struct measurement *m, const struct measured_loop *loop) {
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  head_add(m, &terminal, "", &out);
  text_add(&out, "\n");
  loop_card_add(m, loop, &terminal, &out);
  add_next(m, loop, &terminal, &out);
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
  text_release(&out);
  return written;
}

static bool print_struct(const struct measurement *m, size_t rank) {
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0}, command = {0};
  head_add(m, &terminal, "", &out);
  text_add(&out, "\n");
  struct_card_add(m, &m->structs, rank, &terminal, &out);
  text_add(&command, "reticle report --structs");
  input_add_operands(&m->input, &command);
  text_add(&out, "\nnext: ");
  terminal_add(&terminal, &out, STYLE_COMMAND, text_get(&command));
  text_add(&out, "\n");
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
  text_release(&command);
  text_release(&out);
  return written;
}

static int show(const struct show_options *options, const char *name, char *const *paths,
                size_t count) {
  struct measurement measurement;
  int status = measurement_load(paths, count, &measurement);
  size_t rank = status == EXIT_FINE ? struct_find(&measurement.structs, name) : 0;
  if (rank) {
    bool written = options->json ? report_json_write(&measurement, NULL, 0, stdout)
                                 : print_struct(&measurement, rank);
    if (!written) {
      message_error("show: not all of it could be written: %s", strerror(errno));
      status = EXIT_UNREADABLE;
    }
    measurement_release(&measurement);
    return status;
  }
  const struct measured_loop *loop = status == EXIT_FINE ? find_loop(&measurement, name) : NULL;
  if (status == EXIT_FINE && !loop)
    status = EXIT_USAGE;
  if (loop) {
    size_t row = loop->rank - 1;
    bool written = options->json ? report_json_write(&measurement, &row, 1, stdout)
                                 : print_card(&measurement, loop);
    if (!written) {
      message_error("show: not all of it could be written: %s", strerror(errno));
      status = EXIT_UNREADABLE;
    }
  }
  measurement_release(&measurement);
  return status;
}

static const struct option_spec options[] = {
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct show_options, json),
     "JSON on stdout: a report with this loop alone (schema reticle-report/1)"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct show_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (!operands)
    return options_misuse(command,
                          "name a loop or a struct: its number in the report, e.g. L1 or S1");
  return show(&chosen, argv[1], argv + 2, (size_t)operands - 1);
}

const struct command command_show = {
    .name = "show",
    .operands = "ID [F...]",
    .summary = "one card with everything that is known about a loop or a struct",
    .details = "ID is the number in the report (L1), the stable id (16 hex digits), the place "
               "(book.c:8) or the function; of a struct its number (S1) or its name. F are profile "
               "files as for report; the numbers L1, "
               "L2, ... hold for one set of files.",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
