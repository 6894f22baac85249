// reduce.c - merges profiles level by level, as soon as there are enough for one of the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge/reduce.h"

#include "tools/profile/merge/merge.h"

static int merge_level(struct profile_reduction *reduction, size_t level, struct profile *out,
                       struct profile_error *error) {
  const struct profile *in[PROFILE_REDUCE_WIDTH];
  size_t count = reduction->levels[level].count;
  for (size_t i = 0; i < count; i++)
    in[i] = &reduction->levels[level].profiles[i];
  int result = profile_merge(in, count, out, error);
  for (size_t i = 0; result == 0 && i < count; i++)
    profile_release(&reduction->levels[level].profiles[i]);
  if (result == 0)
    reduction->levels[level].count = 0;
  return result;
}

int profile_reduce_add(struct profile_reduction *reduction, struct profile *profile,
                       struct profile_error *error) {
  size_t level = 0;
  struct profile next = *profile;
  *profile = (struct profile){0};
  while (reduction->levels[level].count == PROFILE_REDUCE_WIDTH &&
         level + 1 < PROFILE_REDUCE_LEVELS) {
    struct profile merged;
    int result = merge_level(reduction, level, &merged, error);
    if (result) {
      profile_release(&next);
      return result;
    }
    reduction->levels[level].profiles[reduction->levels[level].count++] = next;
    next = merged;
    level++;
  }
  reduction->levels[level].profiles[reduction->levels[level].count++] = next;
  return 0;
}

int profile_reduce_finish(struct profile_reduction *reduction, struct profile *out,
                          struct profile_error *error) {
  const struct profile *in[PROFILE_REDUCE_WIDTH * PROFILE_REDUCE_LEVELS];
  size_t count = 0;
  for (size_t level = 0; level < PROFILE_REDUCE_LEVELS; level++)
    for (size_t i = 0; i < reduction->levels[level].count; i++)
      in[count++] = &reduction->levels[level].profiles[i];
  int result = profile_merge(in, count, out, error);
  profile_reduce_release(reduction);
  return result;
}

void profile_reduce_release(struct profile_reduction *reduction) {
  for (size_t level = 0; level < PROFILE_REDUCE_LEVELS; level++) {
    for (size_t i = 0; i < reduction->levels[level].count; i++)
      profile_release(&reduction->levels[level].profiles[i]);
    reduction->levels[level].count = 0;
  }
}
