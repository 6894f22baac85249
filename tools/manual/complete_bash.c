// complete_bash.c - tables for bash: two functions that set what a command, or an option, takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/manual/complete.h"

#include "tools/cmd/commands.h"
#include "tools/manual/takes.h"

static const char *const kinds[] = {
    [TAKES_NOTHING] = "NOTHING", [TAKES_WORDS] = "",          [TAKES_FILE] = "FILE",
    [TAKES_PROFILE] = "PROFILE", [TAKES_PROGRAM] = "PROGRAM", [TAKES_COMMAND] = "COMMAND"};

static void add_options(const struct command *command, struct text *out) {
  for (size_t i = 0; i < command->option_count; i++) {
    const struct option_spec *spec = &command->options[i];
    if (!spec->help)
      continue;
    text_format(out, "--%s ", spec->name);
    if (spec->type == OPTION_SWITCH)
      text_format(out, "--no-%s ", spec->name);
    if (spec->letter)
      text_format(out, "-%c ", spec->letter);
  }
  text_add(out, "--help -h");
}

static void add_command(const struct command *command, struct text *out) {
  enum takes operand = takes_operand(command);
  text_format(out, "  %s)\n    options='", command->name);
  add_options(command, out);
  text_add(out, "'\n");
  if (operand != TAKES_NOTHING)
    text_format(out, "    operand=%s\n", kinds[operand]);
  if (takes_program(command))
    text_format(out, "    program=%s\n",
                command->stops_at_operand        ? "FIRST"
                : takes_profiles_behind(command) ? "EITHER"
                                                 : "DASHES");
  text_add(out, "    ;;\n");
}

static void add_values(const struct command *command, struct text *out) {
  for (size_t i = 0; i < command->option_count; i++) {
    const struct option_spec *spec = &command->options[i];
    if (!spec->help || !option_takes_value(spec))
      continue;
    struct text words = {0};
    enum takes takes = takes_option(spec, &words);
    text_format(out, "  %s:--%s", command->name, spec->name);
    if (spec->letter)
      text_format(out, " | %s:-%c", command->name, spec->letter);
    text_format(out, ") value='%s%s' ;;\n", kinds[takes], text_get(&words));
    text_release(&words);
  }
}

void complete_add_bash(struct text *out) {
  text_add(
      out,
      "# Sets what command $1 takes: its options, its operands, and whether a program follows: "
      "behind --\n# (DASHES), or profiles (EITHER), or also as the first operand (FIRST).\n"
      "_reticle_takes() {\n  commands='");
  for (size_t i = 0; commands[i]; i++)
    text_format(out, "%s%s", i ? " " : "", commands[i]->name);
  text_add(out, "'\n  options='' operand='' program=''\n  case $1 in\n");
  for (size_t i = 0; commands[i]; i++)
    add_command(commands[i], out);
  text_add(
      out,
      "  esac\n}\n\n"
      "# Sets what option $2 of command $1 takes: a kind, or words. False if it takes nothing.\n"
      "_reticle_value() {\n  case $1:$2 in\n");
  for (size_t i = 0; commands[i]; i++)
    add_values(commands[i], out);
  text_add(out, "  *) return 1 ;;\n  esac\n}\n");
}
