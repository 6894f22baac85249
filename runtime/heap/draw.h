// draw.h - which objects are looked at: all, or some of the small ones, drawn at random.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each `every` small objects that a thread allocates one is looked at, at any place of the row
// with the same chance. It stands for all of them, so sums over the objects of a site have the
// right mean, however the program takes turns.
#ifndef RETICLE_RUNTIME_HEAP_DRAW_H
#define RETICLE_RUNTIME_HEAP_DRAW_H

#include "include/reticle/abi.h"
#include "runtime/probe/thread_local.h"

#include <stddef.h>
#include <stdint.h>

extern uint32_t rrt_draw_every; ///< 1: all

struct rrt_draw_row {
  uint32_t
      left; ///< small objects up to the next one that is drawn, that one included; 0: not known
  uint32_t place; ///< in its row, of the one drawn next
  uint64_t random;
};
extern __thread struct rrt_draw_row rrt_draw_row RRT_THREAD_LOCAL(draw_row);

/// Before the first object.
void rrt_draw_open(uint32_t every);
uint32_t rrt_draw_next(void);

/// Whether a new object is looked at: for how many it stands; 0 if not.
static inline uint32_t rrt_draw(size_t bytes) {
  if (rrt_draw_every == 1 || bytes >= RETICLE_DRAW_BYTES)
    return 1;
  if (rrt_draw_row.left > 1) {
    rrt_draw_row.left--;
    return 0;
  }
  return rrt_draw_next();
}

/// The same of an object that another one has become. is_known: that one was looked at
static inline uint32_t rrt_draw_again(size_t bytes, size_t old_bytes, int is_known) {
  if (rrt_draw_every == 1 || bytes >= RETICLE_DRAW_BYTES)
    return 1;
  if (old_bytes >= RETICLE_DRAW_BYTES)
    return rrt_draw(bytes);
  return is_known ? rrt_draw_every : 0;
}

#endif
