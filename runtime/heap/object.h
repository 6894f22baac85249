// object.h - marks of an object on the heap, from its birth to its death.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's blocks (malloc/malloc.c, "Malloc chunks"); each has its size in the word before it, and
// that word's two marks say whose object begins behind it:
//
//   program  | size |      object of site 5       | size |   free  ...
//   marks    | 85 80| 0 1 1 0 2 0 0 0 0 0 0 0 0 0 | 80 80| ...
#ifndef RETICLE_RUNTIME_HEAP_OBJECT_H
#define RETICLE_RUNTIME_HEAP_OBJECT_H

#include "runtime/probe/shadow.h"

/// Set in both marks of a header; the rest is the site's tag (rrt_site_tag).
#define RRT_HEAD UINT16_C(0x8080)

static inline uint16_t rrt_head_of(uint32_t tag) {
  return (uint16_t)(RRT_HEAD | (tag & 127) | (tag >> 7) << 8);
}
/// 0: the end of an object, or no header.
static inline uint32_t rrt_head_tag(uint16_t head) {
  return (head & RRT_HEAD) == RRT_HEAD ? (head & 127u) | (uint32_t)(head >> 8 & 127) << 7 : 0;
}

struct rrt_site;
/// The site has an object more. Takes its lock.
void rrt_object_count_birth(struct rrt_site *site, size_t bytes);
/// One less. Needs its lock.
void rrt_object_count_death(struct rrt_site *site, size_t bytes);
/// Adds the marks of words [at, limit) of an object to the site, which is locked. 1 if any word was
/// touched.
///
/// marks   of the object's first word
/// weight  objects that it stands for
int rrt_object_fold(struct rrt_site *site, const uint8_t *marks, uint64_t at, uint64_t limit,
                    uint32_t weight);

/// 1 if the object is looked at.
int rrt_object_is_known(const void *memory);
/// The object is there, and the program hasn't seen it yet. bytes: all that it may use, a multiple
/// of 8. tag: of its site, as it has.
void rrt_object_born(void *memory, size_t bytes, uint32_t tag);
/// As rrt_object_born at the moment given, with the marks of the first `count` words, which may lie
/// where they belong.
void rrt_object_moved(void *memory, size_t bytes, uint32_t tag, const uint8_t *marks, size_t count,
                      uint64_t now_ticks);
/// The program is done with it, and it is still there. Its tag; 0: it isn't looked at.
uint32_t rrt_object_died(void *memory, size_t bytes);
/// It goes on under another address or size: counted as gone, and its marks stay, as touched
/// before.
uint32_t rrt_object_leaves(void *memory, size_t bytes, uint64_t now_ticks);

#endif
