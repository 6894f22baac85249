// text.c - a growing string, and how wide a string is on the screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/text.h"

#include "tools/ui/messages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_release(struct text *text) {
  free(text->data);
  *text = (struct text){0};
}

void text_clear(struct text *text) {
  text->length = 0;
  if (text->data)
    text->data[0] = 0;
}

const char *text_get(const struct text *text) { return text->data ? text->data : ""; }

/// Makes room for `more` bytes and the final zero.
static void text_reserve(struct text *text, size_t more) {
  size_t need = text->length + more + 1;
  if (need <= text->capacity)
    return;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (capacity < need)
    capacity *= 2;
  char *data = realloc(text->data, capacity);
  if (!data)
    message_out_of_memory();
  text->data = data;
  text->capacity = capacity;
}

void text_add_bytes(struct text *text, const char *bytes, size_t count) {
  text_reserve(text, count);
  memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = 0;
}

void text_add(struct text *text, const char *string) {
  text_add_bytes(text, string, strlen(string));
}

/// Length of the control character at the start: C0, DEL, or C1 as UTF-8 spells it; 0 if it is
/// none.
static size_t control_length(const char *string) {
  unsigned char first = (unsigned char)string[0], second = (unsigned char)string[1];
  if (first < ' ' || first == 0x7f)
    return 1;
  return first == 0xc2 && second >= 0x80 && second < 0xa0 ? 2 : 0;
}

void text_add_clean(struct text *text, const char *string) {
  while (*string) {
    size_t control = *string == '\n' ? 0 : control_length(string);
    if (control)
      text_add(text, "?");
    else
      text_add_bytes(text, string, 1);
    string += control ? control : 1;
  }
}

void text_add_repeated(struct text *text, const char *character, size_t n) {
  for (size_t i = 0; i < n; i++)
    text_add(text, character);
}

void text_vprintf(struct text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length > 0) {
    text_reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void text_printf(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(text, format, arguments);
  va_end(arguments);
}

void text_trim(struct text *text) {
  while (text->length && text->data[text->length - 1] == ' ')
    text->data[--text->length] = 0;
}

void text_add_wrapped(struct text *text, const char *string, size_t column, size_t indent,
                      size_t width) {
  bool first = true;
  while (*string) {
    size_t length = strcspn(string, " ");
    size_t wide = 0; // code points: bytes that don't continue one
    for (size_t i = 0; i < length; i++)
      wide += ((unsigned char)string[i] & 0xc0) != 0x80;
    if (!first && column + 1 + wide > width) {
      text_add(text, "\n");
      text_add_repeated(text, " ", indent);
      column = indent;
    } else if (!first) {
      text_add(text, " ");
      column++;
    }
    text_add_bytes(text, string, length);
    column += wide;
    first = false;
    string += length;
    string += strspn(string, " ");
  }
}

/// Length of the escape sequence "ESC [ ... letter" at the start, 0 if there is none.
static size_t escape_length(const char *string) {
  if (string[0] != '\033' || string[1] != '[')
    return 0;
  size_t length = 2;
  while (string[length] && (string[length] < '@' || string[length] > '~'))
    length++;
  return string[length] ? length + 1 : length;
}

/// Length of the code point at the start, at least 1.
static size_t character_length(const char *string) {
  size_t length = 1;
  while (((unsigned char)string[length] & 0xc0) == 0x80)
    length++;
  return length;
}

size_t text_width(const char *string) {
  size_t width = 0;
  while (*string) {
    size_t escape = escape_length(string);
    width += !escape;
    string += escape ? escape : character_length(string);
  }
  return width;
}

size_t text_prefix(const char *string, size_t columns) {
  const char *end = string;
  while (*end) {
    size_t escape = escape_length(end);
    if (!escape && !columns--)
      break;
    end += escape ? escape : character_length(end);
  }
  return (size_t)(end - string);
}

char *text_copy(const char *string) {
  char *copy = strdup(string);
  if (!copy)
    message_out_of_memory();
  return copy;
}
