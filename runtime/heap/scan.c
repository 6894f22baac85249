// scan.c - see scan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program goes on meanwhile. A word that is touched between our look and our 2 was counted just
// now, so nothing is lost; an object that is freed under us may keep a few counts of its own and
// give a few to the next one in its place, whose header stays whole.
#include "runtime/heap/scan.h"

#include "runtime/heap/globals.h"
#include "runtime/heap/line.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/object.h"
#include "runtime/heap/plane.h"
#include "runtime/heap/words.h"
#include "runtime/sys/sys.h"

enum { LINE_MARKS = 16 };
/// Of both marks of a header: at even places.
static const uint64_t heads = UINT64_C(0x8080808080808080), pairs = UINT64_C(0x0080008000800080);

static struct {
  int all;
  uint32_t number;       // site of the object that we are in; 0: none
  struct rrt_site *site; // null: not yet asked for
  const uint8_t *first;  // mark of its first word
  uint64_t limit;        // words that it can have
  int is_touched;        // and counted as such
  uint64_t plane_bytes;
} now;

// Of the object in the line.
struct part {
  uint32_t own, fresh, ever;
};

static void enter(uint32_t number, const uint8_t *first) {
  now.number = number < rrt_sites_count() ? number : 0;
  now.site = NULL;
  now.first = first;
  now.is_touched = 0;
}

// Most objects have nothing new: their site isn't touched, then.
static void ask_for_site(void) {
  if (now.site)
    return;
  now.site = rrt_site_get(now.number);
  now.limit = now.site->max_bytes / 4;
}

static void end_part(struct part *part) {
  struct rrt_site *s = now.site;
  if (s) {
    rrt_line_add(&s->sampled, part->own, part->fresh);
    if (now.all && part->ever) {
      rrt_line_add(&s->living, part->own, part->ever);
      s->living_touched += !now.is_touched;
      now.is_touched = 1;
    }
  }
  *part = (struct part){0, 0, 0};
}

// What was fresh becomes 2, unless a header has come there since.
static void age(uint8_t *marks, uint64_t fresh) {
  uint64_t *all = (uint64_t *)(marks - (uintptr_t)marks % 8);
  uint64_t seen = __atomic_load_n(all, __ATOMIC_RELAXED), next;
  fresh <<= (uintptr_t)marks % 8 * 8;
  do {
    uint64_t still = fresh & rrt_marks_fresh(seen) & ~(seen >> 7);
    next = (seen & ~(still * UINT8_MAX)) | still << 1;
  } while (!__atomic_compare_exchange_n(all, &seen, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void count_kinds(uint64_t word, uint32_t mark) {
  struct rrt_kinds *kinds = rrt_site_kinds(now.site, word);
  if (kinds) {
    kinds->reads += rrt_mark_was_read(mark) != 0;
    kinds->writes += rrt_mark_was_written(mark) != 0;
  }
}

// `count` words of the object that we are in, none beyond the next 8 in memory; `eight` has their
// marks at its lower end.
static void look_at_words(uint8_t *marks, uint64_t eight, uint32_t count, struct part *part) {
  uint64_t fresh = rrt_marks_fresh(eight), ever = rrt_marks_ever(eight);
  uint64_t word = (uint64_t)(marks - now.first);
  if (!now.number)
    return;
  if (!fresh && !(now.all && ever)) {
    part->own += count;
    return;
  }
  ask_for_site();
  if (word + count > now.limit) { // its end got lost
    count = word < now.limit ? (uint32_t)(now.limit - word) : 0;
    uint64_t mask = count ? UINT64_MAX >> (64 - 8 * count) : 0;
    fresh &= mask;
    ever &= mask;
  }
  part->own += count;
  part->fresh += rrt_marks_count(fresh);
  part->ever += rrt_marks_count(ever);
  if (fresh)
    age(marks, fresh);
  for (; fresh; fresh &= fresh - 1) {
    unsigned at = (unsigned)__builtin_ctzll(fresh) / 8;
    struct rrt_word *known = rrt_site_word(now.site, word + at);
    if (!known)
      break;
    known->sampled++;
    if (rrt_words_have_kinds)
      count_kinds(word + at, (uint32_t)(eight >> 8 * at) & UINT8_MAX);
  }
  for (ever = now.all ? ever : 0; ever; ever &= ever - 1) {
    struct rrt_word *known = rrt_site_word(now.site, word + (unsigned)__builtin_ctzll(ever) / 8);
    if (!known)
      break;
    known->living++;
  }
}

// The lower marks of headers.
static uint64_t heads_of(uint64_t eight) { return eight & eight >> 8 & pairs; }

static void enter_at(uint64_t eight, uint8_t *marks, unsigned at) {
  enter(rrt_head_site((uint16_t)(eight >> 8 * at)), marks + at + 2);
}

static void look_at_half(uint8_t *marks, uint64_t eight, struct part *part) {
  uint32_t at = 0;
  for (uint64_t left = heads_of(eight); left; left &= left - 1) {
    uint32_t head = (uint32_t)__builtin_ctzll(left) / 8;
    if (head > at)
      look_at_words(marks + at, (eight & UINT64_MAX >> (64 - 8 * head)) >> 8 * at, head - at, part);
    end_part(part);
    enter_at(eight, marks, head);
    at = head + 2;
  }
  if (at < 8)
    look_at_words(marks + at, eight >> 8 * at, 8 - at, part);
}

// Nothing is new in this line, but an object may begin.
static void pass_heads(uint8_t *marks, uint64_t eight) {
  uint64_t found = heads_of(eight);
  if (found)
    enter_at(eight, marks, (63 - (unsigned)__builtin_clzll(found)) / 8);
}

static int is_new(uint64_t eight) { return (rrt_marks_fresh(eight) & ~(eight >> 7)) != 0; }

static void look_at_pages(uint8_t *begin, uint8_t *end, void *context) {
  (void)context;
  now.plane_bytes += (uint64_t)(end - begin);
  for (uint8_t *line = begin; line < end; line += LINE_MARKS) {
    uint64_t one, other;
    __builtin_memcpy(&one, line, 8);
    __builtin_memcpy(&other, line + 8, 8);
    if (!(one | other))
      continue;
    if (now.all || is_new(one) || is_new(other)) {
      struct part part = {0, 0, 0};
      look_at_half(line, one, &part);
      look_at_half(line + 8, other, &part);
      end_part(&part);
    } else if ((one | other) & heads) {
      pass_heads(line, one);
      pass_heads(line + 8, other);
    }
  }
}

void rrt_scan_enter(uint32_t site, const uint8_t *first, uint64_t words, int all, int is_touched) {
  now.all = all;
  enter(site, first);
  now.site = rrt_site_get(site);
  now.limit = words;
  now.is_touched = is_touched;
}

void rrt_scan_marks(uint8_t *mark, uint8_t *limit) {
  while (mark < limit) {
    struct part part = {0, 0, 0};
    uint8_t *end = mark - (uintptr_t)mark % LINE_MARKS + LINE_MARKS;
    for (end = end < limit ? end : limit; mark < end;) {
      uint32_t n = 8 - (uint32_t)((uintptr_t)mark % 8);
      n = end - mark < n ? (uint32_t)(end - mark) : n;
      look_at_words(mark, rrt_marks_load(mark, n), n, &part);
      mark += n;
    }
    end_part(&part);
  }
}

int rrt_scan_leave(void) {
  int is_touched = now.is_touched;
  enter(0, NULL);
  return is_touched;
}

void rrt_scan_range(uint32_t site, uintptr_t address, uint64_t bytes, int all) {
  uint8_t *mark = rrt_shadow_mark(address), *limit = rrt_shadow_mark(address + bytes - 1) + 1;
  rrt_scan_enter(site, mark, (uint64_t)(limit - mark), all, 0);
  rrt_scan_marks(mark, limit);
  rrt_scan_leave();
}

static void forget_living(void) {
  for (uint32_t i = 1; i < rrt_sites_count(); i++) {
    struct rrt_site *s = rrt_site_get(i);
    if (s->is_global && !s->live)
      continue; // unloaded: what it had stays
    s->living_touched = 0;
    s->living = (struct rrt_use){0, 0};
    rrt_words_forget_living(s);
  }
}

int rrt_scan(int all) {
  now.all = all;
  now.plane_bytes = 0;
  if (all)
    forget_living();
  enter(0, NULL);
  int r = rrt_plane_visit(look_at_pages, NULL);
  rrt_globals_scan(all);
  rrt_mapped_scan(all);
  return r;
}

uint64_t rrt_scan_plane_bytes(void) { return now.plane_bytes; }
