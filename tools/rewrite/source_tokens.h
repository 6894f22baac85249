// source_tokens.h - C and C++ source as tokens, comments and preprocessor lines among them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_SOURCE_TOKENS_H
#define RETICLE_TOOLS_REWRITE_SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum source_token_kind {
  SOURCE_WORD,   ///< identifier or keyword
  SOURCE_NUMBER, ///< or a character constant
  SOURCE_STRING,
  SOURCE_MARK, ///< one character, or "::"
  SOURCE_COMMENT,
  SOURCE_DIRECTIVE, ///< a preprocessor line with those that continue it
};

struct source_token {
  enum source_token_kind kind;
  size_t start, end; ///< bytes of the text
  unsigned line;     ///< of the start, from 1
};

/// Start with source_tokens_read, end with source_tokens_release.
struct source_tokens {
  const char *text; ///< not owned
  size_t bytes;
  struct source_token *all; ///< [count]
  size_t count;
};

/// text  [bytes], must outlive the result
void source_tokens_read(const char *text, size_t bytes, struct source_tokens *out);
void source_tokens_release(struct source_tokens *tokens);

/// Whether the token is spelled so; false behind the last one.
bool source_token_is(const struct source_tokens *tokens, size_t at, const char *spelling);
bool source_token_same(const struct source_tokens *tokens, size_t a, size_t b);
/// Whether it is one of these, up to a null.
bool source_token_is_any(const struct source_tokens *tokens, size_t at,
                         const char *const *spellings);
/// Whether it is a word: a name or a keyword. False behind the last.
bool source_token_is_word(const struct source_tokens *tokens, size_t at);
/// The code token behind it, as source_token_code.
size_t source_token_next(const struct source_tokens *tokens, size_t at);
/// The next token from `at` that is neither comment nor directive; `count` if there is none.
size_t source_token_code(const struct source_tokens *tokens, size_t at);
/// Behind the bracket that belongs to the one at `at`: ( [ {. `count` where there is none.
size_t source_token_behind(const struct source_tokens *tokens, size_t at);
/// Copy of the token; the caller frees it.
char *source_token_copy(const struct source_tokens *tokens, size_t at);
/// The line of a byte, from 1.
unsigned source_line_of(const struct source_tokens *tokens, size_t byte);
/// The directive's word: "if", "endif", "define" ...; copied, [bytes] with its end.
void source_directive_word(const struct source_tokens *tokens, size_t at, char *out, size_t bytes);

#endif
