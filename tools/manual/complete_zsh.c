// complete_zsh.c - tables for zsh: the commands, and for each of them a call of _arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/manual/complete.h"

#include "tools/cmd/commands.h"
#include "tools/manual/takes.h"

/// A string inside '...', with a backslash in front of these characters.
static void add_quoted(const char *string, const char *characters, struct text *out) {
  struct text escaped = {0};
  complete_add_escaped(string, characters, &escaped);
  for (const char *c = text_get(&escaped); *c; c++)
    if (*c == '\'')
      text_add(out, "'\\''");
    else
      text_add_bytes(out, c, 1);
  text_release(&escaped);
}

static const char *const actions[] = {[TAKES_NOTHING] = " ",
                                      [TAKES_WORDS] = "",
                                      [TAKES_FILE] = "_files",
                                      [TAKES_PROFILE] = "_reticle_profiles",
                                      [TAKES_PROGRAM] = "_command_names -e",
                                      [TAKES_COMMAND] = "_reticle_commands"};

/// ":N: " or ":FILE:_files": what a value is called, and how it is completed.
static void add_value(const struct option_spec *spec, struct text *out) {
  struct text words = {0};
  enum takes takes = takes_option(spec, &words);
  text_format(out, ":%s:", option_has_words(spec) ? spec->name : spec->value);
  if (takes == TAKES_WORDS)
    text_format(out, "(%s)", text_get(&words));
  else
    text_add(out, actions[takes]);
  text_release(&words);
}

/// '(-s --sort)'{-s+,--sort=}'[what the largest of comes first]:sort:(lost share p50 runs)'
static void add_option(const struct option_spec *spec, struct text *out) {
  bool has_value = option_takes_value(spec), is_switch = spec->type == OPTION_SWITCH;
  const char *equals = has_value ? "=" : "";
  text_add(out, "      ");
  if (is_switch)
    text_format(out, "'(--%s --no-%s)'{--%s,--no-%s}'", spec->name, spec->name, spec->name,
                spec->name);
  else if (spec->letter)
    text_format(out, "'(-%c --%s)'{-%c%s,--%s%s}'", spec->letter, spec->name, spec->letter,
                has_value ? "+" : "", spec->name, equals);
  else
    text_format(out, "'--%s%s", spec->name, equals);
  text_add(out, "[");
  add_quoted(spec->help, "[]\\", out);
  text_add(out, "]");
  if (has_value)
    add_value(spec, out);
  text_add(out, "' \\\n");
}

static void add_command(const struct command *command, struct text *out) {
  enum takes operand = takes_operand(command);
  text_format(out, "  %s)\n", command->name);
  if (takes_program(command))
    text_format(out, "    _reticle_program%s && return\n",
                takes_profiles_behind(command) ? " either" : "");
  text_add(out, "    _arguments -s -S \\\n");
  for (size_t i = 0; i < command->option_count; i++)
    if (command->options[i].help)
      add_option(&command->options[i], out);
  text_add(out, "      '(- *)'{-h,--help}'[print what it takes]'");
  if (command->stops_at_operand)
    text_format(out, " \\\n      '(-):program:%s' '*::arguments:_normal'", actions[operand]);
  else if (operand != TAKES_NOTHING)
    text_format(out, " \\\n      '*:operand:%s'", actions[operand]);
  text_add(out, "\n    ;;\n");
}

void complete_add_zsh(struct text *out) {
  text_add(out, "_reticle_commands() {\n  local -a names=(\n");
  for (size_t i = 0; commands[i]; i++) {
    text_format(out, "    '%s:", commands[i]->name);
    add_quoted(commands[i]->summary, "\\", out);
    text_add(out, "'\n");
  }
  text_add(out, "  )\n  _describe -t commands command names\n}\n\n"
                "# Completes the options and operands of command $1.\n"
                "_reticle_options() {\n  case $1 in\n");
  for (size_t i = 0; commands[i]; i++)
    add_command(commands[i], out);
  text_add(out, "  esac\n}\n");
}
