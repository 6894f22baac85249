// source_tokens.c - cuts C and C++ source into tokens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/source_tokens.h"

#include "tools/support/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/// Behind a string or character constant that begins at `at`.
static size_t end_of_quoted(const char *text, size_t bytes, size_t at) {
  char quote = text[at++];
  while (at < bytes && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' && at + 1 < bytes ? 2 : 1;
  return at < bytes && text[at] == quote ? at + 1 : at < bytes ? at : bytes;
}

/// Behind R"x( ... )x", whose quote is at `at`.
static size_t end_of_raw(const char *text, size_t bytes, size_t at) {
  size_t open = at + 1;
  while (open < bytes && text[open] != '(' && open - at < 18)
    open++;
  size_t length = open - at - 1;
  for (size_t i = open; i + length + 1 < bytes; i++)
    if (text[i] == ')' && memcmp(text + i + 1, text + at + 1, length) == 0 &&
        text[i + 1 + length] == '"')
      return i + length + 2;
  return bytes;
}

static size_t end_of_comment(const char *text, size_t bytes, size_t at) {
  bool is_line = text[at + 1] == '/';
  for (at += 2; at < bytes; at++) {
    if (is_line && text[at] == '\n' && text[at - 1] != '\\')
      return at;
    if (!is_line && text[at] == '*' && at + 1 < bytes && text[at + 1] == '/')
      return at + 2;
  }
  return bytes;
}

static bool is_comment(const char *text, size_t bytes, size_t at) {
  return text[at] == '/' && at + 1 < bytes && (text[at + 1] == '/' || text[at + 1] == '*');
}

/// At the end of the line, or of the last one that continues it; a comment at its end isn't in it.
static size_t end_of_directive(const char *text, size_t bytes, size_t at) {
  while (at < bytes && text[at] != '\n') {
    if (is_comment(text, bytes, at) && text[at + 1] == '/')
      break;
    if (is_comment(text, bytes, at))
      at = end_of_comment(text, bytes, at);
    else if (text[at] == '"' || text[at] == '\'')
      at = end_of_quoted(text, bytes, at);
    else
      at += text[at] == '\\' && at + 1 < bytes ? 2 : 1;
  }
  while (at && isspace((unsigned char)text[at - 1]))
    at--;
  return at;
}

static size_t end_of_word(const char *text, size_t bytes, size_t at) {
  while (at < bytes && is_word(text[at]))
    at++;
  return at;
}

static size_t end_of_number(const char *text, size_t bytes, size_t at) {
  while (at < bytes && (is_word(text[at]) || text[at] == '.' || text[at] == '\'' ||
                        ((text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1]))))
    at++;
  return at;
}

static struct source_token token_at(const char *text, size_t bytes, size_t at, bool is_first) {
  struct source_token token = {SOURCE_MARK, at, at + 1, 0};
  if (is_comment(text, bytes, at)) {
    token.kind = SOURCE_COMMENT, token.end = end_of_comment(text, bytes, at);
  } else if (text[at] == '#' && is_first) {
    token.kind = SOURCE_DIRECTIVE, token.end = end_of_directive(text, bytes, at);
  } else if (text[at] == '"') {
    token.kind = SOURCE_STRING;
    token.end =
        at && text[at - 1] == 'R' ? end_of_raw(text, bytes, at) : end_of_quoted(text, bytes, at);
  } else if (text[at] == '\'') {
    token.kind = SOURCE_NUMBER, token.end = end_of_quoted(text, bytes, at);
  } else if (isdigit((unsigned char)text[at])) {
    token.kind = SOURCE_NUMBER, token.end = end_of_number(text, bytes, at);
  } else if (is_word(text[at])) {
    token.kind = SOURCE_WORD, token.end = end_of_word(text, bytes, at);
  } else if (text[at] == ':' && at + 1 < bytes && text[at + 1] == ':') {
    token.end = at + 2;
  }
  return token;
}

void source_tokens_read(const char *text, size_t bytes, struct source_tokens *out) {
  size_t room = 0, at = 0;
  unsigned line = 1;
  bool is_first = true;
  *out = (struct source_tokens){.text = text, .bytes = bytes};
  while (at < bytes) {
    if (isspace((unsigned char)text[at]) || text[at] == '\\') {
      line += text[at] == '\n';
      is_first |= text[at++] == '\n';
      continue;
    }
    struct source_token token = token_at(text, bytes, at, is_first);
    token.line = line;
    for (; at < token.end; at++)
      line += text[at] == '\n';
    is_first = is_first && token.kind == SOURCE_COMMENT;
    if (out->count == room) {
      room = 2 * room + 256;
      out->all = memory_resized(out->all, room, sizeof *out->all);
    }
    out->all[out->count++] = token;
  }
}

void source_tokens_release(struct source_tokens *tokens) {
  free(tokens->all);
  *tokens = (struct source_tokens){0};
}

bool source_token_is(const struct source_tokens *t, size_t at, const char *spelling) {
  if (at >= t->count)
    return false;
  size_t length = t->all[at].end - t->all[at].start;
  return strlen(spelling) == length && memcmp(t->text + t->all[at].start, spelling, length) == 0;
}

bool source_token_same(const struct source_tokens *t, size_t a, size_t b) {
  size_t length = t->all[a].end - t->all[a].start;
  return t->all[b].end - t->all[b].start == length &&
         memcmp(t->text + t->all[a].start, t->text + t->all[b].start, length) == 0;
}

size_t source_token_code(const struct source_tokens *t, size_t at) {
  while (at < t->count &&
         (t->all[at].kind == SOURCE_COMMENT || t->all[at].kind == SOURCE_DIRECTIVE))
    at++;
  return at;
}

size_t source_token_behind(const struct source_tokens *t, size_t at) {
  size_t depth = 0;
  for (; at < t->count; at++) {
    if (t->all[at].kind != SOURCE_MARK)
      continue;
    char mark = t->text[t->all[at].start];
    depth += mark == '(' || mark == '[' || mark == '{';
    if ((mark == ')' || mark == ']' || mark == '}') && (!depth || !--depth))
      return at + 1;
  }
  return t->count;
}

char *source_token_copy(const struct source_tokens *t, size_t at) {
  size_t length = t->all[at].end - t->all[at].start;
  char *copy = memory_zeroed(length + 1, 1);
  memcpy(copy, t->text + t->all[at].start, length);
  return copy;
}

unsigned source_line_of(const struct source_tokens *t, size_t byte) {
  unsigned line = 1;
  for (size_t i = 0; i < byte && i < t->bytes; i++)
    line += t->text[i] == '\n';
  return line;
}

void source_directive_word(const struct source_tokens *t, size_t at, char *out, size_t bytes) {
  const char *from = t->text + t->all[at].start + 1, *end = t->text + t->all[at].end;
  size_t length = 0;
  while (from < end && (*from == ' ' || *from == '\t'))
    from++;
  while (from + length < end && is_word(from[length]) && length + 1 < bytes)
    length++;
  memcpy(out, from, length);
  out[length] = 0;
}

bool source_token_is_any(const struct source_tokens *tokens, size_t at,
                         const char *const *spellings) {
  for (; *spellings; spellings++)
    if (source_token_is(tokens, at, *spellings))
      return true;
  return false;
}

bool source_token_is_word(const struct source_tokens *tokens, size_t at) {
  return at < tokens->count && tokens->all[at].kind == SOURCE_WORD;
}

size_t source_token_next(const struct source_tokens *tokens, size_t at) {
  return source_token_code(tokens, at + 1);
}
