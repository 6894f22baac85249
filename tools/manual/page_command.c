// page_command.c - the manual page of one command: what its help says, in the sections of a page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/manual/page.h"
#include "tools/manual/roff.h"

#include <string.h>

enum { REFERENCES_MOST = 8 };

static void add_choices(const char *list, struct text *out) {
  struct text word = {0};
  for (; *list; list++) {
    if (*list != '|')
      text_add_bytes(&word, list, 1);
    if (list[1] && *list != '|')
      continue;
    roff_bold(text_get(&word), out);
    text_add(out, *list == '|' ? "|" : "");
    text_clear(&word);
  }
  text_release(&word);
}

static void add_option(const struct option_spec *spec, struct text *out) {
  struct text name = {0};
  roff_item(out);
  if (spec->letter) {
    char letter[] = {'-', spec->letter, 0};
    roff_bold(letter, out);
    text_add(out, ", ");
  }
  text_printf(&name, "--%s%s", spec->type == OPTION_SWITCH ? "[no-]" : "", spec->name);
  roff_bold(text_get(&name), out);
  text_release(&name);
  if (option_takes_value(spec))
    text_add(out, " ");
  if (option_has_words(spec))
    add_choices(spec->value, out);
  else if (option_takes_value(spec))
    roff_italic(spec->value, out);
  roff_meaning(spec->help, out);
}

static void add_options(const struct command *command, struct text *out) {
  roff_section("OPTIONS", out);
  for (size_t i = 0; i < command->option_count; i++)
    if (command->options[i].help)
      add_option(&command->options[i], out);
  roff_item(out);
  roff_bold("-h", out);
  text_add(out, ", ");
  roff_bold("--help", out);
  roff_meaning("print what this page says, in short", out);
}

static void add_synopsis(const struct command *command, struct text *out) {
  roff_section("SYNOPSIS", out);
  roff_bold("reticle", out);
  text_add(out, " ");
  roff_bold(command->name, out);
  text_add(out, options_are_listed(command) ? " [\\fIoptions\\fR] " : " ");
  roff_typed(command->operands, out);
  text_trim(out);
  text_add(out, "\n");
}

static void add_status(const char *number, const char *meaning, struct text *out) {
  roff_item(out);
  roff_bold(number, out);
  roff_meaning(meaning, out);
}

void page_add_status(const struct command *command, struct text *out) {
  roff_section("EXIT STATUS", out);
  if (command && command->status) {
    roff_paragraph(command->status, out);
    return;
  }
  add_status("0", "fine", out);
  if (!command)
    add_status("1", "a finding, of commands whose page says so", out);
  else if (command->finding)
    add_status("1", command->finding, out);
  add_status("2", "a mistake on the command line", out);
  add_status("3", "something can't be read or written, or isn't permitted", out);
  if (!command)
    add_status("4", "inconclusive, of commands whose page says so", out);
  else if (command->inconclusive)
    add_status("4", command->inconclusive, out);
  if (!command)
    add_status("125", "of reticle run, which else has the program's: it could not be started", out);
}

static void add_examples(const struct command_example *example, struct text *out) {
  roff_section("EXAMPLES", out);
  for (; example->line; example++) {
    roff_item(out);
    roff_bold(example->line, out);
    roff_meaning(example->meaning, out);
  }
}

/// Whether the help names the other command: "reticle try".
static bool names(const struct command *command, const struct command *other) {
  struct text words = {0}, all = {0};
  text_printf(&words, "reticle %s", other->name);
  text_add(&all, command->details ? command->details : "");
  for (size_t i = 0; i < command->option_count; i++)
    if (command->options[i].help)
      text_format(&all, "; %s", command->options[i].help);
  for (const struct command_example *e = command->examples; e && e->line; e++)
    text_format(&all, "; %s", e->meaning);
  bool found = command != other && strstr(text_get(&all), text_get(&words));
  text_release(&words);
  text_release(&all);
  return found;
}

static void add_see_also(const struct command *command, struct text *out) {
  const char *references[REFERENCES_MOST] = {"reticle(1)"};
  struct text pages[REFERENCES_MOST] = {{0}};
  size_t count = 1;
  for (size_t i = 0; commands[i] && count < REFERENCES_MOST - 1; i++)
    if (names(command, commands[i])) {
      text_printf(&pages[count], "reticle-%s(1)", commands[i]->name);
      references[count] = text_get(&pages[count]);
      count++;
    }
  references[count] = "reticle-options(7)";
  roff_see_also(references, count + 1, out);
  for (size_t i = 0; i < count; i++)
    text_release(&pages[i]);
}

void page_add_command(const struct command *command, struct text *out) {
  struct text name = {0};
  text_printf(&name, "reticle-%s", command->name);
  roff_begin(text_get(&name), "1", command->summary, out);
  text_release(&name);
  add_synopsis(command, out);
  roff_section("DESCRIPTION", out);
  roff_paragraph(command->summary, out);
  if (command->details)
    roff_paragraph(command->details, out);
  add_options(command, out);
  page_add_status(command, out);
  if (command->examples)
    add_examples(command->examples, out);
  add_see_also(command, out);
}
