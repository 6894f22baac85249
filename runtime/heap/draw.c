// draw.c - draws the small objects that are looked at, and counts for the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/draw.h"

uint32_t rrt_draw_every = 1;
__thread struct rrt_draw_row rrt_draw_row;
static uint64_t threads;

void rrt_draw_open(uint32_t every) { rrt_draw_every = every; }

// Steele, Lea and Flood: Fast splittable pseudorandom number generators (2014). The same in each
// run of a program with one thread.
static uint32_t random_below(uint32_t limit) {
  uint64_t z = rrt_draw_row.random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z >> 32) * limit >> 32);
}

uint32_t rrt_draw_next(void) {
  if (!rrt_draw_row.left) { // the thread's first
    rrt_draw_row.random = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) << 32;
    rrt_draw_row.place = random_below(rrt_draw_every);
    rrt_draw_row.left = rrt_draw_row.place + 1;
    if (rrt_draw_row.place) {
      rrt_draw_row.left--;
      return 0;
    }
  }
  uint32_t before = rrt_draw_row.place;
  rrt_draw_row.place = random_below(rrt_draw_every);
  rrt_draw_row.left = rrt_draw_every - before + rrt_draw_row.place;
  return rrt_draw_every;
}
