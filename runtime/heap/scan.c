// scan.c - see scan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program goes on meanwhile. A word that is touched between our look and our 2 was counted just
// now, so nothing is lost; an object that is freed under us may keep a few counts of its own and
// give a few to the next one in its place.
#include "runtime/heap/scan.h"

#include "runtime/heap/globals.h"
#include "runtime/heap/line.h"
#include "runtime/heap/object.h"
#include "runtime/heap/plane.h"
#include "runtime/heap/words.h"
#include "runtime/sys/sys.h"

enum { LINE_MARKS = 16 };
/// What a sample needs to see: a header, or a word that is new.
static const uint64_t of_interest = UINT64_C(0x8181818181818181);
static const uint64_t heads = UINT64_C(0x8080808080808080);

static struct {
  int all;
  struct rrt_site *site; // of the object that we are in; null: none
  const uint8_t *first;  // mark of its first word
  uint64_t limit;        // words that it can have
  int is_touched;        // and counted as such
  uint64_t plane_bytes;
} now;

// Of the object in the line.
struct part {
  uint32_t own, fresh, ever;
};

static void enter(uint32_t site, const uint8_t *first, uint64_t limit) {
  now.site = site && site < rrt_sites_count() ? rrt_site_get(site) : NULL;
  now.first = first;
  now.limit = limit;
  now.is_touched = 0;
}

static void look_at_word(uint8_t *mark, struct part *part) {
  uint8_t value = __atomic_load_n(mark, __ATOMIC_RELAXED);
  part->own++;
  if (!value)
    return;
  struct rrt_word *known = rrt_site_word(now.site, (uint64_t)(mark - now.first));
  part->ever++;
  if (value == RETICLE_SHADOW_TOUCHED) {
    __atomic_store_n(mark, 2, __ATOMIC_RELAXED);
    part->fresh++;
    if (known)
      known->sampled++;
  }
  if (now.all && known)
    known->living++;
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

// Marks of a line, or a part of it.
static void look_at_line(uint8_t *marks, uint32_t count) {
  struct part part = {0, 0, 0};
  for (uint32_t i = 0; i < count; i++) {
    uint16_t head;
    if (i + 1 < count && (uintptr_t)(marks + i) % 2 == 0 &&
        ((head = __atomic_load_n((uint16_t *)(marks + i), __ATOMIC_RELAXED)) & RRT_HEAD) ==
            RRT_HEAD) {
      uint32_t site = rrt_head_site(head);
      end_part(&part);
      enter(site, marks + i + 2, site ? rrt_site_get(site)->max_bytes / 4 : 0);
      i++;
    } else if (now.site && (uint64_t)(marks + i - now.first) < now.limit) {
      look_at_word(marks + i, &part);
    }
  }
  end_part(&part);
}

static const uint64_t low_bits = UINT64_C(0x0101010101010101);

static uint32_t add_bytes(uint64_t ones) { return (uint32_t)(ones * low_bits >> 56); }

// Eight words of one object, all in one line.
static void look_at_eight(uint8_t *marks, uint64_t eight, struct part *part) {
  struct rrt_site *s = now.site;
  uint64_t fresh = eight & low_bits, ever = (eight | eight >> 1) & low_bits;
  uint64_t word = (uint64_t)(marks - now.first);
  part->fresh += add_bytes(fresh);
  part->ever += add_bytes(ever);
  for (uint64_t left = fresh; left; left &= left - 1) {
    unsigned at = (unsigned)__builtin_ctzll(left) / 8;
    __atomic_store_n(marks + at, 2, __ATOMIC_RELAXED);
    struct rrt_word *known = rrt_site_word(s, word + at);
    if (known)
      known->sampled++;
  }
  for (uint64_t left = now.all && word < RRT_SITE_WORDS ? ever : 0; left; left &= left - 1) {
    unsigned at = (unsigned)__builtin_ctzll(left) / 8;
    struct rrt_word *known = rrt_site_word(s, word + at);
    if (known)
      known->living++;
  }
}

// A whole line without a header: all of it belongs to the object that we are in.
static void look_at_inner(uint8_t *line, uint64_t one, uint64_t other) {
  struct part part = {LINE_MARKS, 0, 0};
  if (!now.site)
    return;
  if ((uint64_t)(line - now.first) + LINE_MARKS > now.limit) {
    look_at_line(line, LINE_MARKS);
    return;
  }
  look_at_eight(line, one, &part);
  look_at_eight(line + 8, other, &part);
  end_part(&part);
}

static void look_at_pages(uint8_t *begin, uint8_t *end, void *context) {
  (void)context;
  now.plane_bytes += (uint64_t)(end - begin);
  for (uint8_t *line = begin; line < end; line += LINE_MARKS) {
    uint64_t one, other;
    __builtin_memcpy(&one, line, 8);
    __builtin_memcpy(&other, line + 8, 8);
    uint64_t both = one | other;
    if (!(both & of_interest) && !(now.all && both))
      continue;
    if (both & heads)
      look_at_line(line, LINE_MARKS);
    else
      look_at_inner(line, one, other);
  }
}

void rrt_scan_range(uint32_t site, uintptr_t address, uint64_t bytes, int all) {
  uint8_t *mark = rrt_shadow_mark(address), *limit = rrt_shadow_mark(address + bytes - 1) + 1;
  now.all = all;
  enter(site, mark, (uint64_t)(limit - mark));
  while (mark < limit) {
    uint32_t left = LINE_MARKS - (uint32_t)((uintptr_t)mark % LINE_MARKS);
    uint32_t n = (uint64_t)(limit - mark) < left ? (uint32_t)(limit - mark) : left;
    if (rrt_line_any(mark, n))
      look_at_line(mark, n);
    mark += n;
  }
  enter(0, NULL, 0);
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
  enter(0, NULL, 0);
  int r = rrt_plane_visit(look_at_pages, NULL);
  rrt_globals_scan(all);
  return r;
}

uint64_t rrt_scan_plane_bytes(void) { return now.plane_bytes; }
