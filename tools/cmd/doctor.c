// doctor.c - reticle doctor: what keeps Reticle from measuring here, and the remedy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/doctor/doctor.h"

#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/render/json/report/checks_json.h"
#include "tools/render/text/report/checks_text.h"

#include <stdio.h>

struct doctor_options {
  bool json;
};

static void print_text(const struct checks *checks) {
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  checks_print(checks, &terminal, &out);
  fputs(text_get(&out), stdout);
  text_release(&out);
}

static void print_json(const struct checks *checks) {
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-doctor/1");
  json_put(report, "checks", checks_json(checks));
  json_write(report, stdout);
  json_free(report);
}

static const struct option_spec options[] = {
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct doctor_options, json),
     "JSON on stdout (schema reticle-doctor/1)"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct doctor_options chosen = {0};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands > 1)
    return options_misuse(command, "one program at a time, but got %d", operands);
  struct checks checks = {0};
  int status = EXIT_FINE;
  if (operands && !doctor_program(argv[1], &checks, problems_shown()))
    status = EXIT_UNREADABLE;
  if (status == EXIT_FINE) {
    doctor_machine(&checks);
    doctor_installation(&checks);
    if (chosen.json)
      print_json(&checks);
    else
      print_text(&checks);
    if (checks_have_problem(&checks))
      status = EXIT_FINDING;
  }
  checks_release(&checks);
  return status;
}

const struct command command_doctor = {
    .name = "doctor",
    .operands = "[PROGRAM]",
    .summary = "what this machine, this installation and a program let Reticle measure",
    .details = "Each finding comes with its remedy.",
    .finding = "one of them is a problem",
    .examples =
        (const struct command_example[]){
            {"reticle doctor ./app", "what can be measured of that program, here"}, {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
