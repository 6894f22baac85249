// iterations.c - finds the loop of an iteration, and leaves out iterations that tell nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/iterations.h"

#include <string.h>

/// With so many executions of a run the loop itself has a distribution.
#define OFTEN 100
/// Fewer iterations of a run have none.
#define ITERATIONS_LEAST 20

const struct profile_loop *profile_loop_of(const struct profile_loop *loops, size_t count,
                                           const struct profile_loop *iteration) {
  uint64_t wanted = iteration->flags >> RETICLE_LOOP_OUTER_SHIFT;
  for (size_t i = 0; i < count; i++)
    if ((loops[i].id & UINT16_MAX) == wanted && loops[i].line == iteration->line &&
        loops[i].depth == iteration->depth && loops[i].object == iteration->object &&
        !(loops[i].flags & RETICLE_LOOP_ITERATION) &&
        strcmp(loops[i].function, iteration->function) == 0)
      return &loops[i];
  return NULL;
}

static bool tells_something(const struct profile *profile, const struct profile_loop *iteration) {
  uint64_t runs = profile->merged_count ? profile->merged_count : 1;
  const struct profile_loop *loop = profile_loop_of(profile->loops, profile->loop_count, iteration);
  return iteration->executions / runs >= ITERATIONS_LEAST && loop &&
         loop->executions / runs < OFTEN && loop->executions < iteration->executions;
}

void profile_hide_iterations(struct profile *profile) {
  // From the end: a loop that an iteration in front asks for is still there, as no loop goes.
  for (size_t i = profile->loop_count; i-- > 0;) {
    struct profile_loop *loop = &profile->loops[i];
    if (!(loop->flags & RETICLE_LOOP_ITERATION) || tells_something(profile, loop))
      continue;
    memmove(loop, loop + 1, (profile->loop_count - i - 1) * sizeof *loop);
    profile->loop_count--;
  }
}
