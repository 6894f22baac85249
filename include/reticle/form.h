// form.h - copies of a loop that stand side by side: what they are called, and their ids.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INCLUDE_RETICLE_FORM_H
#define INCLUDE_RETICLE_FORM_H

#include <stdint.h>

/// The two copies of a loop as it is: what they differ by is what tells nothing of forms.
#define RETICLE_COPY_SAME "same"
#define RETICLE_COPY_AGAIN "again"

/// A line "loop:ID=copies-N" of the option forms= has the loop stand once in each form that is
/// listed for it, and twice as it is. N: iterations behind which a copy is drawn anew, a power of
/// two of these; 0: each execution draws one.
enum { RETICLE_CHUNK_LEAST_LOG2 = 4, RETICLE_CHUNK_MOST_LOG2 = 24 };

/// The id of a loop's copy, under which it is timed.
///
/// loop  id of the loop that it is a copy of
/// name  of its form, "prefetch-16", or one of the two above
static inline uint64_t reticle_copy_id(uint64_t loop, const char *name) {
  uint64_t hash = loop ^ 0x9e3779b97f4a7c15u; // FNV-1a from here on
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash;
}

#endif
