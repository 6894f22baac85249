// text.h - a growing string, and how wide a string is on the screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_TEXT_H
#define RETICLE_TOOLS_SUPPORT_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/// Start with {0}; text_release at the end. `data` is null while nothing was added.
struct text {
  char *data;
  size_t length;
  size_t capacity;
};

void text_release(struct text *text);
/// Empties the text, keeps its memory.
void text_clear(struct text *text);
/// The characters, "" if there are none.
const char *text_get(const struct text *text);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t count);
/// Adds n copies of a (UTF-8) character.
void text_add_repeated(struct text *text, const char *character, size_t n);
/// Strings (%s) are escaped, newlines too: whatever isn't ours comes in here or by text_add_name.
/// What has lines of its own is added by text_add.
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/// As printf, strings as they are: for paths, options and other things that no one sees.
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/// Adds a string of others, escaped (character.h).
void text_add_name(struct text *text, const char *string);
/// As text_add_name, for what has lines of our own.
void text_add_clean(struct text *text, const char *string);
/// As text_add_name, in HTML and XML, between tags or in an attribute: what is left has no
/// character that XML 1.0 doesn't allow.
void text_add_markup(struct text *text, const char *string);
/// Takes trailing blanks away.
void text_trim(struct text *text);

/// Adds the string broken at blanks so that no line is wider than `width` columns; lines after the
/// first start with `indent` blanks. The first line is taken to start in column `column`.
void text_add_wrapped(struct text *text, const char *string, size_t column, size_t indent,
                      size_t width);

/// Adds as many of the string's clauses, which end at "; ", as fit a line of `width` columns that
/// has `column` of them already; where the first doesn't fit, as many of its words, and " ...".
void text_add_cut(struct text *text, const char *string, size_t column, size_t width);

/// Adds the string, or where it is wider its first words and "..." in at most `columns` columns.
void text_add_short(struct text *text, const char *string, size_t columns);

/// Columns that the UTF-8 string takes; escape sequences and combining characters take none,
/// wide ones two.
size_t text_width(const char *string);

/// Ends of lines in the string.
size_t text_lines(const char *string);

/// Length in bytes of the part of the string that takes at most `columns` columns.
size_t text_prefix(const char *string, size_t columns);

/// Copy of the string; ends the process if there is no memory.
char *text_copy(const char *string);

/// A word of a command that one is told to type, so that a shell reads it as one: a struct's name,
/// which may be a template's.
void text_add_quoted(struct text *text, const char *word);

#endif
