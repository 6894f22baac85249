// tag.c - sums up tags, and gives an execution those that came while it was open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/tag.h"

void rrt_tags_add(uint64_t value) {
  struct rrt_thread *t = rrt_thread_self;
  if (t && t->open_count)
    t->tags += (UINT64_C(1) << RRT_TAG_BITS) + (value & RRT_TAG_SUM);
}

uint32_t rrt_tags_take(const struct rrt_thread *t, struct rrt_open *o) {
  uint64_t tags = t->tags - o->tags;
  if (tags)
    o->work = tags & RRT_TAG_SUM;
  return tags ? RETICLE_SAMPLE_TAGGED : 0;
}
