// text.c - grows, formats and wraps text; escapes names; widths on the screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/text.h"

#include "tools/support/character.h"
#include "tools/support/memory.h"

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
  char *data = memory_resized(text->data, capacity, 1);
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

static void add_escaped(struct text *text, const char *string, size_t count, bool keep_newline) {
  for (size_t at = 0; at < count && string[at];) {
    uint32_t point;
    size_t length = character_read(string + at, &point);
    length = length > count - at ? 0 : length; // cut by a precision
    bool is_newline = keep_newline && string[at] == '\n';
    if (is_newline || (length && character_is_shown(point))) {
      text_add_bytes(text, string + at, length);
    } else {
      char escape[CHARACTER_ESCAPE];
      character_escape(string + at, length, point, escape);
      text_add(text, escape);
    }
    at += length ? length : 1;
  }
}

void text_add_name(struct text *text, const char *string) {
  add_escaped(text, string, SIZE_MAX, false);
}

void text_add_clean(struct text *text, const char *string) {
  add_escaped(text, string, SIZE_MAX, true);
}

/// Bytes of a character that text_add_name leaves as it is and that HTML and XML take for their
/// own.
static const char *entity(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

void text_add_markup(struct text *text, const char *string) {
  struct text clean = {0};
  text_add_name(&clean, string); // control characters, wrong UTF-8, marks of direction
  for (const char *at = text_get(&clean); *at; at++) {
    const char *replaced = entity(*at);
    text_add_bytes(text, replaced ? replaced : at, replaced ? strlen(replaced) : 1);
  }
  text_release(&clean);
}

void text_add_repeated(struct text *text, const char *character, size_t n) {
  for (size_t i = 0; i < n; i++)
    text_add(text, character);
}

void text_vformat(struct text *text, const char *format, va_list arguments) {
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

void text_format(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(text, format, arguments);
  va_end(arguments);
}

/// One conversion as it stands in a format: flags, width, precision, size, letter.
struct conversion {
  char spec[32]; ///< with '*' replaced by its number
  char letter;
  int width, precision; ///< -1: none
};

/// Reads the conversion behind '%'. Returns what comes behind it.
static const char *read_conversion(const char *format, va_list *arguments, struct conversion *out) {
  size_t used = 0;
  int *number = &out->width;
  *out = (struct conversion){.width = -1, .precision = -1};
  out->spec[used++] = '%';
  for (; *format && used < sizeof(out->spec) - 12; format++) {
    if (*format == '*') {
      *number = va_arg(*arguments, int);
      used += (size_t)snprintf(out->spec + used, 12, "%d", *number);
      continue;
    }
    out->spec[used++] = *format;
    if (*format == '.') {
      number = &out->precision;
      *number = 0;
    } else if (*format >= '0' && *format <= '9' && (*number > 0 || *format > '0' || used > 2)) {
      *number = (*number < 0 ? 0 : *number) * 10 + (*format - '0');
    } else if (!strchr("0123456789-+ #hlzjt", *format)) {
      out->letter = *format++;
      break;
    }
  }
  return format;
}

/// Adds a number as the C library formats it; the conversions that the tools use.
static void add_number(struct text *text, const struct conversion *c, va_list *arguments) {
  char size = strpbrk(c->spec, "zlj") ? *strpbrk(c->spec, "zlj") : 0;
  bool is_long_long = strstr(c->spec, "ll") != NULL;
  if (strchr("eEfFgGaA", c->letter))
    text_format(text, c->spec, va_arg(*arguments, double));
  else if (c->letter == 'p')
    text_format(text, c->spec, va_arg(*arguments, void *));
  else if (is_long_long)
    text_format(text, c->spec, va_arg(*arguments, unsigned long long));
  else if (size)
    text_format(text, c->spec, va_arg(*arguments, unsigned long)); // size_t and intmax_t, too
  else
    text_format(text, c->spec, va_arg(*arguments, unsigned));
}

/// Adds the string escaped, filled up to the width in columns.
static void add_string(struct text *text, const struct conversion *c, const char *string) {
  size_t start = text->length;
  add_escaped(text, string, c->precision < 0 ? SIZE_MAX : (size_t)c->precision, false);
  size_t have =
      text->data ? text_width(text->data + (start < text->length ? start : text->length)) : 0;
  bool is_left = c->spec[1] == '-' || c->width < -1;
  size_t wanted = c->width == -1 ? 0 : (size_t)abs(c->width);
  if (wanted <= have)
    return;
  if (is_left) {
    text_add_repeated(text, " ", wanted - have);
    return;
  }
  char *own = text_copy(text->data ? text->data + start : "");
  text->length = start;
  text_add_repeated(text, " ", wanted - have);
  text_add(text, own);
  free(own);
}

void text_vprintf(struct text *text, const char *format, va_list given) {
  va_list arguments;
  va_copy(arguments, given);
  while (*format) {
    size_t plain = strcspn(format, "%");
    text_add_bytes(text, format, plain);
    format += plain;
    if (!*format)
      break;
    if (format[1] == '%') {
      text_add(text, "%");
      format += 2;
      continue;
    }
    struct conversion c;
    format = read_conversion(format + 1, &arguments, &c);
    if (c.letter == 's')
      add_string(text, &c, va_arg(arguments, const char *));
    else
      add_number(text, &c, &arguments);
  }
  va_end(arguments);
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
    struct text word = {0};
    add_escaped(&word, string, length, false);
    size_t wide = text_width(text_get(&word));
    if (!first && column + 1 + wide > width) {
      text_add(text, "\n");
      text_add_repeated(text, " ", indent);
      column = indent;
    } else if (!first) {
      text_add(text, " ");
      column++;
    }
    text_add(text, text_get(&word));
    text_release(&word);
    column += wide;
    first = false;
    string += length;
    string += strspn(string, " ");
  }
}

void text_add_short(struct text *text, const char *string, size_t columns) {
  static const char more[] = " ...";
  if (!string[text_prefix(string, columns)]) {
    text_add(text, string);
    return;
  }
  size_t room = columns > sizeof more ? columns - (sizeof more - 1) : 1;
  size_t most = text_prefix(string, room), end = most;
  while (end && string[end] != ' ')
    end--;
  text_add_bytes(text, string, end ? end : most); // one word is cut
  text_add(text, more);
}

void text_add_cut(struct text *text, const char *string, size_t column, size_t width) {
  size_t room = width > column ? width - column : 0, end = text_prefix(string, room);
  if (!string[end]) {
    text_add(text, string);
    return;
  }
  size_t clauses = 0, depth = 0;
  for (size_t i = 0; i < end; i++) {
    depth += string[i] == '(';
    depth -= string[i] == ')' && depth;
    if (string[i] == ';' && string[i + 1] == ' ' && !depth)
      clauses = i;
  }
  if (clauses) {
    text_add_bytes(text, string, clauses);
    return;
  }
  text_add_short(text, string, room);
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

/// Length of the character at the start, its columns in *width. Bytes that are no UTF-8 take one.
static size_t character_length(const char *string, size_t *width) {
  uint32_t point;
  size_t length = character_read(string, &point);
  *width = length ? character_width(point) : 1;
  return length ? length : 1;
}

size_t text_width(const char *string) {
  size_t width = 0, own;
  while (*string) {
    size_t escape = escape_length(string),
           length = escape ? escape : character_length(string, &own);
    width += escape ? 0 : own;
    string += length;
  }
  return width;
}

size_t text_lines(const char *string) {
  size_t count = 0;
  while ((string = strchr(string, '\n'))) {
    count++;
    string++;
  }
  return count;
}

size_t text_prefix(const char *string, size_t columns) {
  const char *end = string;
  while (*end) {
    size_t escape = escape_length(end), own = 0;
    size_t length = escape ? escape : character_length(end, &own);
    if (own > columns)
      break;
    columns -= own;
    end += length;
  }
  return (size_t)(end - string);
}

char *text_copy(const char *string) {
  size_t bytes = strlen(string) + 1;
  return memcpy(memory_resized(NULL, bytes, 1), string, bytes);
}

/// Adds the word so that a shell reads it as one.
static void add_quoted(struct text *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-./,:=@%+";
  if (*word && !word[strspn(word, plain)]) {
    text_add(out, word);
    return;
  }
  text_add(out, "'");
  for (; *word; word++)
    if (*word == '\'')
      text_add(out, "'\\''");
    else
      text_add_bytes(out, word, 1);
  text_add(out, "'");
}

void text_add_quoted(struct text *out, const char *word) {
  struct text quoted = {0};
  add_quoted(&quoted, word);
  text_add_name(out, text_get(&quoted));
  text_release(&quoted);
}
