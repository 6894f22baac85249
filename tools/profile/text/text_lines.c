// text_lines.c - splits lines into words, quoted ones and comments too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/text/text_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void skip_blanks(struct text_lines *lines) {
  while (lines->at < lines->line_end &&
         (*lines->at == ' ' || *lines->at == '\t' || *lines->at == '\r'))
    lines->at++;
}

bool text_lines_has_word(const struct text_lines *lines) {
  return lines->at < lines->line_end && *lines->at != '#';
}

bool text_lines_next(struct text_lines *lines) {
  while (lines->next < lines->end) {
    size_t left = (size_t)(lines->end - lines->next);
    const char *newline = memchr(lines->next, '\n', left);
    lines->at = lines->next;
    lines->line_end = newline ? newline : lines->end;
    lines->next = newline ? newline + 1 : lines->end;
    lines->number++;
    skip_blanks(lines);
    if (text_lines_has_word(lines))
      return true;
  }
  return false;
}

struct text_word text_lines_word(struct text_lines *lines) {
  struct text_word word = {lines->at, 0};
  if (!text_lines_has_word(lines))
    return word;
  while (lines->at < lines->line_end && !strchr(" \t\r#", *lines->at))
    lines->at++;
  word.count = (size_t)(lines->at - word.start);
  skip_blanks(lines);
  return word;
}

bool text_word_is(struct text_word word, const char *text) {
  return strlen(text) == word.count && memcmp(word.start, text, word.count) == 0;
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 99;
}

bool text_word_number(struct text_word word, uint64_t max, uint64_t *value) {
  if (text_word_is(word, "max")) {
    *value = max;
    return true;
  }
  bool is_hex = word.count > 2 && word.start[0] == '0' && word.start[1] == 'x';
  int base = is_hex ? 16 : 10;
  uint64_t result = 0;
  if (word.count == 0)
    return false;
  for (size_t i = is_hex ? 2 : 0; i < word.count; i++) {
    int digit = digit_of(word.start[i]);
    if (digit >= base || __builtin_mul_overflow(result, (uint64_t)base, &result) ||
        __builtin_add_overflow(result, (uint64_t)digit, &result))
      return false;
  }
  *value = result;
  return result <= max;
}

/// Reads what follows a backslash. Returns the byte, or -1.
static int unescape(struct text_lines *lines) {
  char c = lines->at < lines->line_end ? *lines->at++ : '\n';
  if (c == 'n')
    return '\n';
  if (c == 't')
    return '\t';
  if (c == '"' || c == '\\')
    return c;
  if (c != 'x' || lines->line_end - lines->at < 2)
    return -1;
  int high = digit_of(lines->at[0]), low = digit_of(lines->at[1]);
  lines->at += 2;
  // A 0 would end the text too early.
  return high > 15 || low > 15 || high + low == 0 ? -1 : high * 16 + low;
}

int text_lines_quoted(struct text_lines *lines, const char *what, struct bytes *out) {
  if (lines->at >= lines->line_end || *lines->at != '"')
    return text_lines_fail(lines, "'%s' needs a text in quotes", what);
  lines->at++;
  while (lines->at < lines->line_end && *lines->at != '"') {
    int c = (unsigned char)*lines->at++;
    if (c == '\\')
      c = unescape(lines);
    if (c <= 0)
      return text_lines_fail(
          lines, "'%s' has something else than \\n \\t \\\" \\\\ or \\x01 to \\xff", what);
    unsigned char byte = (unsigned char)c;
    bytes_add(out, &byte, 1);
  }
  if (lines->at >= lines->line_end)
    return text_lines_fail(lines, "'%s' needs a closing quote on the same line", what);
  lines->at++;
  skip_blanks(lines);
  if (out->failed)
    return profile_fail(lines->error, RETICLE_E_MEMORY, "%s: no memory", lines->name);
  return 0;
}

int text_lines_end(struct text_lines *lines) {
  if (!text_lines_has_word(lines))
    return 0;
  struct text_word word = text_lines_word(lines);
  return text_lines_fail(lines, "the line should end before '%.*s'", TEXT_WORD_ARGUMENTS(word));
}

int text_lines_fail(struct text_lines *lines, const char *format, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  // What was wrong may hold any byte, and goes to a terminal.
  for (char *p = text; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 0x7f)
      *p = '?';
  return profile_fail(lines->error, RETICLE_E_SYNTAX, "%.400s:%zu: %s", lines->name, lines->number,
                      text);
}
