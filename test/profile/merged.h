// merged.h - merging one profile, or two, in tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_PROFILE_MERGED_H
#define RETICLE_TEST_PROFILE_MERGED_H

#include "test/profile/example.h"
#include "tools/profile/merge/merge.h"

static inline struct profile merge2(const struct profile *a, const struct profile *b) {
  const struct profile *in[] = {a, b};
  struct profile out = {0};
  CHECK_EQUAL(profile_merge(in, 2, &out, NULL), 0);
  return out;
}

static inline struct profile merge1(const struct profile *a) {
  struct profile out = {0};
  CHECK_EQUAL(profile_merge(&a, 1, &out, NULL), 0);
  return out;
}

/// The example, as another process of the same program wrote it.
static inline void second_init(struct example *example) {
  example_init(example);
  struct profile_env *env = &example->profile.env;
  env->start_time_s += 10;
  env->pid = 4800;
  env->cpu_ns = 100000000;
  env->timer_hz = 2500000010;
  env->pair_ticks = 90 * 256;
  env->thread_count = 1;
  env->floor_time_s += 5;
  env->floor_t_min_ps = 300000;
  example->profile.health.ended_by = RETICLE_ENDED_ABORT;
  example->profile.health.lost_samples = 41;
  example->modules[0].load_address = 0x1000;
  example->hist[0].bucket = 40; // meets bucket 40 of the first
  example->hist[1].bucket = 41;
  for (int i = 0; i < 4; i++)
    example->raw[i].when += 100;
  example->loops[0].min_ticks = 590;
  example->loops[0].work_class = RETICLE_WORK_CLASS_C;
  example->loops[0].flags |= RETICLE_LOOP_HAS_CALLS;
  example->loops[1].id = 99; // a loop the first did not have
  example->loops[1].function = "other";
}

#endif
