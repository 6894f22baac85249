// tags.c - keeps tags and trip counts of a loop apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/tags.h"

static bool has_tag(const struct profile_loop *loop) {
  for (size_t i = 0; i < loop->raw_count; i++)
    if (loop->raw[i].flags & RETICLE_SAMPLE_TAGGED)
      return true;
  return false;
}

static struct profile_loop *find(struct profile *profile, uint64_t id) {
  for (size_t i = 0; i < profile->loop_count; i++)
    if (profile->loops[i].id == id)
      return &profile->loops[i];
  return NULL;
}

void profile_settle_tags(struct profile *profile) {
  bool any = false;
  for (size_t i = 0; i < profile->loop_count; i++) {
    struct profile_loop *loop = &profile->loops[i];
    struct profile_sample *raw = (struct profile_sample *)loop->raw; // the profile's own
    any |= loop->is_tagged = has_tag(loop);
    for (size_t k = 0; loop->is_tagged && k < loop->raw_count; k++)
      if (!(raw[k].flags & RETICLE_SAMPLE_TAGGED))
        raw[k].work = RETICLE_WORK_UNKNOWN;
  }
  for (size_t i = 0; any && i < profile->fact_count; i++) {
    struct profile_fact *fact = &profile->facts[i];
    const struct profile_loop *loop = find(profile, fact->loop);
    if (loop && loop->is_tagged && !(fact->flags & RETICLE_SAMPLE_TAGGED))
      fact->work = RETICLE_WORK_UNKNOWN;
  }
}
