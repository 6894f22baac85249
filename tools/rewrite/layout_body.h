// layout_body.h - a struct's body as source: declarations with their comments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_LAYOUT_BODY_H
#define RETICLE_TOOLS_REWRITE_LAYOUT_BODY_H

#include "tools/rewrite/source_tokens.h"
#include "tools/support/text.h"

/// No token.
#define LAYOUT_NO_TOKEN ((size_t)-1)

enum layout_chunk_kind {
  LAYOUT_FIELD,       ///< a declaration with declarators, or an anonymous struct or union
  LAYOUT_CONDITIONAL, ///< from #if to #endif
  LAYOUT_MACRO,       ///< a macro that stands for fields: CommonHeader;
  LAYOUT_FIXED,       ///< no field: a function, a type, #define
  LAYOUT_LABEL,       ///< public:
};

struct layout_declarator {
  size_t name;       ///< token, or LAYOUT_NO_TOKEN: a bit-field without a name
  size_t start, end; ///< bytes
  bool is_bits;
};

/// A declaration with its comments.
struct layout_chunk {
  enum layout_chunk_kind kind;
  size_t start, end;                     ///< bytes, comments included
  size_t first, last;                    ///< tokens of its code, [first, last)
  size_t specifier_start;                ///< bytes
  struct layout_declarator *declarators; ///< [declarator_count]; none: an anonymous struct or union
  size_t declarator_count;
  bool defines;               ///< a type is defined in it
  unsigned access;            ///< labels in front of it
  struct layout_chunk *parts; ///< [part_count] what is inside of a condition
  size_t part_count;
};

/// What layout_body_read looks for.
struct layout_wanted {
  const char *name; ///< of the struct, without namespaces; of one without a name: its typedef's
  unsigned line;    ///< where it is defined
  const char *const *fields; ///< [field_count] names of its fields
  size_t field_count;
  bool is_cxx;
};

/// Start with layout_body_read, end with layout_body_release.
struct layout_body {
  size_t open, close;          ///< tokens of the braces
  struct layout_chunk *chunks; ///< [count] in the order written
  size_t count;
  struct text problem; ///< why it can't be read, as the end of a message; empty: it can
};

/// Finds the definition, and cuts its body. tokens must outlive the result.
void layout_body_read(const struct source_tokens *tokens, const struct layout_wanted *wanted,
                      struct layout_body *out);
void layout_body_release(struct layout_body *body);

/// Reads the declarators of chunk->first to chunk->last, and what it is. layout_declarator.c.
void layout_declarators_read(const struct source_tokens *tokens, const struct layout_wanted *wanted,
                             struct layout_chunk *chunk);

#endif
