// options.c - the command line of one command: one table yields parser, help and errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/options.h"

#include "tools/support/messages.h"
#include "tools/support/nearest.h"
#include "tools/support/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Column in which the explanations of the help start.
#define HELP_COLUMN 26
#define HELP_WIDTH 100

/// One option as it was typed: `--no-report` is {report, negated}.
struct typed_option {
  const struct option_spec *spec;
  bool negated;
  const char *value; ///< after "=", or behind the letter; null if there was none
};

bool option_takes_value(const struct option_spec *spec) {
  return spec->type != OPTION_FLAG && spec->type != OPTION_SWITCH;
}

bool option_has_words(const struct option_spec *spec) {
  return spec->type == OPTION_CHOICE || spec->type == OPTION_CHOICES;
}

static enum options_result wrong(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum options_result wrong(const struct command *command, const char *format, ...) {
  struct text line = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&line, format, arguments);
  va_end(arguments);
  message_error("%s: %s (see: reticle help %s)", command->name, text_get(&line), command->name);
  text_release(&line);
  return OPTIONS_WRONG;
}

static const struct option_spec *find_long(const struct command *command, const char *name,
                                           size_t length, bool *negated) {
  for (size_t i = 0; i < command->option_count; i++) {
    const struct option_spec *spec = &command->options[i];
    *negated = false;
    if (strlen(spec->name) == length && memcmp(spec->name, name, length) == 0)
      return spec;
    *negated = true;
    if (spec->type == OPTION_SWITCH && length > 3 && memcmp(name, "no-", 3) == 0 &&
        strlen(spec->name) == length - 3 && memcmp(spec->name, name + 3, length - 3) == 0)
      return spec;
  }
  return NULL;
}

static enum options_result unknown_option(const struct command *command, const char *argument) {
  size_t length = strcspn(argument, "=");
  struct nearest nearest = {0};
  char word[64];
  snprintf(word, sizeof(word), "%.*s", (int)length, argument + strspn(argument, "-"));
  word[strcspn(word, "=")] = 0;
  for (size_t i = 0; i < command->option_count; i++)
    if (command->options[i].help)
      nearest_add(&nearest, word, command->options[i].name);
  if (nearest.name)
    return wrong(command, "unknown option '%.*s'; did you mean '--%s'?", (int)length, argument,
                 nearest.name);
  return wrong(command, "unknown option '%.*s'", (int)length, argument);
}

/// Finds the option that the argument (it starts with '-') names.
static enum options_result identify(const struct command *command, const char *argument,
                                    struct typed_option *typed) {
  *typed = (struct typed_option){0};
  if (argument[1] == '-') {
    size_t length = strcspn(argument + 2, "=");
    typed->spec = find_long(command, argument + 2, length, &typed->negated);
    if (typed->spec && argument[2 + length] == '=')
      typed->value = argument + 2 + length + 1;
  } else {
    for (size_t i = 0; i < command->option_count && !typed->spec; i++)
      if (command->options[i].letter && command->options[i].letter == argument[1])
        typed->spec = &command->options[i];
    if (typed->spec && argument[2])
      typed->value = argument + 2;
  }
  if (!typed->spec)
    return unknown_option(command, argument);
  if (typed->value && !option_takes_value(typed->spec))
    return wrong(command, "option '--%s' takes no value, but got '%s'", typed->spec->name,
                 typed->value);
  return OPTIONS_OK;
}

/// Position of the word in a list "a|b|c", -1 if it is not in it.
static int choice_find(const char *list, const char *word, size_t length) {
  for (int i = 0; *list; i++) {
    size_t n = strcspn(list, "|");
    if (n == length && memcmp(list, word, n) == 0)
      return i;
    list += n + (list[n] == '|');
  }
  return -1;
}

/// Bits of the words "a,c" in a list "a|b|c"; 0: some word isn't in it.
static unsigned choices_find(const char *list, const char *words) {
  unsigned found = 0;
  for (;; words++) {
    size_t length = strcspn(words, ",");
    int choice = choice_find(list, words, length);
    if (choice < 0)
      return 0;
    found |= 1u << choice;
    words += length;
    if (!*words)
      return found;
  }
}

static enum options_result store(const struct command *command, const struct typed_option *typed,
                                 void *into) {
  const struct option_spec *spec = typed->spec;
  void *place = (char *)into + spec->offset;
  switch (spec->type) {
  case OPTION_FLAG:
  case OPTION_SWITCH:
    *(bool *)place = !typed->negated;
    break;
  case OPTION_TEXT:
    *(const char **)place = typed->value;
    break;
  case OPTION_COUNT:
  case OPTION_POSITIVE: {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(typed->value, &end, 10);
    if (errno || end == typed->value || *end || typed->value[0] == '-')
      return wrong(command, "option '--%s' needs a whole number, but got '%s'", spec->name,
                   typed->value);
    if (spec->type == OPTION_POSITIVE && !number)
      return wrong(command, "option '--%s' needs at least 1, but got '%s'", spec->name,
                   typed->value);
    *(uint64_t *)place = number;
    break;
  }
  case OPTION_CHOICE: {
    int choice = choice_find(spec->value, typed->value, strlen(typed->value));
    if (choice < 0)
      return wrong(command, "option '--%s' is one of %s, but got '%s'", spec->name, spec->value,
                   typed->value);
    *(unsigned *)place = (unsigned)choice;
    break;
  }
  case OPTION_CHOICES: {
    unsigned choices = choices_find(spec->value, typed->value);
    if (!choices)
      return wrong(command, "option '--%s' is some of %s, with commas, but got '%s'", spec->name,
                   spec->value, typed->value);
    *(unsigned *)place = choices;
    break;
  }
  }
  return OPTIONS_OK;
}

enum options_result options_parse(const struct command *command, int argc, char **argv, void *into,
                                  int *operand_count) {
  int operands = 0, i = 1;
  for (; i < argc; i++) {
    const char *argument = argv[i];
    if (strcmp(argument, "--") == 0) {
      i++;
      break;
    }
    if (argument[0] != '-' || argument[1] == 0) {
      if (command->stops_at_operand)
        break;
      argv[1 + operands++] = argv[i];
      continue;
    }
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      options_help(command);
      return OPTIONS_HELP;
    }
    struct typed_option typed;
    enum options_result result = identify(command, argument, &typed);
    if (result != OPTIONS_OK)
      return result;
    if (option_takes_value(typed.spec) && !typed.value) {
      if (i + 1 == argc)
        return wrong(command, "option '--%s' needs %s", typed.spec->name, typed.spec->value);
      typed.value = argv[++i];
    }
    result = store(command, &typed, into);
    if (result != OPTIONS_OK)
      return result;
  }
  while (i < argc)
    argv[1 + operands++] = argv[i++];
  *operand_count = operands;
  return OPTIONS_OK;
}

int options_divider(int argc, char **argv) {
  int divider = 1;
  while (divider < argc && strcmp(argv[divider], "--") != 0)
    divider++;
  return divider;
}

int options_status(enum options_result result) {
  return result == OPTIONS_WRONG ? EXIT_USAGE : EXIT_FINE;
}

/// A row of the help: what one types, and behind or below it what that is.
static void add_row(const char *typed, const char *meaning, struct text *out) {
  size_t width = strlen(typed) + 2;
  text_add(out, "  ");
  text_add(out, typed);
  if (width + 2 > HELP_COLUMN) {
    text_add(out, "\n");
    width = 0;
  }
  text_add_repeated(out, " ", HELP_COLUMN - width);
  text_add_wrapped(out, meaning, HELP_COLUMN, HELP_COLUMN, HELP_WIDTH);
  text_add(out, "\n");
}

static void add_option(const struct option_spec *spec, struct text *out) {
  struct text typed = {0};
  if (spec->letter)
    text_printf(&typed, "-%c, ", spec->letter);
  text_printf(&typed, spec->type == OPTION_SWITCH ? "--[no-]%s" : "--%s", spec->name);
  if (option_takes_value(spec))
    text_printf(&typed, " %s", spec->value);
  add_row(text_get(&typed), spec->help, out);
  text_release(&typed);
}

static void add_examples(const struct command_example *example, struct text *out) {
  text_add(out, "\nExamples:\n");
  for (; example->line; example++)
    add_row(example->line, example->meaning, out);
}

/// The details, and how the command ends.
static void add_details(const struct command *command, struct text *out) {
  struct text details = {0};
  if (command->details)
    text_add(&details, command->details);
  if (command->status)
    text_printf(&details, " %s", command->status);
  if (command->finding)
    text_printf(&details, " Exit status 1: %s.", command->finding);
  if (command->inconclusive)
    text_printf(&details, " Exit status 4: %s.", command->inconclusive);
  if (details.length) {
    text_add(out, "\n");
    text_add_wrapped(out, text_get(&details), 0, 0, HELP_WIDTH);
    text_add(out, "\n");
  }
  text_release(&details);
}

bool options_are_listed(const struct command *command) {
  bool listed = false;
  for (size_t i = 0; i < command->option_count; i++)
    listed |= command->options[i].help != NULL;
  return listed;
}

/// "report [options] [F...]"
static void add_synopsis(const struct command *command, struct text *out) {
  text_printf(out, "reticle %s%s%s%s", command->name,
              options_are_listed(command) ? " [options]" : "", command->operands[0] ? " " : "",
              command->operands);
}

void options_help(const struct command *command) {
  struct text out = {0};
  text_add(&out, "usage: ");
  add_synopsis(command, &out);
  text_printf(&out, "\n\n%s\n", command->summary);
  add_details(command, &out);
  text_add(&out, "\n");
  for (size_t i = 0; i < command->option_count; i++)
    if (command->options[i].help)
      add_option(&command->options[i], &out);
  add_row("-h, --help", "this text", &out);
  if (command->examples)
    add_examples(command->examples, &out);
  fputs(text_get(&out), stdout);
  text_release(&out);
}

int options_misuse(const struct command *command, const char *format, ...) {
  struct text line = {0}, synopsis = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&line, format, arguments);
  va_end(arguments);
  add_synopsis(command, &synopsis);
  message_error("%s: %s (usage: %s)", command->name, text_get(&line), text_get(&synopsis));
  text_release(&line);
  text_release(&synopsis);
  return EXIT_USAGE;
}
