// layout_body.c - finds a struct's definition in its source, and cuts the body into declarations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_body.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// A range of tokens that is being cut.
struct cutting {
  const struct source_tokens *tokens;
  const struct layout_wanted *wanted;
  struct text *problem;
  unsigned access;
};

static bool is_kind(const struct source_tokens *t, size_t at, enum source_token_kind kind) {
  return at < t->count && t->all[at].kind == kind;
}

static bool is_blank_between(const struct source_tokens *t, size_t from, size_t to) {
  return from <= to && !memchr(t->text + from, '\n', to - from);
}

/// Comments that belong to what ends in front of token `at`: on its line, or below one another.
static size_t behind_trailing(const struct source_tokens *t, size_t at, size_t end,
                              size_t end_byte) {
  size_t column = 0;
  for (; at < end && is_kind(t, at, SOURCE_COMMENT); at++) {
    const struct source_token *comment = &t->all[at];
    const char *line = t->text + comment->start;
    while (line > t->text && line[-1] != '\n')
      line--;
    size_t own = (size_t)(t->text + comment->start - line);
    bool is_same = is_blank_between(t, end_byte, comment->start);
    bool is_below = column && own == column && at > 0 &&
                    source_line_of(t, t->all[at - 1].end) + 1 == comment->line;
    if (!is_same && !is_below)
      break;
    column = own;
    end_byte = comment->end;
  }
  return at;
}

static size_t behind_conditional(const struct source_tokens *t, size_t at, size_t end) {
  size_t depth = 0;
  char word[16];
  for (; at < end; at++) {
    if (!is_kind(t, at, SOURCE_DIRECTIVE))
      continue;
    source_directive_word(t, at, word, sizeof word);
    depth += strncmp(word, "if", 2) == 0;
    if (strcmp(word, "endif") == 0 && !--depth)
      return at + 1;
  }
  return end + 1;
}

static bool is_label(const struct source_tokens *t, size_t at) {
  return (source_token_is(t, at, "public") || source_token_is(t, at, "private") ||
          source_token_is(t, at, "protected")) &&
         source_token_is(t, source_token_code(t, at + 1), ":");
}

/// Behind the declaration that begins at `at`; 0 with a problem where a preprocessor line is in it.
static size_t behind_declaration(struct cutting *c, size_t at, size_t end) {
  const struct source_tokens *t = c->tokens;
  bool has_parentheses = false, has_equals = false;
  while (at < end) {
    if (t->all[at].kind == SOURCE_DIRECTIVE) {
      text_printf(c->problem,
                  "line %u: a preprocessor line stands inside of a declaration; move "
                  "that declaration by hand",
                  t->all[at].line);
      return 0;
    }
    if (source_token_is(t, at, ";"))
      return at + 1;
    has_equals |= source_token_is(t, at, "=");
    if (source_token_is(t, at, "{")) {
      at = source_token_behind(t, at);
      if (has_parentheses && !has_equals && c->wanted->is_cxx &&
          !source_token_is(t, source_token_code(t, at), ";") &&
          !source_token_is(t, source_token_code(t, at), ","))
        return at; // a function's body
      continue;
    }
    has_parentheses |= source_token_is(t, at, "(");
    at = source_token_is(t, at, "(") || source_token_is(t, at, "[") ? source_token_behind(t, at)
                                                                    : at + 1;
  }
  return end;
}

static size_t cut(struct cutting *c, size_t first, size_t end, struct layout_chunk **chunks);

/// What a preprocessor line begins; returns where it ends, 0 with a problem.
static size_t cut_directive(struct cutting *c, size_t at, size_t end, struct layout_chunk *chunk) {
  const struct source_tokens *t = c->tokens;
  char word[16];
  source_directive_word(t, at, word, sizeof word);
  chunk->kind = LAYOUT_FIXED;
  if (strncmp(word, "if", 2) == 0) {
    size_t behind = behind_conditional(t, at, end);
    if (behind > end) {
      text_printf(c->problem, "line %u: the condition doesn't end inside of the struct",
                  t->all[at].line);
      return 0;
    }
    chunk->kind = LAYOUT_CONDITIONAL;
    chunk->part_count = cut(c, at + 1, behind - 1, &chunk->parts);
    return behind;
  }
  if (strcmp(word, "include") == 0 || strcmp(word, "pragma") == 0) {
    text_printf(c->problem,
                "line %u: #%s stands inside of it, so that its fields can't be told "
                "from its text; move the lines by hand",
                t->all[at].line, word);
    return 0;
  }
  return at + 1; // #define, #undef; #else and #elif between parts
}

/// Cuts tokens [first, end) into declarations. Returns how many; fewer with a problem.
static size_t cut(struct cutting *c, size_t first, size_t end, struct layout_chunk **chunks) {
  const struct source_tokens *t = c->tokens;
  size_t count = 0;
  while (first < end && !c->problem->length) {
    size_t code = first;
    while (code < end && is_kind(t, code, SOURCE_COMMENT))
      code++;
    if (code == end)
      break;
    struct layout_chunk chunk = {.first = code, .access = c->access};
    if (is_kind(t, code, SOURCE_DIRECTIVE)) {
      chunk.last = cut_directive(c, code, end, &chunk);
    } else if (is_label(t, code)) {
      chunk.kind = LAYOUT_LABEL;
      c->access++;
      chunk.last = source_token_code(t, code + 1) + 1;
    } else {
      chunk.last = behind_declaration(c, code, end);
      if (chunk.last)
        layout_declarators_read(t, c->wanted, &chunk);
    }
    if (chunk.last) {
      size_t behind = behind_trailing(t, chunk.last, end, t->all[chunk.last - 1].end);
      chunk.start = t->all[first].start;
      chunk.end = t->all[behind - 1].end;
      first = behind;
    }
    *chunks = memory_resized(*chunks, count + 1, sizeof chunk);
    (*chunks)[count++] = chunk;
  }
  return count;
}

/// The brace behind the struct's name on its line; the token count where there is none.
static size_t find_open(const struct source_tokens *t, const struct layout_wanted *wanted) {
  for (size_t i = 0; i < t->count && t->all[i].line <= wanted->line; i++) {
    if (t->all[i].line != wanted->line || t->all[i].kind != SOURCE_WORD)
      continue;
    bool is_name = source_token_is(t, i, wanted->name);
    if (!is_name && !source_token_is(t, i, "struct") && !source_token_is(t, i, "class"))
      continue;
    size_t at = i + 1;
    while (at < t->count && !source_token_is(t, at, "{") && !source_token_is(t, at, ";") &&
           !source_token_is(t, at, "=") && !source_token_is(t, at, ")"))
      at = source_token_is(t, at, "(") ? source_token_behind(t, at) : at + 1;
    if (source_token_is(t, at, "{"))
      return at;
  }
  return t->count;
}

void layout_body_read(const struct source_tokens *t, const struct layout_wanted *wanted,
                      struct layout_body *out) {
  *out = (struct layout_body){.open = find_open(t, wanted)};
  size_t behind = out->open < t->count ? source_token_behind(t, out->open) : 0;
  if (!behind || !source_token_is(t, behind - 1, "}")) {
    text_printf(&out->problem,
                "no definition of '%s' begins at line %u: a macro may make it, or "
                "the source is another one; build and measure again",
                wanted->name, wanted->line);
    return;
  }
  out->close = behind - 1;
  struct cutting c = {t, wanted, &out->problem, 0};
  // What stands behind the brace, on its line, is about the struct.
  size_t first = behind_trailing(t, out->open + 1, out->close, t->all[out->open].end);
  if (first > out->open + 1 &&
      is_blank_between(t, t->all[first - 1].end,
                       t->all[first < out->close ? first : out->close].start))
    first = out->open + 1;
  out->count = cut(&c, first, out->close, &out->chunks);
}

static void release_chunks(struct layout_chunk *chunks, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(chunks[i].declarators);
    release_chunks(chunks[i].parts, chunks[i].part_count);
  }
  free(chunks);
}

void layout_body_release(struct layout_body *body) {
  release_chunks(body->chunks, body->count);
  text_release(&body->problem);
  *body = (struct layout_body){0};
}
