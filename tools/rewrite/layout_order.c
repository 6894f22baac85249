// layout_order.c - puts declarations into another order, where the source allows it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_units.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t place_in(const size_t *order, size_t count, size_t item) {
  size_t at = 0;
  while (at < count && order[at] != item)
    at++;
  return at;
}

/// The place of the unit's first item in the order asked for.
static size_t rank_of(const struct layout_unit *unit, const size_t *order, size_t count) {
  size_t best = count;
  for (size_t i = 0; i < unit->item_count; i++) {
    size_t at = place_in(order, count, unit->first_item + i);
    best = at < best ? at : best;
  }
  return best;
}

static bool is_defined(const struct source_tokens *t, size_t directive, size_t word) {
  const char *text = t->text + t->all[directive].start;
  size_t bytes = t->all[directive].end - t->all[directive].start;
  size_t length = t->all[word].end - t->all[word].start;
  char name[16];
  source_directive_word(t, directive, name, sizeof name);
  if (strcmp(name, "define") != 0)
    return false;
  const char *at = memchr(text, 'd', bytes), *end = text + bytes;
  for (at += strlen("define"); at < end && (*at == ' ' || *at == '\t'); at++)
    ;
  return (size_t)(end - at) >= length && memcmp(at, t->text + t->all[word].start, length) == 0 &&
         !((size_t)(end - at) > length && (at[length] == '_' || (at[length] | 32) >= 'a'));
}

/// Whether the chunk declares what the word names: a tag, a constant, a type, a macro. Of fields
/// with types of their own only tags and constants are seen elsewhere.
static bool declares(const struct source_tokens *t, const struct layout_chunk *chunk, size_t word) {
  static const char *const before[] = {"struct", "union", "enum", "class", "using", NULL};
  static const char *const behind[] = {";", "=", ",", "}", "{", "[", NULL};
  size_t enum_end = 0;
  for (size_t i = chunk->first; i < chunk->last; i++) {
    if (t->all[i].kind == SOURCE_DIRECTIVE && is_defined(t, i, word))
      return true;
    if (source_token_is(t, i, "{") && i > enum_end) {
      size_t tag = i - 1;
      while (tag > chunk->first && t->all[tag].kind == SOURCE_WORD &&
             !source_token_is(t, tag, "enum") && i - tag < 3)
        tag--;
      if (source_token_is(t, tag, "enum"))
        enum_end = source_token_behind(t, i);
    }
    if (t->all[i].kind != SOURCE_WORD || !source_token_same(t, i, word))
      continue;
    bool is_tag = i > chunk->first && source_token_is_any(t, i - 1, before);
    bool is_name = chunk->kind == LAYOUT_FIXED || i < enum_end;
    if (is_tag || (is_name && source_token_is_any(t, source_token_code(t, i + 1), behind)))
      return true;
  }
  return false;
}

/// Whether the field's declaration needs what the chunk declares.
static bool needs(const struct source_tokens *t, const struct layout_chunk *field,
                  const struct layout_chunk *chunk) {
  if (chunk->kind != LAYOUT_FIXED && !chunk->defines)
    return false;
  for (size_t i = field->first; i < field->last; i++) {
    bool is_own = false;
    for (size_t k = 0; k < field->declarator_count; k++)
      is_own |= field->declarators[k].name == i;
    if (t->all[i].kind == SOURCE_WORD && !is_own && declares(t, chunk, i))
      return true;
  }
  return false;
}

/// The slot that each position of the order falls into: a slot takes as many units as it had.
static size_t slot_of(const struct layout_units *units, size_t position) {
  return units->all[position].first_chunk;
}

static bool check_access(const struct layout_body *body, const struct source_tokens *t,
                         struct layout_units *units) {
  for (size_t i = 0; i < units->count; i++) {
    const struct layout_unit *unit = &units->all[units->order[i]];
    const struct layout_chunk *chunk = &body->chunks[unit->first_chunk];
    if (chunk->access != body->chunks[slot_of(units, i)].access ||
        chunk->access != body->chunks[unit->last_chunk].access) {
      text_printf(&units->problem,
                  "line %u: the order takes a field from behind one of public:, "
                  "protected: and private: behind another; --pin a field in front, "
                  "or move the lines by hand",
                  t->all[chunk->first].line);
      return false;
    }
  }
  return true;
}

/// What comes in front of a declaration that it needs.
static bool check_needs(const struct layout_body *body, const struct source_tokens *t,
                        struct layout_units *units) {
  for (size_t i = 0; i < units->count; i++) {
    const struct layout_unit *unit = &units->all[units->order[i]];
    const struct layout_chunk *field = &body->chunks[unit->first_chunk];
    for (size_t c = 0; c < unit->first_chunk; c++) {
      bool is_behind = body->chunks[c].kind == LAYOUT_FIXED && c > slot_of(units, i);
      for (size_t k = i + 1; k < units->count && !is_behind; k++)
        is_behind = units->all[units->order[k]].first_chunk <= c &&
                    c <= units->all[units->order[k]].last_chunk;
      if (!is_behind || !needs(t, field, &body->chunks[c]))
        continue;
      text_printf(&units->problem,
                  "line %u: this declaration needs what line %u declares, which "
                  "the order puts behind it; declare that in front of the struct",
                  t->all[field->first].line, t->all[body->chunks[c].first].line);
      return false;
    }
  }
  return true;
}

/// C++: a field's initialiser that reads another field.
static bool check_initialisers(const struct layout_body *body, const struct source_tokens *t,
                               const struct struct_advice *advice, struct layout_units *units) {
  for (size_t c = 0; c < body->count; c++) {
    const struct layout_chunk *chunk = &body->chunks[c];
    bool in_value = false;
    for (size_t i = chunk->first; chunk->declarator_count && i < chunk->last; i++) {
      in_value |= source_token_is(t, i, "=") || (source_token_is(t, i, "{") && !chunk->defines);
      for (size_t f = 0; in_value && f < advice->use->field_count; f++)
        if (source_token_is(t, i, advice->use->fields[f].member->name)) {
          text_printf(&units->problem,
                      "line %u: the field's initialiser reads the field '%s': "
                      "their order matters; move the lines by hand",
                      t->all[chunk->first].line, advice->use->fields[f].member->name);
          return false;
        }
    }
  }
  return true;
}

/// The items as the units' order has them.
static void spread(struct layout_units *units) {
  size_t filled = 0;
  for (size_t i = 0; i < units->count; i++)
    for (size_t k = 0; k < units->all[units->order[i]].item_count; k++)
      units->items[filled++] = units->all[units->order[i]].first_item + k;
}

static double cost_of(const struct struct_advice *advice, const struct layout_units *units) {
  struct layout layout;
  layout_evaluate(&advice->problem, units->items, &layout);
  return layout.cost;
}

/// Takes the order that a search of the units finds, where it costs less.
static void improve(const struct struct_advice *advice, struct layout_units *units) {
  double cost = cost_of(advice, units);
  size_t *before = memory_zeroed(units->count + 1, sizeof *before);
  memcpy(before, units->order, units->count * sizeof *before);
  layout_units_search(&advice->problem, units, units->order);
  spread(units);
  if (cost_of(advice, units) >= cost) {
    memcpy(units->order, before, units->count * sizeof *before);
    spread(units);
  }
  free(before);
}

bool layout_units_order(const struct layout_body *body, const struct source_tokens *tokens,
                        const struct struct_advice *advice, const size_t *order,
                        struct layout_units *units) {
  size_t *ranks = memory_zeroed(units->count + 1, sizeof *ranks);
  for (size_t i = 0; i < units->count; i++) {
    size_t at = i;
    ranks[i] = rank_of(&units->all[i], order, advice->item_count);
    for (; at && ranks[units->order[at - 1]] > ranks[i]; at--)
      units->order[at] = units->order[at - 1];
    units->order[at] = i;
  }
  spread(units);
  units->is_exact = memcmp(units->items, order, advice->item_count * sizeof *order) == 0;
  if (!units->is_exact)
    improve(advice, units);
  free(ranks);
  return check_access(body, tokens, units) && check_needs(body, tokens, units) &&
         check_initialisers(body, tokens, advice, units);
}
