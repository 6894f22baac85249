// stall_cause.c - names of stall causes; a block's stalled cycles shared out among them; tallies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stall/stall_cause.h"

#include "tools/analysis/stall/stall_cause_parts.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  char letter;
  enum stall_group group;
} causes[] = {
    [STALL_CAUSE_DIVIDER] = {"divider", 'v', STALL_GROUP_CORE},
    [STALL_CAUSE_MULTIPLIER] = {"multiplier", 'm', STALL_GROUP_CORE},
    [STALL_CAUSE_LONG_UNIT] = {"long instruction", 'u', STALL_GROUP_CORE},
    [STALL_CAUSE_SYNCHRONISED] = {"synchronisation", 'y', STALL_GROUP_MEMORY},
    [STALL_CAUSE_CHAIN] = {"dependency chain", 'r', STALL_GROUP_CORE},
    [STALL_CAUSE_BRANCH] = {"branch mispredict", 'p', STALL_GROUP_SPECULATION},
    [STALL_CAUSE_D_CACHE] = {"D-cache miss", 'd', STALL_GROUP_MEMORY},
    [STALL_CAUSE_D_TLB] = {"DTLB miss", 'D', STALL_GROUP_MEMORY},
    [STALL_CAUSE_WRITE_BUFFER] = {"write buffer", 'w', STALL_GROUP_MEMORY},
    [STALL_CAUSE_FORWARDING] = {"store forwarding", 'f', STALL_GROUP_MEMORY},
    [STALL_CAUSE_I_CACHE] = {"I-cache or ITLB miss", 'i', STALL_GROUP_FRONT_END},
    [STALL_CAUSE_DENORMALS] = {"denormals", 'n', STALL_GROUP_CORE},
    [STALL_CAUSE_NONE] = {"none", ' ', STALL_GROUPS},
};
_Static_assert(sizeof(causes) / sizeof(causes[0]) == STALL_CAUSES + 1,
               "each cause has its row, and none");

const char *stall_cause_name(enum stall_cause cause) { return causes[cause].name; }
char stall_cause_letter(enum stall_cause cause) { return causes[cause].letter; }
enum stall_group stall_group_of(enum stall_cause cause) { return causes[cause].group; }

const char *stall_group_name(enum stall_group group) {
  switch (group) {
  case STALL_GROUP_CORE:
    return "core";
  case STALL_GROUP_MEMORY:
    return "memory";
  case STALL_GROUP_SPECULATION:
    return "speculation";
  case STALL_GROUP_FRONT_END:
    return "front end";
  case STALL_GROUPS:
    break;
  }
  return "none";
}

/// Adds `time`, whose candidate causes are `suspects`, each at most `left`, which gets less.
static void blame(struct stall_tally *tally, double time, uint32_t suspects, uint32_t unproven,
                  double *left) {
  double able[STALL_CAUSES] = {0}, able_of[STALL_GROUPS] = {0}, all = 0;
  double proven_of[STALL_GROUPS] = {0};
  for (unsigned r = 0; r < STALL_CAUSES; r++) {
    if (!(suspects & STALL_CAUSE_BIT(r)))
      continue;
    able[r] = fmin(time, left[r]);
    able_of[causes[r].group] += able[r];
    proven_of[causes[r].group] += unproven & STALL_CAUSE_BIT(r) ? 0 : able[r];
    all += able[r];
  }
  for (unsigned r = 0; r < STALL_CAUSES; r++) {
    if (!(unproven & STALL_CAUSE_BIT(r)))
      tally->causes[r].low += fmin(able[r], fmax(0, time - (all - able[r])));
    tally->causes[r].high += able[r];
    left[r] -= able[r];
  }
  for (unsigned g = 0; g < STALL_GROUPS; g++) {
    if (proven_of[g] > 0) // then its unproven ones are no way out of it
      tally->groups[g].low += fmin(able_of[g], fmax(0, time - (all - able_of[g])));
    tally->groups[g].high += fmin(time, able_of[g]);
  }
  tally->unexplained += fmax(0, time - all);
}

/// Faster in place than by itself by more: what it takes by itself isn't what it is in place (its
/// operands lie otherwise), and says nothing. Up to some cycles may be the loop around it that a
/// block by itself runs in, and what it doesn't overlap with there.
#define FASTER_MOST 1.1
#define ALONE_CYCLES 4

/// Splits the block's time into execution and stalls.
static void split(const struct stall_block *block, struct stall_tally *tally) {
  double time = tally->time, cycles = block->cycles;
  if (!(cycles > 0)) {
    tally->uncounted = time;
    return;
  }
  double scale = time / cycles, limit = fmin(block->limit, cycles);
  if (isnan(block->isolated) || block->isolated > FASTER_MOST * cycles + ALONE_CYCLES) {
    tally->execution = scale * limit;
    tally->mixed_stall = scale * (cycles - limit);
    return;
  }
  limit = fmin(limit, block->isolated);
  tally->execution = scale * limit;
  tally->static_stall = scale * (block->isolated - limit);
  if (cycles >= block->isolated)
    tally->dynamic_stall = scale * (cycles - block->isolated);
  else
    tally->gain = scale * (block->isolated - cycles);
}

/// What blocks of a path take one behind the other isn't the sum of what each takes by itself:
/// branches share cycles, and so do chains. By less a block says nothing of what only a program
/// has.
#define OVERLAP_CYCLES 2

/// Causes that a block by itself doesn't have.
#define DYNAMIC_CAUSES                                                                             \
  (STALL_CAUSE_BIT(STALL_CAUSE_BRANCH) | STALL_CAUSE_BIT(STALL_CAUSE_D_CACHE) |                    \
   STALL_CAUSE_BIT(STALL_CAUSE_D_TLB) | STALL_CAUSE_BIT(STALL_CAUSE_WRITE_BUFFER) |                \
   STALL_CAUSE_BIT(STALL_CAUSE_I_CACHE) | STALL_CAUSE_BIT(STALL_CAUSE_DENORMALS))

static void add_ranges(struct stall_range *sum, double part, const struct stall_range *ranges,
                       unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    sum[i].low += part * ranges[i].low;
    sum[i].high += part * ranges[i].high;
  }
}

static bool is_loop_by_itself(const struct stall_input *in, size_t block) {
  for (size_t e = 0; e < in->edge_count; e++)
    if (in->edges[e].from == block && in->edges[e].to == block)
      return true;
  return false;
}

static uint32_t unproven_of(const struct stall_input *in, size_t number) {
  const struct stall_block *block = &in->blocks[number];
  bool is_small = block->cycles - block->isolated < OVERLAP_CYCLES; // NaN: not measured by itself
  return is_small && !is_loop_by_itself(in, number) ? DYNAMIC_CAUSES : 0;
}

/// Shares the stalls out among the instructions, by the time blamed on each.
static void share_out(const struct stall_input *in, size_t number,
                      const struct stall_suspects *suspects, const double *caps,
                      struct instruction_stall *stalls, struct stall_tally *tally) {
  const struct stall_block *block = &in->blocks[number];
  uint32_t too_small = unproven_of(in, number);
  double left[STALL_CAUSES], left_absent[STALL_CAUSES];
  struct stall_tally absent = {0};
  // What it stalls by itself and not in place has no cause in place.
  double gone = fmin(tally->gain, tally->static_stall);
  double there = tally->static_stall > 0 ? 1 - gone / tally->static_stall : 1;
  tally->unexplained += gone;
  for (unsigned r = 0; r < STALL_CAUSES; r++)
    left[r] = left_absent[r] = caps[r] * tally->time / block->cycles;
  for (size_t i = 0; i < block->count; i++) {
    double share = in->instructions[block->first + i].time / tally->time;
    double still = share * tally->static_stall, dynamic = share * tally->dynamic_stall,
           mixed = share * tally->mixed_stall;
    if (!(share > 0))
      continue;
    uint32_t unproven = suspects[i].unproven | too_small;
    blame(tally, there * still, suspects[i].still, unproven, left);
    blame(&absent, (1 - there) * still, suspects[i].still, unproven, left_absent);
    blame(tally, dynamic, suspects[i].dynamic, unproven, left);
    blame(tally, mixed, suspects[i].still | suspects[i].dynamic, unproven, left);
    if (!stalls)
      continue;
    stalls[block->first + i].time = still + dynamic + mixed;
    if (mixed > 0 || still >= dynamic)
      stalls[block->first + i].suspects |= suspects[i].still;
    if (mixed > 0 || dynamic > still)
      stalls[block->first + i].suspects |= suspects[i].dynamic;
  }
  memcpy(tally->absent, absent.causes, sizeof(tally->absent));
  memcpy(tally->absent_groups, absent.groups, sizeof(tally->absent_groups));
}

void stall_causes_find(const struct stall_input *in, struct instruction_stall *stalls,
                       struct stall_tally *tallies) {
  size_t longest = 0;
  for (size_t b = 0; b < in->block_count; b++)
    longest = in->blocks[b].count > longest ? in->blocks[b].count : longest;
  struct stall_suspects *suspects = memory_zeroed(longest + 1, sizeof(*suspects));
  struct stall_flow flow = {0};
  stall_flow_make(in, &flow);
  for (size_t i = 0; stalls && i < in->instruction_count; i++)
    stalls[i] = (struct instruction_stall){0};
  for (size_t b = 0; b < in->block_count; b++) {
    const struct stall_block *block = &in->blocks[b];
    double caps[STALL_CAUSES];
    tallies[b] = (struct stall_tally){0};
    for (size_t i = 0; i < block->count; i++)
      tallies[b].time += in->instructions[block->first + i].time;
    if (!(tallies[b].time > 0))
      continue;
    split(block, &tallies[b]);
    if (tallies[b].uncounted > 0)
      continue;
    stall_suspect(in, &flow, b, suspects, caps);
    share_out(in, b, suspects, caps, stalls, &tallies[b]);
  }
  stall_flow_release(&flow);
  free(suspects);
}

void stall_tally_add(struct stall_tally *sum, const struct stall_tally *tally) {
  sum->time += tally->time;
  sum->execution += tally->execution;
  sum->static_stall += tally->static_stall;
  sum->dynamic_stall += tally->dynamic_stall;
  sum->mixed_stall += tally->mixed_stall;
  sum->gain += tally->gain;
  sum->uncounted += tally->uncounted;
  sum->unexplained += tally->unexplained;
  add_ranges(sum->causes, 1, tally->causes, STALL_CAUSES);
  add_ranges(sum->groups, 1, tally->groups, STALL_GROUPS);
  add_ranges(sum->absent, 1, tally->absent, STALL_CAUSES);
  add_ranges(sum->absent_groups, 1, tally->absent_groups, STALL_GROUPS);
}

static bool is_dynamic(enum stall_cause cause) { return DYNAMIC_CAUSES >> cause & 1; }

void stall_tally_net(struct stall_tally *t) {
  double net = fmin(t->gain, t->dynamic_stall);
  if (!(net > 0))
    return;
  double part = net / t->gain, explained = 0;
  t->gain -= net;
  t->dynamic_stall -= net;
  double dynamic = t->dynamic_stall + t->mixed_stall, all = dynamic + t->static_stall;
  for (unsigned r = 0; r < STALL_CAUSES; r++) {
    struct stall_range *range = &t->causes[r];
    range->high = fmin(range->high, is_dynamic((enum stall_cause)r) ? dynamic : all);
    range->low =
        fmin(range->high, fmax(0, range->low - (is_dynamic((enum stall_cause)r) ? net : 0)));
  }
  for (unsigned g = 0; g < STALL_GROUPS; g++) {
    t->groups[g].high = fmin(t->groups[g].high, all);
    t->groups[g].low = fmin(t->groups[g].high, fmax(0, t->groups[g].low - net));
  }
  add_ranges(t->causes, part, t->absent, STALL_CAUSES);
  add_ranges(t->groups, part, t->absent_groups, STALL_GROUPS);
  for (unsigned r = 0; r < STALL_CAUSES; r++) {
    explained = fmax(explained, part * t->absent[r].high);
    t->causes[r].high = fmin(t->causes[r].high, all);
  }
  for (unsigned g = 0; g < STALL_GROUPS; g++)
    t->groups[g].high = fmin(t->groups[g].high, all);
  memset(t->absent, 0, sizeof(t->absent));
  memset(t->absent_groups, 0, sizeof(t->absent_groups));
  t->unexplained = fmin(fmax(0, t->unexplained - explained), all);
}

static double middle(const struct stall_tally *tally, enum stall_cause cause) {
  return tally->causes[cause].low + tally->causes[cause].high;
}

size_t stall_cause_rank(const struct stall_tally *tally, enum stall_cause *ranked) {
  size_t count = 0;
  for (unsigned r = 0; r < STALL_CAUSES; r++) {
    if (!(tally->causes[r].high > 0))
      continue;
    size_t at = count++;
    // Nearly equal ones stay in the order of the list.
    for (; at && middle(tally, (enum stall_cause)r) > 1.01 * middle(tally, ranked[at - 1]); at--)
      ranked[at] = ranked[at - 1];
    ranked[at] = (enum stall_cause)r;
  }
  return count;
}

enum stall_cause stall_cause_named(const struct stall_tally *tally) {
  enum stall_cause ranked[STALL_CAUSES];
  size_t count = stall_cause_rank(tally, ranked);
  bool is_likely = count && tally->causes[ranked[0]].high >= STALL_CAUSE_LEAST * tally->time;
  if (!is_likely || (ranked[0] == STALL_CAUSE_DENORMALS && !(tally->causes[ranked[0]].low > 0)))
    return STALL_CAUSE_NONE;
  return ranked[0];
}
