// complete_fish.c - tables for fish: a line for each command and each of its options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/manual/complete.h"

#include "tools/cmd/commands.h"
#include "tools/manual/takes.h"

static void add_description(const char *string, struct text *out) {
  text_add(out, " -d '");
  complete_add_escaped(string, "'\\", out);
  text_add(out, "'\n");
}

static void add_value(const struct option_spec *spec, struct text *out) {
  struct text words = {0};
  switch (takes_option(spec, &words)) {
  case TAKES_WORDS:
    text_format(out, " -x -a '%s'", text_get(&words));
    break;
  case TAKES_FILE:
    text_add(out, " -r -F");
    break;
  default:
    text_add(out, option_takes_value(spec) ? " -x" : "");
  }
  text_release(&words);
}

/// Options whose value is the next word, each with a blank in front.
static void add_valued(const struct command *command, struct text *out) {
  for (size_t i = 0; i < command->option_count; i++) {
    const struct option_spec *spec = &command->options[i];
    if (!spec->help || !option_takes_value(spec))
      continue;
    text_format(out, " --%s", spec->name);
    if (spec->letter)
      text_format(out, " -%c", spec->letter);
  }
}

/// The beginning of a line that holds where the command's options may stand.
static void add_start(const struct command *command, struct text *out) {
  text_format(out, "complete -c reticle -n '__reticle_%s %s",
              command->stops_at_operand ? "before" : "in", command->name);
  if (command->stops_at_operand)
    add_valued(command, out);
  text_add(out, "'");
}

static void add_option(const struct command *command, const struct option_spec *spec,
                       struct text *out) {
  add_start(command, out);
  text_format(out, " -l %s", spec->name);
  if (spec->letter)
    text_format(out, " -s %c", spec->letter);
  add_value(spec, out);
  add_description(spec->help, out);
  if (spec->type == OPTION_SWITCH) {
    add_start(command, out);
    text_format(out, " -l no-%s -d 'not --%s'\n", spec->name, spec->name);
  }
}

/// A program that may also begin at the first operand, without --.
static void add_first_program(const struct command *command, struct text *out) {
  text_format(out,
              "complete -c reticle -n '__reticle_in %s' -a '(__fish_complete_subcommand "
              "--fcs-skip=2",
              command->name);
  add_valued(command, out);
  text_add(out, ")'\n");
}

static void add_operands(const struct command *command, struct text *out) {
  switch (takes_operand(command)) {
  case TAKES_PROFILE:
    text_format(out, "complete -c reticle -n '__reticle_%s %s' -k -a '(__reticle_profiles)'\n",
                takes_program(command) && !takes_profiles_behind(command) ? "in" : "of",
                command->name);
    break;
  case TAKES_PROGRAM:
    if (command->stops_at_operand)
      add_first_program(command, out);
    else
      text_format(out, "complete -c reticle -n '__reticle_in %s' -a '(__fish_complete_command)'\n",
                  command->name);
    break;
  case TAKES_COMMAND:
    for (size_t i = 0; commands[i]; i++) {
      text_format(out, "complete -c reticle -n '__reticle_in %s' -a %s", command->name,
                  commands[i]->name);
      add_description(commands[i]->summary, out);
    }
    break;
  default:
    break;
  }
  if (takes_program(command))
    text_format(out, "complete -c reticle -n '__reticle_behind %s' -a '(__reticle_program)'\n",
                command->name);
}

void complete_add_fish(struct text *out) {
  for (size_t i = 0; commands[i]; i++) {
    text_format(out, "complete -c reticle -n __reticle_first -a %s", commands[i]->name);
    add_description(commands[i]->summary, out);
  }
  for (size_t i = 0; commands[i]; i++) {
    for (size_t k = 0; k < commands[i]->option_count; k++)
      if (commands[i]->options[k].help)
        add_option(commands[i], &commands[i]->options[k], out);
    add_start(commands[i], out);
    text_add(out, " -l help -s h");
    add_description("print what it takes", out);
    add_operands(commands[i], out);
  }
}
