// shared_line.c - tells from the marks of a line which threads touched which of its words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/shared_line.h"

#include "runtime/heap/globals.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/line.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/object.h"
#include "runtime/probe/shadow.h"
#include "runtime/probe/shadow_bits.h"

enum {
  WORD_BYTES = 4,
  OTHERS_BIT = 7, // of threads_low
};

enum { WHOSE = THREAD | OTHERS };

// One bit for each word that was touched since the last sample.
static uint64_t fresh_of(uint64_t eight) { return rrt_marks_fresh(eight) & ~(eight >> 7); }

int rrt_line_may_be_shared(const uint8_t *marks) {
  uint64_t low, high;
  __builtin_memcpy(&low, marks, 8);
  __builtin_memcpy(&high, marks + 8, 8);
  if (!((low | high) & RRT_LOW_BITS * WRITTEN))
    return 0;
  uint64_t fresh_low = fresh_of(low), fresh_high = fresh_of(high);
  if (!(fresh_low | fresh_high))
    return 0;
  // The first one's thread, in the place of each that is fresh: are they all that one's?
  uint64_t first = fresh_low ? low >> (__builtin_ctzll(fresh_low) & ~7)
                             : high >> (__builtin_ctzll(fresh_high) & ~7);
  first &= WHOSE;
  return first & OTHERS || ((low & WHOSE * fresh_low) ^ first * fresh_low) ||
         ((high & WHOSE * fresh_high) ^ first * fresh_high);
}

// One word of the line.
static void add(struct rrt_line_look *out, uint32_t word, uint32_t mark) {
  uint32_t bit = 1u << word, thread = (mark & THREAD) >> RETICLE_SHADOW_THREAD_SHIFT;
  if (mark & HEAD)
    return;
  out->earlier |= mark & EARLIER ? bit : 0;
  if (!(mark & (READ | WRITTEN)))
    return;
  out->touched |= bit;
  if (!(mark & (THREAD | OTHERS)))
    return; // of code that doesn't tell
  out->read |= mark & READ ? bit : 0;
  out->written |= mark & WRITTEN ? bit : 0;
  out->shared |= mark & WRITTEN && mark & OTHERS ? bit : 0;
  uint64_t bits =
      (thread ? UINT64_C(1) << (thread - 1) : 0) | (mark & OTHERS ? UINT64_C(1) << OTHERS_BIT : 0);
  out->threads[word / 8] |= bits << 8 * (word % 8);
}

static enum rrt_line_how judge(const struct rrt_line_look *look) {
  uint32_t known = look->read | look->written, threads = 0, writers = 0;
  for (uint32_t word = 0; word < RRT_LINE_WORDS; word++) {
    uint32_t whose = look->threads[word / 8] >> 8 * (word % 8) & UINT8_MAX;
    threads |= whose;
    if (look->shared >> word & 1)
      writers |= whose & ~(1u << OTHERS_BIT);
  }
  int are_several = threads & (threads - 1) || threads >> OTHERS_BIT;
  if (!look->written || !are_several)
    return RRT_LINE_OWN;
  if (!look->shared)
    return RRT_LINE_APART;
  // Words in common that different threads write are better off apart, too.
  return known != look->shared || writers & (writers - 1) ? RRT_LINE_MIXED : RRT_LINE_COMMON;
}

enum rrt_line_how rrt_line_look(const uint8_t *marks, struct rrt_line_look *out) {
  *out = (struct rrt_line_look){.how = RRT_LINE_OWN};
  for (uint32_t word = 0; word < RRT_LINE_WORDS; word++)
    add(out, word, __atomic_load_n(marks + word, __ATOMIC_RELAXED));
  out->how = judge(out);
  return out->how;
}

// --- whose words they are ------------------------------------------------------------------------

struct extent {
  uint32_t site;
  uintptr_t begin, end; // in bytes; end of an object of the heap: at most
};

static struct extent extent_at(uintptr_t address) {
  struct extent e = {0, 0, UINTPTR_MAX};
  if ((e.site = rrt_globals_find(address, &e.begin, &e.end)) ||
      (e.site = rrt_mapped_find(address, &e.begin, &e.end)))
    return e;
  e.site = rrt_heap_object(address, &e.begin);
  return e;
}

static uintptr_t address_of(const uint8_t *marks, uint32_t word) {
  return ((uintptr_t)marks - RETICLE_SHADOW_BASE + word) * WORD_BYTES;
}

// The object's words in the line, from the given one on in both directions.
static uint32_t own_words(const uint8_t *marks, uint32_t word, const struct extent *e) {
  uint32_t own = 0;
  for (uint32_t i = word; i < RRT_LINE_WORDS && address_of(marks, i) < e->end && !(marks[i] & HEAD);
       i++)
    own |= 1u << i;
  for (uint32_t i = word; i-- > 0 && address_of(marks, i) >= e->begin && !(marks[i] & HEAD);)
    own |= 1u << i;
  return own;
}

void rrt_line_find_begin(void) { rrt_heap_owner_begin(); }

int rrt_line_find(const uint8_t *marks, const struct rrt_line_look *look,
                  struct rrt_line_object *out) {
  uint32_t word = (uint32_t)__builtin_ctz(look->written ? look->written : look->touched);
  struct extent e = extent_at(address_of(marks, word));
  *out = (struct rrt_line_object){.site = e.site};
  if (!e.site)
    return 0;
  out->own = own_words(marks, word, &e);
  out->first = (uint32_t)__builtin_ctz(out->own);
  out->offset_bytes = address_of(marks, out->first) - e.begin;
  for (uint32_t left = look->touched & ~out->own; left && !out->neighbour; left &= left - 1)
    out->neighbour = extent_at(address_of(marks, (uint32_t)__builtin_ctz(left))).site;
  return 1;
}
