// shadow_scan.c - walks the pages of the shadow memory that were written to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program goes on meanwhile. A word that is touched between our look and our 2 was counted just
// now, so nothing is lost; an object that is freed under us may keep a few counts of its own and
// give a few to the next one in its place, whose header stays whole.
#include "runtime/heap/shadow_scan.h"

#include "runtime/heap/globals.h"
#include "runtime/heap/line.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/object.h"
#include "runtime/heap/shadow_memory.h"
#include "runtime/heap/words.h"
#include "runtime/sys/sys.h"

enum { LINE_MARKS = 16, GROUP_EIGHTS = 8, GROUP_MARKS = 64 };
/// Of both marks of a header: at even places.
static const uint64_t heads = UINT64_C(0x8080808080808080), pairs = UINT64_C(0x0080008000800080);

static struct {
  int all;
  uint32_t tag;          // of the object that we are in; 0: none
  struct rrt_site *site; // null: not yet asked for
  uint32_t weight;       // objects that it stands for; known with the site
  const uint8_t *first;  // mark of its first word
  uint64_t limit;        // words that it can have
  int is_touched;        // and counted as such
  uint64_t plane_bytes;
} now;

// Of the object in the line.
struct part {
  uint32_t own, fresh, ever;
};

static void enter(uint32_t tag, const uint8_t *first) {
  uint32_t number = rrt_site_number(tag);
  now.tag = number && number < rrt_sites_count() ? tag : 0;
  now.site = NULL;
  now.first = first;
  now.is_touched = 0;
}

// Most objects have nothing new: their site isn't touched, then.
static void ask_for_site(void) {
  if (now.site)
    return;
  now.site = rrt_site_get(rrt_site_number(now.tag));
  now.weight = rrt_site_weight(now.tag);
  now.limit = now.site->max_bytes / 4;
}

static void end_part(struct part *part) {
  struct rrt_site *s = now.site;
  if (s) {
    rrt_line_add(&s->sampled, part->own, part->fresh, now.weight);
    if (now.all && part->ever) {
      rrt_line_add(&s->living, part->own, part->ever, now.weight);
      s->living_touched += now.is_touched ? 0 : now.weight;
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
    next = rrt_marks_aged(seen, still);
  } while (!__atomic_compare_exchange_n(all, &seen, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void count_kinds(uint64_t word, uint64_t eight, uint64_t fresh) {
  for (; fresh; fresh &= fresh - 1) {
    unsigned at = (unsigned)__builtin_ctzll(fresh);
    struct rrt_kinds *kinds = rrt_site_kinds(now.site, word + at / 8);
    if (!kinds)
      break;
    kinds->reads += rrt_mark_was_read((uint32_t)(eight >> at) & UINT8_MAX) ? now.weight : 0;
    kinds->writes += rrt_mark_was_written((uint32_t)(eight >> at) & UINT8_MAX) ? now.weight : 0;
  }
}

// From `word` on, those of the 8 that were touched.
static void count_fresh(uint64_t word, uint64_t fresh) {
  while (fresh) {
    uint32_t count;
    struct rrt_word *known = rrt_site_words(now.site, word, &count);
    if (!known)
      return;
    for (uint32_t i = 0; i < count; i++, fresh >>= 8)
      known[i].sampled += (fresh & 1) * now.weight;
    word += count;
  }
}

static void count_living(uint64_t word, uint64_t ever) {
  while (ever) {
    uint32_t count;
    struct rrt_word *known = rrt_site_words(now.site, word, &count);
    if (!known)
      return;
    for (uint32_t i = 0; i < count; i++, ever >>= 8)
      known[i].living += (ever & 1) * now.weight;
    word += count;
  }
}

// Words of the site's object, none beyond the next 8 in memory, in an object that has so many.
// eight: their marks, at its lower end. word: place of the first in the object.
static void count_touched(uint8_t *marks, uint64_t eight, uint64_t word, struct part *part) {
  uint64_t fresh = rrt_marks_fresh(eight), ever = rrt_marks_ever(eight);
  part->fresh += rrt_marks_count(fresh);
  part->ever += rrt_marks_count(ever);
  if (fresh)
    age(marks, fresh);
  if (word >= RRT_SITE_WORDS)
    return;
  count_fresh(word, fresh);
  if (now.all)
    count_living(word, ever);
  if (rrt_shadow.has_kinds)
    count_kinds(word, eight, fresh);
}

static int is_of_interest(uint64_t eight) {
  return (now.all ? rrt_marks_ever(eight) : rrt_marks_fresh(eight)) != 0;
}

// `count` words of the object that we are in, none beyond the next 8 in memory; `eight` has their
// marks at its lower end.
static void look_at_words(uint8_t *marks, uint64_t eight, uint32_t count, struct part *part) {
  uint64_t word = (uint64_t)(marks - now.first);
  if (!now.tag)
    return;
  if (is_of_interest(eight)) {
    ask_for_site();
    if (word + count > now.limit) { // its end got lost
      count = word < now.limit ? (uint32_t)(now.limit - word) : 0;
      eight &= count ? UINT64_MAX >> (64 - 8 * count) : 0;
    }
    count_touched(marks, eight, word, part);
  }
  part->own += count;
}

// The lower marks of headers.
static uint64_t heads_of(uint64_t eight) { return eight & eight >> 8 & pairs; }

static void enter_at(uint64_t eight, uint8_t *marks, unsigned at) {
  enter(rrt_head_tag((uint16_t)(eight >> 8 * at)), marks + at + 2);
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

// Where nothing is new an object may begin. 1 if one did, or ended.
static int pass_heads(uint8_t *marks, uint64_t eight) {
  uint64_t found = heads_of(eight);
  if (found)
    enter_at(eight, marks, (63 - (unsigned)__builtin_clzll(found)) / 8);
  return found != 0;
}

// Whether the object has all of a line without a header.
static int is_in_object(const uint8_t *line) {
  if (!now.tag)
    return 0;
  ask_for_site();
  return (uint64_t)(line - now.first) + LINE_MARKS <= now.limit;
}

static void look_at_line(uint8_t *line, uint64_t one, uint64_t other) {
  struct part part = {.own = LINE_MARKS};
  uint64_t word = (uint64_t)(line - now.first);
  count_touched(line, one, word, &part);
  count_touched(line + 8, other, word + 8, &part);
  end_part(&part);
}

static uint64_t new_of(uint64_t eight) { return rrt_marks_fresh(eight) & ~(eight >> 7); }

static void look_at_lines(uint8_t *line) {
  for (uint8_t *end = line + GROUP_MARKS; line < end; line += LINE_MARKS) {
    uint64_t one, other;
    __builtin_memcpy(&one, line, 8);
    __builtin_memcpy(&other, line + 8, 8);
    int has_head = ((one | other) & heads) != 0;
    if (!has_head && (!now.tag || !is_of_interest(one | other)))
      continue; // of no object, or nothing new
    if (!has_head && is_in_object(line)) {
      look_at_line(line, one, other);
    } else if (now.all || new_of(one) || new_of(other)) {
      struct part part = {0, 0, 0};
      look_at_half(line, one, &part);
      look_at_half(line + 8, other, &part);
      end_part(&part);
    } else if (!pass_heads(line + 8, other)) {
      pass_heads(line, one);
    }
  }
}

// The last header of a cache line of marks, if nothing is to be counted there.
static int pass_group(uint8_t *marks, const uint64_t *eights) {
  uint64_t interest = 0;
  for (int i = 0; i < GROUP_EIGHTS; i++)
    interest |= now.all ? rrt_marks_ever(eights[i]) : new_of(eights[i]);
  if (interest)
    return 0;
  for (int i = GROUP_EIGHTS; i-- > 0 && !pass_heads(marks + 8 * i, eights[i]);)
    ;
  return 1;
}

static void look_at_pages(uint8_t *begin, uint8_t *end, void *context) {
  (void)context;
  now.plane_bytes += (uint64_t)(end - begin);
  for (uint8_t *group = begin; group < end; group += GROUP_MARKS) {
    uint64_t eights[GROUP_EIGHTS], any = 0;
    __builtin_memcpy(eights, group, sizeof eights);
    for (int i = 0; i < GROUP_EIGHTS; i++)
      any |= eights[i];
    if (any & heads ? !pass_group(group, eights) : is_of_interest(any))
      look_at_lines(group);
  }
}

void rrt_scan_enter(uint32_t site, const uint8_t *first, uint64_t words, int all, int is_touched) {
  now.all = all;
  enter(site, first);
  now.site = rrt_site_get(site);
  now.weight = 1;
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

// What is dead by now is as of now, too: an object that dies while the living are looked at, or
// behind that, shall not count twice.
static void begin_living(void) {
  for (uint32_t i = 1; i < rrt_sites_count(); i++) {
    struct rrt_site *s = rrt_site_get(i);
    if (s->is_global && !s->live)
      continue; // unloaded: what it had stays
    rrt_site_lock(s);
    s->living_touched = 0;
    s->living = (struct rrt_use){0, 0};
    s->told_touched = s->touched;
    s->told = s->ever;
    rrt_words_begin_living(s);
    rrt_site_unlock(s);
  }
}

int rrt_scan(int all) {
  now.all = all;
  now.plane_bytes = 0;
  if (all)
    begin_living();
  enter(0, NULL);
  int r = rrt_shadow_memory_visit(look_at_pages, NULL);
  rrt_globals_scan(all);
  rrt_mapped_scan(all);
  return r;
}

uint64_t rrt_scan_plane_bytes(void) { return now.plane_bytes; }
