// layout_declarator.c - what a declaration in a struct declares: fields with names, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_body.h"
#include "tools/support/memory.h"

#include <string.h>

/// Behind attributes and the like that begin at `at`: alignas(64), [[x]], __attribute__((y)).
static size_t behind_attribute(const struct source_tokens *t, size_t at) {
  static const char *const calls[] = {"__attribute__", "alignas", "_Alignas", "__declspec",
                                      "__typeof__",    "typeof",  "decltype", "__typeof",
                                      "__extension__", "_Atomic", NULL};
  size_t behind = at;
  if (source_token_is_any(t, at, calls)) {
    behind = source_token_next(t, at);
    if (source_token_is(t, behind, "("))
      behind = source_token_code(t, source_token_behind(t, behind));
  } else if (source_token_is(t, at, "[") && source_token_is(t, source_token_next(t, at), "[")) {
    behind = source_token_code(t, source_token_behind(t, at));
  }
  return behind;
}

/// Behind the angle brackets of a template's arguments.
static size_t behind_angles(const struct source_tokens *t, size_t at, size_t end) {
  size_t depth = 0;
  while (at < end) {
    if (source_token_is(t, at, "(")) {
      at = source_token_code(t, source_token_behind(t, at));
      continue;
    }
    depth += source_token_is(t, at, "<");
    if (source_token_is(t, at, ">") && !--depth)
      return source_token_next(t, at);
    at = source_token_next(t, at);
  }
  return end;
}

/// Behind "struct tag {...}".
static size_t behind_tagged(const struct source_tokens *t, size_t at, size_t end, bool *defines) {
  at = source_token_next(t, at);
  for (size_t behind; at < end && (behind = behind_attribute(t, at)) != at;)
    at = behind;
  for (bool is_done = false; at < end && !is_done; at = source_token_next(t, at)) {
    if (!source_token_is_word(t, at) && !source_token_is(t, at, "::"))
      break;
    is_done = source_token_is_word(t, at) && !source_token_is(t, source_token_next(t, at), "::");
  }
  if (at < end && source_token_is(t, at, "{")) {
    *defines = true;
    at = source_token_code(t, source_token_behind(t, at));
  }
  return at;
}

static bool is_field(const struct source_tokens *t, size_t at, const struct layout_wanted *wanted) {
  for (size_t i = 0; i < wanted->field_count; i++)
    if (source_token_is(t, at, wanted->fields[i]))
      return true;
  return false;
}

/// Whether a declarator begins at the word: nothing of a type follows.
static bool is_last_word(const struct source_tokens *t, size_t at, size_t end) {
  static const char *const marks[] = {",", ";", "[", ":", "=", "{", NULL};
  size_t behind = source_token_next(t, at);
  return behind >= end || source_token_is_any(t, behind, marks) ||
         behind_attribute(t, behind) != behind;
}

/// The first token of the first declarator; `end` where there is none.
static size_t declarator_first(const struct source_tokens *t, const struct layout_wanted *wanted,
                               struct layout_chunk *chunk, size_t end) {
  static const char *const tags[] = {"struct", "union", "enum", "class", NULL};
  static const char *const marks[] = {"*", "&", "(", "^", ":", NULL};
  size_t at = chunk->first, words = 0;
  while (at < end) {
    size_t behind = behind_attribute(t, at);
    if (behind != at) {
      words += !source_token_is(t, at, "["), at = behind;
    } else if (source_token_is_any(t, at, tags)) {
      at = behind_tagged(t, at, end, &chunk->defines), words++;
    } else if (at == chunk->first && source_token_is_word(t, at) &&
               source_token_is(t, source_token_next(t, at), "(") &&
               !source_token_is_any(t, source_token_next(t, source_token_next(t, at)), marks)) {
      at = source_token_code(t, source_token_behind(t, source_token_next(t, at))),
      words++; // a type by a macro
    } else if (wanted->is_cxx && source_token_is_word(t, at) &&
               source_token_is(t, source_token_next(t, at), "<")) {
      at = behind_angles(t, source_token_next(t, at), end), words++;
    } else if (source_token_is_any(t, at, marks) ||
               (words && source_token_is_word(t, at) &&
                (is_last_word(t, at, end) || is_field(t, at, wanted)))) {
      return at;
    } else {
      words += source_token_is_word(t, at), at = source_token_next(t, at);
    }
  }
  return end;
}

/// The name in a declarator: `*const *name[3]`, `(*name)(int)`.
static size_t name_of(const struct source_tokens *t, size_t at, size_t end) {
  static const char *const qualifiers[] = {"const",      "volatile",     "restrict",
                                           "__restrict", "__restrict__", NULL};
  while (at < end) {
    size_t behind = behind_attribute(t, at);
    if (behind != at)
      at = behind;
    else if (source_token_is_any(t, at, qualifiers))
      at = source_token_next(t, at);
    else if (source_token_is_word(t, at) && source_token_is(t, source_token_next(t, at), "::"))
      at = source_token_next(t, source_token_next(t, at)); // a pointer to a member
    else if (source_token_is_word(t, at))
      return at;
    else if (source_token_is(t, at, ":"))
      return LAYOUT_NO_TOKEN;
    else
      at = source_token_next(t, at);
  }
  return LAYOUT_NO_TOKEN;
}

static void add_declarator(const struct source_tokens *t, struct layout_chunk *chunk, size_t first,
                           size_t end) {
  struct layout_declarator one = {.name = name_of(t, first, end), .start = t->all[first].start};
  size_t last = first;
  for (size_t at = first; at < end; at = source_token_is(t, at, "(") ||
                                                 source_token_is(t, at, "[") ||
                                                 source_token_is(t, at, "{")
                                             ? source_token_code(t, source_token_behind(t, at))
                                             : source_token_next(t, at)) {
    one.is_bits |= source_token_is(t, at, ":");
    last = at;
  }
  if (source_token_is(t, last, "(") || source_token_is(t, last, "[") ||
      source_token_is(t, last, "{"))
    last = source_token_behind(t, last) - 1;
  one.end = t->all[last].end;
  chunk->declarators = memory_resized(chunk->declarators, chunk->declarator_count + 1, sizeof one);
  chunk->declarators[chunk->declarator_count++] = one;
}

/// Where the declarator that begins at `at` ends: at a comma, or at `end`.
static size_t declarator_end(const struct source_tokens *t, size_t at, size_t end, bool is_cxx) {
  while (at < end && !source_token_is(t, at, ",")) {
    if (source_token_is(t, at, "(") || source_token_is(t, at, "[") || source_token_is(t, at, "{"))
      at = source_token_code(t, source_token_behind(t, at));
    else if (is_cxx && source_token_is_word(t, at) &&
             source_token_is(t, source_token_next(t, at), "<"))
      at = behind_angles(t, source_token_next(t, at), end);
    else
      at = source_token_next(t, at);
  }
  return at < end ? at : end;
}

/// A declaration that declares no field: by its first words, or a function.
static bool is_fixed(const struct source_tokens *t, const struct layout_wanted *wanted,
                     const struct layout_chunk *chunk, size_t end) {
  static const char *const words[] = {
      "static",   "typedef",       "using",          "friend",   "template",  "extern", "virtual",
      "explicit", "static_assert", "_Static_assert", "operator", "constexpr", "inline", "~",
      NULL};
  size_t first = chunk->first;
  if (source_token_is_any(t, first, words) || first >= end)
    return true;
  if (source_token_is(t, first, wanted->name) &&
      source_token_is(t, source_token_next(t, first), "("))
    return true; // a constructor
  if (!wanted->is_cxx)
    return false;
  for (size_t at = first; at < end; at = source_token_next(t, at)) {
    if (source_token_is(t, at, "operator"))
      return true;
    size_t behind = behind_attribute(t, at);
    if (behind != at) {
      at = behind - 1;
      continue;
    }
    if (source_token_is(t, at, "<") && at > first && source_token_is_word(t, at - 1)) {
      at = behind_angles(t, at, end) - 1;
      continue;
    }
    if (source_token_is(t, at, "{") || source_token_is(t, at, "="))
      return false;
    if (source_token_is(t, at, "(") && at > first + 1)
      return source_token_is_word(t, at - 1) && !source_token_is(t, source_token_next(t, at), "*");
  }
  return false;
}

/// "NAME;" or "NAME(...);".
static bool is_macro(const struct source_tokens *t, const struct layout_chunk *chunk, size_t end) {
  size_t at = source_token_next(t, chunk->first);
  if (!source_token_is_word(t, chunk->first) || source_token_is(t, chunk->first, "struct"))
    return false;
  return at >= end ||
         (source_token_is(t, at, "(") && source_token_code(t, source_token_behind(t, at)) >= end);
}

void layout_declarators_read(const struct source_tokens *t, const struct layout_wanted *wanted,
                             struct layout_chunk *chunk) {
  size_t end = chunk->last;
  while (end > chunk->first && source_token_is(t, end - 1, ";"))
    end--;
  chunk->kind = LAYOUT_FIXED;
  if (is_fixed(t, wanted, chunk, end))
    return;
  if (is_macro(t, chunk, end)) {
    chunk->kind = LAYOUT_MACRO;
    return;
  }
  chunk->specifier_start = t->all[chunk->first].start;
  size_t first = declarator_first(t, wanted, chunk, end);
  if (first >= end) {
    // "struct {...};" is a field, "struct tag {...};", "enum {...};" and "struct tag;" are none.
    size_t tag = source_token_next(t, chunk->first);
    for (size_t behind; (behind = behind_attribute(t, tag)) != tag;)
      tag = behind;
    if (chunk->defines && source_token_is(t, tag, "{") && !source_token_is(t, chunk->first, "enum"))
      chunk->kind = LAYOUT_FIELD;
    return;
  }
  chunk->kind = LAYOUT_FIELD;
  while (first < end) {
    size_t behind = declarator_end(t, first, end, wanted->is_cxx);
    add_declarator(t, chunk, first, behind);
    first = source_token_next(t, behind);
  }
}
