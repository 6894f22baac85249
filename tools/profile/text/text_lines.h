// text_lines.h - the words of the text form: one line at a time, comments and quotes dealt with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_TEXT_TEXT_LINES_H
#define RETICLE_TOOLS_PROFILE_TEXT_TEXT_LINES_H

#include "tools/profile/bytes.h"
#include "tools/profile/error.h"

#include <stdbool.h>
#include <stdint.h>

struct text_lines {
  const char *name;     ///< what messages call the text
  const char *next;     ///< start of the next line
  const char *end;      ///< of the text
  size_t number;        ///< of the current line, from 1
  const char *at;       ///< rest of the current line, blanks skipped
  const char *line_end; ///< of the current line, comment not yet cut off
  struct profile_error *error;
};

/// A part of the text; not terminated.
struct text_word {
  const char *start;
  size_t count; ///< 0: the line has ended
};

/// Goes to the next line that holds more than blanks and comments. False at the end of the text.
bool text_lines_next(struct text_lines *lines);

/// Whether the current line has more words.
bool text_lines_has_word(const struct text_lines *lines);

/// Takes the next word of the line, up to a blank or comment; empty when there is none.
struct text_word text_lines_word(struct text_lines *lines);

bool text_word_is(struct text_word word, const char *text);

/// Reads a number of at most `max`: decimal, 0x..., or the word max. Returns false when the word is
/// none.
bool text_word_number(struct text_word word, uint64_t max, uint64_t *value);

/// Takes a quoted text.
///
/// what  for the message: what the text is for
/// out   appended to: the text's bytes, without terminator; a 0 byte is refused
///
/// Returns 0, RETICLE_E_SYNTAX or RETICLE_E_MEMORY.
int text_lines_quoted(struct text_lines *lines, const char *what, struct bytes *out);

/// Fails unless the line has ended. Returns 0 or RETICLE_E_SYNTAX.
int text_lines_end(struct text_lines *lines);

/// Fails with "NAME:LINE: ...". Returns RETICLE_E_SYNTAX.
int text_lines_fail(struct text_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// A word for "%.*s", cut to a length that suits a message.
#define TEXT_WORD_ARGUMENTS(word) (int)((word).count < 60 ? (word).count : 60), (word).start

#endif
