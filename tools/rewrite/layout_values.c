// layout_values.c - finds initialisers of a struct by position in sources, and changes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_values.h"

#include "tools/rewrite/layout_values_list.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

#define BY_OFFSET                                                                                  \
  "offsetof of a field: if what lies in front of it matters (a part that is cleared or copied), "  \
  "--pin the last field of that part"
#define CONSTRUCTED                                                                                \
  "a constructor with initialisers: fields are initialised in their new order (-Wreorder)"

/// The code token in front; t->count if there is none.
static size_t before(const struct source_tokens *t, size_t at) {
  while (at-- > 0)
    if (t->all[at].kind != SOURCE_COMMENT && t->all[at].kind != SOURCE_DIRECTIVE)
      return at;
  return t->count;
}

/// Whether the token names the struct's type.
static bool is_type(const struct source_tokens *t, size_t at, const struct layout_names *names) {
  static const char *const members[] = {".", ">", NULL};
  if (!source_token_is_word(t, at) || source_token_is_any(t, before(t, at), members))
    return false;
  if (names->tag && source_token_is(t, at, names->tag) &&
      (names->is_cxx || source_token_is(t, before(t, at), "struct")))
    return true;
  for (size_t i = 0; i < names->typedef_count; i++)
    if (source_token_is(t, at, names->typedefs[i]) && !source_token_is(t, before(t, at), "struct"))
      return true;
  return false;
}

/// Behind dimensions [n] from `at`; depth counts them.
static size_t behind_dimensions(const struct source_tokens *t, size_t at, unsigned *depth) {
  for (; source_token_is(t, at, "["); (*depth)++)
    at = source_token_code(t, source_token_behind(t, at));
  return at;
}

/// Behind qualifiers and attributes.
static size_t behind_qualifiers(const struct source_tokens *t, size_t at) {
  static const char *const words[] = {"const", "volatile", "static", "constexpr", NULL};
  for (;;)
    if (source_token_is_any(t, at, words))
      at = source_token_next(t, at);
    else if (source_token_is(t, at, "__attribute__") &&
             source_token_is(t, source_token_next(t, at), "("))
      at = source_token_code(t, source_token_behind(t, source_token_next(t, at)));
    else
      return at;
}

/// offsetof(struct S, field): what lies in front of the field, or where it is, may be relied on.
static bool is_offset(const struct source_tokens *t, size_t type) {
  static const char *const words[] = {"offsetof", "__builtin_offsetof", NULL};
  size_t at = before(t, type);
  if (source_token_is(t, at, "struct"))
    at = before(t, at);
  return source_token_is(t, at, "(") && source_token_is_any(t, before(t, at), words);
}

/// C++: a constructor with initialisers, S(int x) : a(x) {}.
static bool is_constructor(const struct source_tokens *t, size_t name) {
  size_t open = source_token_next(t, name);
  if (!source_token_is(t, open, "("))
    return false;
  size_t at = source_token_code(t, source_token_behind(t, open));
  while (source_token_is(t, at, "noexcept"))
    at = source_token_next(t, at);
  return source_token_is(t, at, ":") && source_token_is_word(t, source_token_next(t, at)) &&
         (source_token_is(t, source_token_next(t, source_token_next(t, at)), "(") ||
          source_token_is(t, source_token_next(t, source_token_next(t, at)), "{"));
}

/// Whether the token's place is one to look at by hand; notes it.
static bool is_noted(struct layout_value_search *s, size_t at) {
  if (is_offset(s->tokens, at))
    layout_value_leave(s, at, BY_OFFSET);
  else if (s->names->is_cxx && is_constructor(s->tokens, at))
    layout_value_leave(s, at, CONSTRUCTED);
  else
    return false;
  return true;
}

/// What follows a type's name at `type`: variables with values, a literal.
static void look_behind(struct layout_value_search *s, size_t type) {
  static const char *const not_values[] = {"public", "private", "protected", "class", "struct",
                                           "enum",   ":",       "virtual",   NULL};
  const struct source_tokens *t = s->tokens;
  size_t at = behind_qualifiers(t, source_token_next(t, type));
  unsigned depth = 0;
  if (source_token_is(t, at, "{") && s->names->is_cxx &&
      !source_token_is_any(t, before(t, type), not_values)) {
    layout_value_list(s, at, 0); // S{1, 2}
    return;
  }
  size_t behind = behind_dimensions(t, at, &depth);
  if (source_token_is(t, behind, ")") && source_token_is(t, source_token_next(t, behind), "{")) {
    layout_value_list(s, source_token_next(t, behind), depth); // (struct S){1, 2}
    return;
  }
  while (source_token_is_word(t, at)) {
    depth = 0;
    at = behind_qualifiers(t, behind_dimensions(t, source_token_next(t, at), &depth));
    bool has_value =
        source_token_is(t, at, "=") && source_token_is(t, source_token_next(t, at), "{");
    if (has_value)
      at = source_token_next(t, at);
    if (!has_value && !(s->names->is_cxx && source_token_is(t, at, "{")))
      return;
    layout_value_list(s, at, depth);
    at = source_token_code(t, source_token_behind(t, at));
    if (!source_token_is(t, at, ","))
      return;
    at = source_token_next(t, at);
  }
}

void layout_values_change(struct layout_sources *sources, const struct layout_names *names,
                          const struct struct_advice *advice, const size_t *items,
                          struct layout_values *out) {
  struct layout_value_search s = {.sources = sources, .names = names, .out = out};
  layout_value_fields_read(advice, items, &s);
  layout_value_macros_read(&s);
  for (size_t i = 0; i < sources->count; i++) {
    s.source = &sources->all[i];
    s.tokens = &s.source->tokens;
    for (size_t k = 0; s.source->text && k < s.tokens->count; k++)
      if (is_type(s.tokens, k, names) && !is_noted(&s, k))
        look_behind(&s, k);
  }
  free(s.fields);
  free(s.order);
  free(s.macros);
}

void layout_values_release(struct layout_values *values) {
  free(values->left);
  *values = (struct layout_values){0};
}
