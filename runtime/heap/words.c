// words.c - see words.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/words.h"

#include "runtime/sys/sys.h"

enum { PIECE_WORDS = 8192 };

static struct rrt_word *piece; // [PIECE_WORDS], of which `taken` are given away
static uint32_t taken = PIECE_WORDS, piece_lock;
static uint64_t given_words;

static struct rrt_word *take(uint32_t count) {
  struct rrt_word *words = 0;
  while (__atomic_exchange_n(&piece_lock, 1, __ATOMIC_ACQUIRE))
    rrt_sys_yield();
  if (taken + count > PIECE_WORDS) {
    struct rrt_word *fresh = rrt_sys_map(PIECE_WORDS * sizeof *fresh);
    if (fresh) {
      piece = fresh;
      taken = 0;
    }
  }
  if (taken + count <= PIECE_WORDS) {
    words = piece + taken;
    taken += count;
    given_words += count;
  }
  __atomic_store_n(&piece_lock, 0, __ATOMIC_RELEASE);
  return words;
}

static uint32_t words_of(uint32_t part) {
  return rrt_words_first(part + 1) - rrt_words_first(part);
}

void rrt_words_make(struct rrt_site *s, uint64_t bytes) {
  for (uint32_t part = 0; part < RRT_SITE_PARTS && 4 * (uint64_t)rrt_words_first(part) < bytes;
       part++)
    if (!s->words[part]) // pairs with rrt_site_word
      __atomic_store_n(&s->words[part], take(words_of(part)), __ATOMIC_RELEASE);
}

void rrt_words_forget_living(struct rrt_site *s) {
  for (uint32_t part = 0; part < RRT_SITE_PARTS; part++)
    for (uint32_t i = 0; s->words[part] && i < words_of(part); i++)
      s->words[part][i].living = 0;
}

void rrt_words_forget(struct rrt_site *s) {
  for (uint32_t part = 0; part < RRT_SITE_PARTS; part++)
    for (uint32_t i = 0; s->words[part] && i < words_of(part); i++)
      s->words[part][i] = (struct rrt_word){.living = s->words[part][i].living};
}

void rrt_words_forked(void) { __atomic_store_n(&piece_lock, 0, __ATOMIC_RELEASE); }

uint64_t rrt_words_bytes(void) { return given_words * sizeof(struct rrt_word); }
