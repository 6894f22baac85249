// layout_rewrite.c - the text of a struct's body with its declarations in another order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "tools/rewrite/layout_units.h"
#include "tools/support/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// What is being written.
struct writing {
  const struct layout_body *body;
  const struct source_tokens *tokens;
  const struct layout_units *units;
  struct text *out;
  bool needs_line; ///< what was written last ends with its line
};

static void add_range(struct writing *w, size_t start, size_t end) {
  text_add_bytes(w->out, w->tokens->text + start, end - start);
}

/// Adds the blanks in front of the chunk, if it begins its line.
static bool add_own_indent(struct writing *w, const struct layout_chunk *chunk) {
  size_t end = chunk->start, start = end;
  while (start && (w->tokens->text[start - 1] == ' ' || w->tokens->text[start - 1] == '\t'))
    start--;
  bool begins = start && w->tokens->text[start - 1] == '\n';
  if (begins)
    add_range(w, start, end);
  return begins;
}

/// Adds the blanks that the body's first declaration has in front.
static void add_usual_indent(struct writing *w) {
  for (size_t i = 0; i < w->body->count; i++)
    if (w->tokens->text[w->body->chunks[i].start] != '#' && add_own_indent(w, &w->body->chunks[i]))
      return;
  text_add(w->out, "  ");
}

/// Each piece gets a line, with its own blanks in front where it had one.
static void begin_piece(struct writing *w, const struct layout_chunk *chunk) {
  struct text *out = w->out;
  while (out->length && (out->data[out->length - 1] == ' ' || out->data[out->length - 1] == '\t'))
    out->data[--out->length] = 0;
  if (!out->length || out->data[out->length - 1] != '\n')
    text_add(out, "\n");
  if (!add_own_indent(w, chunk))
    add_usual_indent(w);
  w->needs_line = false;
}

static void end_piece(struct writing *w, size_t start, size_t end) {
  const char *line = w->tokens->text + end;
  while (line > w->tokens->text + start && line[-1] != '\n')
    line--;
  size_t bytes = (size_t)(w->tokens->text + end - line);
  while (bytes && isspace((unsigned char)*line))
    line++, bytes--;
  w->needs_line = (bytes && *line == '#') || memmem(line, bytes, "//", 2);
}

static void add_whole(struct writing *w, const struct layout_unit *unit) {
  const struct layout_chunk *first = &w->body->chunks[unit->first_chunk];
  size_t end = w->body->chunks[unit->last_chunk].end;
  begin_piece(w, first);
  add_range(w, first->start, end);
  end_piece(w, first->start, end);
}

/// One declarator as a declaration; the first one has the comments.
static void add_declarator(struct writing *w, const struct layout_unit *unit) {
  const struct layout_chunk *chunk = &w->body->chunks[unit->first_chunk];
  const struct layout_declarator *d = &chunk->declarators[unit->declarator];
  const struct source_token *last = &w->tokens->all[chunk->last - 1]; // the semicolon
  size_t start = unit->declarator ? chunk->specifier_start : chunk->start;
  begin_piece(w, chunk);
  add_range(w, start, chunk->declarators[0].start);
  add_range(w, d->start, d->end);
  text_add(w->out, ";");
  if (!unit->declarator && chunk->end > last->end) {
    add_range(w, last->end, chunk->end);
    end_piece(w, last->end, chunk->end);
  }
}

/// How many units from position `at` are a declaration as written; 0: its parts are apart.
static size_t whole_run(const struct writing *w, size_t at) {
  const struct layout_unit *first = &w->units->all[w->units->order[at]];
  size_t count = w->body->chunks[first->first_chunk].declarator_count;
  if (first->declarator == LAYOUT_NO_TOKEN)
    return 1;
  for (size_t i = 0; i < count; i++) {
    if (at + i >= w->units->count)
      return 0;
    const struct layout_unit *unit = &w->units->all[w->units->order[at + i]];
    if (unit->first_chunk != first->first_chunk || unit->declarator != i)
      return 0;
  }
  return count;
}

/// Adds the units from position `at` that begin before `end`. Returns behind the last one.
static size_t add_slot(struct writing *w, size_t at, size_t end) {
  while (at < end) {
    const struct layout_unit *unit = &w->units->all[w->units->order[at]];
    size_t run = whole_run(w, at);
    struct layout_unit whole = *unit;
    whole.declarator = LAYOUT_NO_TOKEN;
    if (run)
      add_whole(w, &whole);
    else
      add_declarator(w, unit);
    at += run ? run : 1;
  }
  return at;
}

/// What stays at its place.
static void add_fixed(struct writing *w, const struct layout_chunk *chunk) {
  if (w->needs_line)
    begin_piece(w, chunk);
  add_range(w, chunk->start, chunk->end);
  end_piece(w, chunk->start, chunk->end);
}

/// Takes back the blanks and the end of line in front of a slot that nothing falls into.
static void take_back(struct writing *w) {
  char *text = w->out->data;
  while (w->out->length && (text[w->out->length - 1] == ' ' || text[w->out->length - 1] == '\t'))
    text[--w->out->length] = 0;
  if (w->out->length && text[w->out->length - 1] == '\n')
    text[--w->out->length] = 0;
}

void layout_units_add(const struct layout_body *body, const struct source_tokens *tokens,
                      const struct layout_units *units, struct text *out) {
  struct writing w = {body, tokens, units, out, false};
  size_t end = tokens->all[body->open].end, position = 0, first = 0;
  for (size_t c = 0; c < body->count; c++) {
    size_t last = c;
    while (first < units->count && units->all[first].first_chunk < c)
      first++;
    bool is_slot = first < units->count && units->all[first].first_chunk == c;
    size_t behind = first;
    for (; behind < units->count && units->all[behind].first_chunk == c; behind++)
      last = units->all[behind].last_chunk;
    add_range(&w, end, body->chunks[c].start);
    if (is_slot && position >= behind)
      take_back(&w);
    else if (is_slot)
      position = add_slot(&w, position, behind);
    else
      add_fixed(&w, &body->chunks[c]);
    end = body->chunks[last].end;
    c = last;
  }
  size_t close = tokens->all[body->close].start;
  if (w.needs_line && !memchr(tokens->text + end, '\n', close - end))
    text_add(out, "\n");
  add_range(&w, end, close);
}
