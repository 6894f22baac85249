// words.h - what is known of the single words of a site's objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most objects are small, so a site gets room for the words that its largest object has, in parts
// that never move: words 0 to 15, 16 to 31, 32 to 63, 64 to 127.
#ifndef RETICLE_RUNTIME_HEAP_WORDS_H
#define RETICLE_RUNTIME_HEAP_WORDS_H

#include "include/reticle/abi.h"
#include "runtime/heap/site.h"

enum { RRT_FIRST_PART_WORDS = 16, RRT_FIRST_PART_BITS = 4 };

struct rrt_word {
  uint64_t sampled;    ///< written by the scan alone
  uint64_t ever, last; ///< of objects that are gone; written under the site's lock
  uint64_t living;     ///< of living objects when they were last looked at
  uint64_t told;       ///< `ever` of that moment
};

/// Where reads and writes are told apart: intervals in which the word was read, and written.
struct rrt_kinds {
  uint64_t reads, writes;           ///< written by the scan alone
  uint64_t last_reads, last_writes; ///< of objects that are gone; written under the site's lock
};

/// Room for the words of objects of that size. Under the site's lock, or before others know the
/// site.
void rrt_words_make(struct rrt_site *site, uint64_t bytes);
/// The living are looked at anew: none of them yet, and `ever` as it is.
void rrt_words_begin_living(struct rrt_site *site);
/// All but what living objects have.
void rrt_words_forget(struct rrt_site *site);
uint64_t rrt_words_bytes(void);

static inline uint32_t rrt_words_part(uint32_t word) {
  return word < RRT_FIRST_PART_WORDS ? 0 : 32 - RRT_FIRST_PART_BITS - (uint32_t)__builtin_clz(word);
}
static inline uint32_t rrt_words_first(uint32_t part) {
  return part ? RRT_FIRST_PART_WORDS << (part - 1) : 0;
}

/// From now on there is room for kinds, too: rrt_shadow.has_kinds.
void rrt_words_tell_kinds(void);

/// Of the kinds in a mark: of code that tells.
static inline int rrt_mark_was_read(uint32_t mark) {
  return mark & RETICLE_SHADOW_READ && mark & (RETICLE_SHADOW_THREAD | RETICLE_SHADOW_OTHERS);
}
static inline int rrt_mark_was_written(uint32_t mark) { return mark & RETICLE_SHADOW_WRITTEN; }

/// Null: not counted, as no object was so large, it is behind the last that is counted, or there
/// was no memory.
static inline struct rrt_word *rrt_site_word(const struct rrt_site *site, uint64_t word) {
  if (word >= RRT_SITE_WORDS)
    return 0;
  uint32_t part = rrt_words_part((uint32_t)word);
  struct rrt_word *words = __atomic_load_n(&site->words[part], __ATOMIC_ACQUIRE);
  return words ? words + (word - rrt_words_first(part)) : 0;
}

/// Words from the given one on that lie side by side: *count of them, at most 8. Null as above.
static inline struct rrt_word *rrt_site_words(const struct rrt_site *site, uint64_t word,
                                              uint32_t *count) {
  struct rrt_word *first = rrt_site_word(site, word);
  uint32_t left = first ? rrt_words_first(rrt_words_part((uint32_t)word) + 1) - (uint32_t)word : 0;
  *count = left < 8 ? left : 8;
  return first;
}

/// Null also where kinds aren't told.
static inline struct rrt_kinds *rrt_site_kinds(const struct rrt_site *site, uint64_t word) {
  if (word >= RRT_SITE_WORDS)
    return 0;
  uint32_t part = rrt_words_part((uint32_t)word);
  struct rrt_kinds *kinds = __atomic_load_n(&site->kinds[part], __ATOMIC_ACQUIRE);
  return kinds ? kinds + (word - rrt_words_first(part)) : 0;
}

#endif
