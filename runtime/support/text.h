// text.h - bounded text building without libc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_TEXT_H
#define RETICLE_RUNTIME_SUPPORT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/// Text in the caller's buffer, always zero-terminated; what doesn't fit is cut and `cut` is set.
struct rrt_text {
  char *data;
  size_t length;
  size_t capacity; ///< with room for the terminating zero
  int cut;
};

void rrt_text_init(struct rrt_text *text, char *buffer, size_t bytes);
void rrt_text_add(struct rrt_text *text, const char *string);
void rrt_text_add_bytes(struct rrt_text *text, const char *bytes, size_t count);
void rrt_text_add_number(struct rrt_text *text, uint64_t number);
void rrt_text_add_hex(struct rrt_text *text, uint64_t number, int digits);

/// Number of decimal digits at the start of the text, value in *out; 0 if there are none or the
/// number doesn't fit.
size_t rrt_parse_number(const char *text, uint64_t *out);
/// As above for lower-case hex.
size_t rrt_parse_hex(const char *text, uint64_t *out);

#endif
