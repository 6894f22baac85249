// layout_units.c - finds the advice's fields in the source, and what of it moves as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_units.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// The members of all items, one behind the other.
struct walk {
  const struct source_tokens *tokens;
  const struct struct_advice *advice;
  size_t item, member; ///< of the item
};

static const struct profile_member *member_at(const struct walk *w) {
  return w->item < w->advice->item_count ? &w->advice->items[w->item].first[w->member] : NULL;
}

static void step(struct walk *w) {
  if (++w->member >= w->advice->items[w->item].count)
    w->item++, w->member = 0;
}

/// Whether the token is the name; of a union's "a/b" the first part.
static bool is_named(const struct source_tokens *t, size_t token, const char *name) {
  size_t length = strcspn(name, "/");
  return token != LAYOUT_NO_TOKEN && t->all[token].end - t->all[token].start == length &&
         memcmp(t->text + t->all[token].start, name, length) == 0;
}

static bool has_word(const struct source_tokens *t, const struct layout_chunk *chunk,
                     const char *name) {
  for (size_t i = chunk->first; i < chunk->last; i++)
    if (t->all[i].kind == SOURCE_WORD && is_named(t, i, name))
      return true;
  return false;
}

/// Whether a field of the chunk has the name; of a condition any, else the first one.
static bool has_field(const struct source_tokens *t, const struct layout_chunk *chunk,
                      const char *name) {
  for (size_t i = 0; i < chunk->part_count; i++)
    if (has_field(t, &chunk->parts[i], name))
      return true;
  if (chunk->kind == LAYOUT_FIELD && !chunk->declarator_count)
    return has_word(t, chunk, name);
  for (size_t i = 0; i < chunk->declarator_count; i++)
    if (is_named(t, chunk->declarators[i].name, name))
      return true;
  return false;
}

/// Whether what follows chunk `at` begins with the field.
static bool follows(const struct layout_body *body, const struct source_tokens *t, size_t at,
                    const char *name) {
  for (size_t i = at + 1; i < body->count; i++) {
    const struct layout_chunk *chunk = &body->chunks[i];
    if ((chunk->kind == LAYOUT_FIELD || chunk->kind == LAYOUT_CONDITIONAL) &&
        has_field(t, chunk, name))
      return true;
    if (chunk->kind == LAYOUT_FIELD || chunk->kind == LAYOUT_MACRO)
      return false;
  }
  return false;
}

static bool is_macro_next(const struct layout_body *body, size_t at) {
  for (size_t i = at + 1; i < body->count; i++)
    if (body->chunks[i].kind == LAYOUT_MACRO || body->chunks[i].kind == LAYOUT_FIELD)
      return body->chunks[i].kind == LAYOUT_MACRO;
  return false;
}

static void set_mismatch(const struct walk *w, const struct layout_chunk *chunk, size_t token,
                         struct text *problem) {
  const struct profile_member *have = member_at(w);
  char *name = token == LAYOUT_NO_TOKEN ? NULL : source_token_copy(w->tokens, token);
  text_printf(problem,
              "line %u: the source has '%s' where the program that ran has '%s'; build "
              "and measure again, or a macro or another compiler option makes the fields: "
              "then move the lines by hand",
              w->tokens->all[chunk->first].line, name ? name : "a struct or union without a name",
              have ? have->name : "no more field");
  free(name);
}

/// Goes past an anonymous struct or union.
static bool match_anonymous(struct walk *w, const struct layout_chunk *chunk) {
  const struct profile_member *m = member_at(w);
  if (!m || w->member || !has_word(w->tokens, chunk, m->name))
    return false;
  w->item++;
  return true;
}

/// Goes past the chunk's fields; false with a problem where they are others.
static bool match_chunk(const struct layout_body *body, size_t at, struct walk *w,
                        struct text *problem) {
  const struct layout_chunk *chunk = &body->chunks[at];
  const struct source_tokens *t = w->tokens;
  if (chunk->kind == LAYOUT_FIELD && !chunk->declarator_count && !match_anonymous(w, chunk))
    set_mismatch(w, chunk, LAYOUT_NO_TOKEN, problem);
  for (size_t i = 0; i < chunk->declarator_count && !problem->length; i++) {
    const struct profile_member *m = member_at(w);
    size_t name = chunk->declarators[i].name;
    if (name == LAYOUT_NO_TOKEN)
      continue;
    if (!m || !is_named(t, name, m->name))
      set_mismatch(w, chunk, name, problem);
    else
      step(w);
  }
  if (chunk->kind == LAYOUT_CONDITIONAL)
    while (member_at(w) && has_field(t, chunk, member_at(w)->name))
      step(w);
  if (chunk->kind == LAYOUT_MACRO && is_macro_next(body, at) &&
      !follows(body, t, at, member_at(w) ? member_at(w)->name : ""))
    text_printf(problem,
                "line %u: macros side by side make its fields: which makes which can't be "
                "told; move the lines by hand",
                t->all[chunk->first].line);
  else if (chunk->kind == LAYOUT_MACRO)
    while (member_at(w) && !follows(body, t, at, member_at(w)->name))
      step(w);
  return !problem->length;
}

static struct layout_unit *add_unit(struct layout_units *units, struct layout_unit unit) {
  units->all = memory_resized(units->all, units->count + 1, sizeof unit);
  units->all[units->count++] = unit;
  return &units->all[units->count - 1];
}

/// Whether the declarators are each an item, so that they can be declared by themselves.
static bool is_separable(const struct layout_chunk *chunk, const struct walk *from,
                         const struct walk *to) {
  return chunk->declarator_count > 1 && !chunk->defines && !from->member && !to->member &&
         to->item - from->item == chunk->declarator_count;
}

/// The chunk's units, from its first item to its last; what begins within an item joins the unit
/// before.
static void add_units(const struct layout_body *body, size_t at, const struct walk *from,
                      const struct walk *to, struct layout_units *units) {
  const struct layout_chunk *chunk = &body->chunks[at];
  bool is_empty = from->item == to->item && from->member == to->member;
  bool is_padding = is_empty && chunk->declarator_count;
  if (is_empty && !is_padding)
    return;
  size_t items = to->item + (to->member != 0) - from->item;
  if (from->member || is_padding) {
    struct layout_unit *before = &units->all[units->count - 1];
    // A declarator that continues an item takes its whole declaration with it.
    while (units->count > 1 && before[-1].first_chunk == before->first_chunk) {
      before--, units->count--;
      before->item_count += before[1].item_count;
      before->declarator = LAYOUT_NO_TOKEN;
    }
    before->declarator = LAYOUT_NO_TOKEN;
    before->last_chunk = at;
    if (!is_padding)
      before->item_count += items - 1;
    return;
  }
  bool is_separate = is_separable(chunk, from, to);
  for (size_t i = 0; i < (is_separate ? chunk->declarator_count : 1); i++)
    add_unit(units, (struct layout_unit){at, at, is_separate ? i : LAYOUT_NO_TOKEN, from->item + i,
                                         is_separate ? 1 : items});
}

void layout_units_match(const struct layout_body *body, const struct source_tokens *tokens,
                        const struct struct_advice *advice, struct layout_units *out) {
  struct walk w = {tokens, advice, 0, 0};
  *out = (struct layout_units){0};
  for (size_t i = 0; i < body->count && !out->problem.length; i++) {
    struct walk from = w;
    const struct layout_chunk *chunk = &body->chunks[i];
    if (!match_chunk(body, i, &w, &out->problem))
      break;
    if (!out->count && w.item == 0 && w.member == 0 && chunk->declarator_count)
      text_printf(&out->problem,
                  "line %u: a bit-field without a name stands in front of all fields",
                  tokens->all[chunk->first].line);
    else
      add_units(body, i, &from, &w, out);
  }
  if (!out->problem.length && member_at(&w))
    text_printf(&out->problem,
                "the program that ran has a field '%s' that its source doesn't "
                "have; build and measure again",
                member_at(&w)->name);
  out->order = memory_zeroed(out->count + 1, sizeof *out->order);
  out->items = memory_zeroed(advice->item_count + 1, sizeof *out->items);
}

void layout_units_release(struct layout_units *units) {
  free(units->all);
  free(units->order);
  free(units->items);
  text_release(&units->problem);
  *units = (struct layout_units){0};
}
