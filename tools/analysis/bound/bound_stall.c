// bound_stall.c - what memory was measured to cost, laid on stall causes that were ruled out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/bound/bound_stall.h"

#include <math.h>

struct quantity bound_stall_of(struct quantity memory, double whole, double part) {
  if (memory.status != QUANTITY_OK || !(part > 0) || !(whole > 0))
    return quantity_none(QUANTITY_UNSUPPORTED, "what memory costs the loop was not measured");
  double rest = fmax(0, whole - part);
  double low = fmax(0, memory.low * whole - rest), high = fmin(part, memory.high * whole);
  return quantity_of(fmin(fmax(memory.value * part, low), high), fmin(low, high), high);
}

static void hold(struct stall_range *range, double most) {
  range->high = fmin(range->high, fmax(0, most));
  range->low = fmin(range->low, range->high);
}

void bound_stall_narrow(struct quantity memory, struct stall_tally *tally) {
  static const enum stall_cause moved[] = {STALL_CAUSE_D_CACHE, STALL_CAUSE_D_TLB,
                                           STALL_CAUSE_WRITE_BUFFER};
  enum { MOVED = sizeof moved / sizeof *moved };
  if (memory.status != QUANTITY_OK || !(tally->time > 0))
    return;
  struct stall_range *group = &tally->groups[STALL_GROUP_MEMORY];
  size_t possible = 0, last = 0;
  for (size_t i = 0; i < MOVED; i++) {
    hold(&tally->causes[moved[i]], memory.high);
    tally->causes[moved[i]].low = fmin(tally->causes[moved[i]].low, fmax(0, memory.value));
    if (tally->causes[moved[i]].high > 0) {
      possible++;
      last = moved[i];
    }
  }
  // What is stored and loaded again waits in the moved copy, too.
  double forwarded = tally->causes[STALL_CAUSE_FORWARDING].high;
  hold(group, memory.high + forwarded);
  group->low = fmax(fmin(group->low, memory.value + forwarded), memory.low);
  group->high = fmax(group->high, memory.low);
  if (possible == 1) {
    struct stall_range *only = &tally->causes[last];
    only->low = fmax(only->low, memory.low);
    only->high = fmax(only->high, memory.low);
  }
  for (unsigned g = 0; g < STALL_GROUPS; g++)
    if (g != STALL_GROUP_MEMORY)
      hold(&tally->groups[g], tally->time - memory.low);
  for (unsigned c = 0; c < STALL_CAUSES; c++)
    if (stall_group_of((enum stall_cause)c) != STALL_GROUP_MEMORY)
      hold(&tally->causes[c], tally->time - memory.low);
}
