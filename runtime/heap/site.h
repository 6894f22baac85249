// site.h - allocation sites: call stacks, numbered as they come, and facts of their objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_SITE_H
#define RETICLE_RUNTIME_HEAP_SITE_H

#include "runtime/heap/draw.h"
#include "runtime/sys/sys.h"

#include <stdint.h>

enum {
  RRT_SITES = 16384,              ///< what 14 bits of an object's header mark can number; 0 is none
  RRT_SITE_DRAWN = RRT_SITES / 2, ///< in a header, where objects are drawn: this one was
  RRT_SITE_FRAMES = 12,
  RRT_SITE_WORDS = 128, ///< words from the start of an object that are counted one by one
  RRT_SITE_PARTS = 4,
};

struct rrt_frame {
  uint64_t offset;           ///< in the file
  uint32_t module, build_id; ///< in the string table
};

/// Bytes of objects in lines with a touched word, and of these in touched words.
struct rrt_use {
  uint64_t fetched, used;
};

/// What each allocation and free writes comes first, in two cache lines.
struct rrt_site {
  uint32_t lock; ///< of what alloc and free write
  // Written under the lock. Times in ticks.
  uint64_t objects, live, bytes, live_bytes, peak_bytes, min_bytes, max_bytes;
  uint64_t births, deaths; ///< sums of times since the start of the session, and how often
  uint32_t births_high, deaths_high; ///< each passed 2^64: ten million objects do in minutes
  uint64_t touched;                  ///< objects that are gone, with a touched word
  struct rrt_use ever;               ///< of objects that are gone, in their life
  struct rrt_use last;               ///< of objects that are gone, since the last sample before
  // Written by the scan alone.
  struct rrt_use sampled;
  // Of living objects when they were last looked at, and `touched` and `ever` of that moment.
  uint64_t living_touched, told_touched;
  struct rrt_use living, told;
  struct rrt_word *words[RRT_SITE_PARTS];  ///< as words.h has them
  struct rrt_kinds *kinds[RRT_SITE_PARTS]; ///< the same; null where kinds aren't told apart
  uint32_t depth;                          ///< frames; 0 of a global variable
  uint32_t is_named;                       ///< frames is filled in
  uint32_t is_global, is_mapped;
  uintptr_t addresses[RRT_SITE_FRAMES]; ///< return addresses, innermost first
  // Of a global variable. Texts in the string table.
  uint32_t name, file, line;
  uint64_t id; ///< of the frames; 0: not asked for yet
  struct rrt_frame frames[RRT_SITE_FRAMES];
} __attribute__((aligned(64)));

/// 0, or -1 without memory.
int rrt_sites_open(void);
/// Number of the site with these return addresses, a new one where needed; 0: no place.
///
/// key  of the addresses, as rrt_site_walk has it
uint32_t rrt_sites_find(uint64_t key, const uintptr_t *addresses, uint32_t depth);
/// A site of its own for a global variable; 0: no place, or no table.
uint32_t rrt_sites_add(void);
extern struct rrt_site *rrt_sites; ///< [RRT_SITES]; null before rrt_sites_open
/// The site with that number, below rrt_sites_count.
static inline struct rrt_site *rrt_site_get(uint32_t number) { return &rrt_sites[number]; }
/// What an object's header says: the site's number, and whether the object was drawn.
static inline uint32_t rrt_site_tag(uint32_t number, uint32_t weight) {
  return weight > 1 ? number | RRT_SITE_DRAWN : number;
}
static inline uint32_t rrt_site_number(uint32_t tag) {
  return rrt_draw_every > 1 ? tag & (RRT_SITE_DRAWN - 1) : tag;
}
/// How many objects it stands for.
static inline uint32_t rrt_site_weight(uint32_t tag) {
  return rrt_draw_every > 1 && tag & RRT_SITE_DRAWN ? rrt_draw_every : 1;
}
/// Numbers in use, 0 included.
uint32_t rrt_sites_count(void);
uint64_t rrt_sites_bytes(void);
/// From now on sites have room for kinds of accesses (words.h), those that there are included.
void rrt_sites_tell_kinds(void);
/// 1 if an object was allocated since the start, or since the fork.
int rrt_sites_any(void);

// glibc's: no other thread but ours, which reads at checkpoints and then may see an object counted
// in a part of the numbers.
extern char __libc_single_threaded __attribute__((weak));

/// Adds to a sum of site times. Under the site's lock.
static inline void rrt_site_add_time(uint64_t *sum, uint32_t *high, uint64_t ticks) {
  *high += __builtin_add_overflow(*sum, ticks, sum);
}

static inline unsigned __int128 rrt_site_births(const struct rrt_site *site) {
  return (unsigned __int128)site->births_high << 64 | site->births;
}

/// What all objects lived, live ones up to now_ticks. Under the site's lock.
static inline unsigned __int128 rrt_site_lifetime(const struct rrt_site *site, uint64_t now_ticks) {
  unsigned __int128 deaths = (unsigned __int128)site->deaths_high << 64 | site->deaths;
  unsigned __int128 all = deaths + (unsigned __int128)site->live * now_ticks;
  unsigned __int128 births = rrt_site_births(site);
  return all > births ? all - births : 0; // the youngest may be born behind now_ticks
}

static inline int rrt_is_single_threaded(void) {
  return &__libc_single_threaded && __libc_single_threaded;
}

static inline void rrt_site_lock(struct rrt_site *site) {
  if (rrt_is_single_threaded() && !__atomic_load_n(&site->lock, __ATOMIC_ACQUIRE))
    __atomic_store_n(&site->lock, 1, __ATOMIC_RELAXED);
  else
    rrt_sys_lock(&site->lock);
}
static inline void rrt_site_unlock(struct rrt_site *site) {
  __atomic_store_n(&site->lock, 0, __ATOMIC_RELEASE);
}
/// After fork, in the child: locks are free, and nothing has been counted but what lives.
void rrt_sites_forked(void);

/// Reads return addresses by frame pointers, from the frame of a function that malloc's caller
/// jumped to. Only within the thread's stack.
///
/// addresses  [RRT_SITE_FRAMES]
/// key        what the site is known by
///
/// Returns how many addresses there are, at least 1.
uint32_t rrt_site_walk(const uintptr_t *frame, uintptr_t *addresses, uint64_t *key);

#endif
