// words.c - gives a site room for its words, part by part, and adds objects to it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/words.h"

#include "runtime/probe/shadow.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

enum { PIECE_BYTES = 8192 * sizeof(struct rrt_word) };

static struct {
  char *piece; // [PIECE_BYTES], of which `taken` are given away
  uint64_t taken, given;
} state = {.taken = PIECE_BYTES};
static uint32_t piece_lock RRT_PER_PROCESS;

static void *take(uint64_t bytes) {
  void *room = 0;
  rrt_sys_lock(&piece_lock);
  if (state.taken + bytes > PIECE_BYTES) {
    char *fresh = rrt_sys_map(PIECE_BYTES);
    if (fresh) {
      state.piece = fresh;
      state.taken = 0;
    }
  }
  if (state.taken + bytes <= PIECE_BYTES) {
    room = state.piece + state.taken;
    state.taken += bytes;
    state.given += bytes;
  }
  rrt_sys_unlock(&piece_lock);
  return room;
}

static uint32_t words_of(uint32_t part) {
  return rrt_words_first(part + 1) - rrt_words_first(part);
}

void rrt_words_make(struct rrt_site *s, uint64_t bytes) {
  for (uint32_t part = 0; part < RRT_SITE_PARTS && 4 * (uint64_t)rrt_words_first(part) < bytes;
       part++) {
    uint32_t count = words_of(part);
    if (!s->words[part]) // pairs with rrt_site_word
      __atomic_store_n(&s->words[part], take(count * sizeof(struct rrt_word)), __ATOMIC_RELEASE);
    if (!s->kinds[part] && rrt_shadow.has_kinds)
      __atomic_store_n(&s->kinds[part], take(count * sizeof(struct rrt_kinds)), __ATOMIC_RELEASE);
  }
}

void rrt_words_tell_kinds(void) { __atomic_store_n(&rrt_shadow.has_kinds, 1, __ATOMIC_RELEASE); }

void rrt_words_begin_living(struct rrt_site *s) {
  for (uint32_t part = 0; part < RRT_SITE_PARTS; part++)
    for (uint32_t i = 0; s->words[part] && i < words_of(part); i++) {
      s->words[part][i].living = 0;
      s->words[part][i].told = s->words[part][i].ever;
    }
}

void rrt_words_forget(struct rrt_site *s) {
  for (uint32_t part = 0; part < RRT_SITE_PARTS; part++)
    for (uint32_t i = 0; s->words[part] && i < words_of(part); i++)
      s->words[part][i] = (struct rrt_word){.living = s->words[part][i].living};
  for (uint32_t part = 0; part < RRT_SITE_PARTS; part++)
    if (s->kinds[part])
      rrt_zero(s->kinds[part], words_of(part) * sizeof(struct rrt_kinds));
}

uint64_t rrt_words_bytes(void) { return state.given; }
