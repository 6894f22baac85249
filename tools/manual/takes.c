// takes.c - what may stand behind an option or a command, from the words of its help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/manual/takes.h"

#include "tools/model/report/section.h"

#include <string.h>

enum takes takes_option(const struct option_spec *spec, struct text *words) {
  if (option_has_words(spec)) {
    text_add(words, spec->value);
    for (size_t i = 0; i < words->length; i++)
      if (words->data[i] == '|')
        words->data[i] = ' ';
    return TAKES_WORDS;
  }
  if (!option_takes_value(spec))
    return TAKES_NOTHING;
  if (strcmp(spec->value, "SECTION") == 0) {
    for (size_t i = 0; sections[i]; i++)
      text_format(words, "%s%s", i ? " " : "", sections[i]->key);
    return TAKES_WORDS;
  }
  return strcmp(spec->value, "FILE") == 0 ? TAKES_FILE : TAKES_NOTHING;
}

/// Whether the help of the operands has this word: "F" in "[F...]", not in "FUNCTION".
static bool has_word(const char *operands, const char *word) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char *at = operands; *at;) {
    size_t length = strspn(at, letters);
    if (length == strlen(word) && memcmp(at, word, length) == 0)
      return true;
    at += length ? length : 1;
  }
  return false;
}

/// What is said of operands behind "--", or "".
static const char *behind_dashes(const struct command *command) {
  const char *dashes = strstr(command->operands, "--");
  return dashes ? dashes : "";
}

bool takes_program(const struct command *command) {
  const char *behind = behind_dashes(command);
  return has_word(behind, "PROGRAM") || has_word(behind, "COMMAND");
}

bool takes_profiles_behind(const struct command *command) {
  return has_word(behind_dashes(command), "B");
}

enum takes takes_operand(const struct command *command) {
  static const struct {
    const char *word;
    enum takes takes;
  } words[] = {{"F", TAKES_PROFILE},
               {"FILE", TAKES_PROFILE},
               {"A", TAKES_PROFILE},
               {"PROGRAM", TAKES_PROGRAM},
               {"COMMAND", TAKES_COMMAND}};
  struct text before = {0};
  size_t length = strlen(command->operands) - strlen(behind_dashes(command));
  if (command->stops_at_operand)
    length = strlen(command->operands);
  text_add_bytes(&before, command->operands, length);
  enum takes takes = TAKES_NOTHING;
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && takes == TAKES_NOTHING; i++)
    if (has_word(text_get(&before), words[i].word))
      takes = words[i].takes;
  text_release(&before);
  return takes;
}
