// culprit.c - names of stall causes; a block's stalled cycles shared out among them; tallies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/culprit.h"

#include "tools/analysis/culprit_parts.h"

#include <math.h>
#include <stdlib.h>

static const struct {
  const char *name;
  char letter;
  enum culprit_group group;
} reasons[] = {
    [CULPRIT_DIVIDER] = {"divider", 'v', CULPRIT_GROUP_CORE},
    [CULPRIT_MULTIPLIER] = {"multiplier", 'm', CULPRIT_GROUP_CORE},
    [CULPRIT_LONG_UNIT] = {"long instruction", 'u', CULPRIT_GROUP_CORE},
    [CULPRIT_SYNCHRONISED] = {"synchronisation", 'y', CULPRIT_GROUP_MEMORY},
    [CULPRIT_CHAIN] = {"dependency chain", 'r', CULPRIT_GROUP_CORE},
    [CULPRIT_BRANCH] = {"branch mispredict", 'p', CULPRIT_GROUP_SPECULATION},
    [CULPRIT_D_CACHE] = {"D-cache miss", 'd', CULPRIT_GROUP_MEMORY},
    [CULPRIT_D_TLB] = {"DTLB miss", 'D', CULPRIT_GROUP_MEMORY},
    [CULPRIT_WRITE_BUFFER] = {"write buffer", 'w', CULPRIT_GROUP_MEMORY},
    [CULPRIT_FORWARDING] = {"store forwarding", 'f', CULPRIT_GROUP_MEMORY},
    [CULPRIT_I_CACHE] = {"I-cache or ITLB miss", 'i', CULPRIT_GROUP_FRONT_END},
    [CULPRIT_DENORMALS] = {"denormals", 'n', CULPRIT_GROUP_CORE},
    [CULPRIT_NONE] = {"none", ' ', CULPRIT_GROUPS},
};
_Static_assert(sizeof(reasons) / sizeof(reasons[0]) == CULPRIT_REASONS + 1,
               "each reason has its row, and none");

const char *culprit_name(enum culprit_reason reason) { return reasons[reason].name; }
char culprit_letter(enum culprit_reason reason) { return reasons[reason].letter; }
enum culprit_group culprit_group_of(enum culprit_reason reason) { return reasons[reason].group; }

const char *culprit_group_name(enum culprit_group group) {
  switch (group) {
  case CULPRIT_GROUP_CORE:
    return "core";
  case CULPRIT_GROUP_MEMORY:
    return "memory";
  case CULPRIT_GROUP_SPECULATION:
    return "speculation";
  case CULPRIT_GROUP_FRONT_END:
    return "front end";
  case CULPRIT_GROUPS:
    break;
  }
  return "none";
}

/// Adds `time`, whose candidate causes are `suspects`, each at most `left`, which gets less.
static void blame(struct culprit_tally *tally, double time, uint32_t suspects, uint32_t unproven,
                  double *left) {
  double able[CULPRIT_REASONS] = {0}, able_of[CULPRIT_GROUPS] = {0}, all = 0;
  double proven_of[CULPRIT_GROUPS] = {0};
  for (unsigned r = 0; r < CULPRIT_REASONS; r++) {
    if (!(suspects & CULPRIT_BIT(r)))
      continue;
    able[r] = fmin(time, left[r]);
    able_of[reasons[r].group] += able[r];
    proven_of[reasons[r].group] += unproven & CULPRIT_BIT(r) ? 0 : able[r];
    all += able[r];
  }
  for (unsigned r = 0; r < CULPRIT_REASONS; r++) {
    if (!(unproven & CULPRIT_BIT(r)))
      tally->reasons[r].low += fmin(able[r], fmax(0, time - (all - able[r])));
    tally->reasons[r].high += able[r];
    left[r] -= able[r];
  }
  for (unsigned g = 0; g < CULPRIT_GROUPS; g++) {
    tally->groups[g].low += fmin(proven_of[g], fmax(0, time - (all - proven_of[g])));
    tally->groups[g].high += fmin(time, able_of[g]);
  }
  tally->unexplained += fmax(0, time - all);
}

/// Splits the block's time into execution and stalls.
static void split(const struct culprit_block *block, struct culprit_tally *tally) {
  double time = tally->time, cycles = block->cycles;
  if (!(cycles > 0)) {
    tally->uncounted = time;
    return;
  }
  double scale = time / cycles, limit = fmin(block->limit, cycles);
  if (isnan(block->isolated)) {
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

/// Shares the stalls out among the instructions, by the time blamed on each.
static void share_out(const struct culprit_input *in, const struct culprit_block *block,
                      const struct culprit_suspects *suspects, const double *caps,
                      struct culprit_stall *stalls, struct culprit_tally *tally) {
  double left[CULPRIT_REASONS];
  for (unsigned r = 0; r < CULPRIT_REASONS; r++)
    left[r] = caps[r] * tally->time / block->cycles;
  for (size_t i = 0; i < block->count; i++) {
    double share = in->instructions[block->first + i].time / tally->time;
    double still = share * tally->static_stall, dynamic = share * tally->dynamic_stall,
           mixed = share * tally->mixed_stall;
    if (!(share > 0))
      continue;
    uint32_t unproven = suspects[i].unproven;
    blame(tally, still, suspects[i].still, unproven, left);
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
}

bool culprit_find(const struct culprit_input *in, struct culprit_stall *stalls,
                  struct culprit_tally *tallies) {
  size_t longest = 0;
  for (size_t b = 0; b < in->block_count; b++)
    longest = in->blocks[b].count > longest ? in->blocks[b].count : longest;
  struct culprit_suspects *suspects = calloc(longest + 1, sizeof(*suspects));
  struct culprit_flow flow = {0};
  bool fine = suspects && culprit_flow_make(in, &flow);
  for (size_t i = 0; stalls && i < in->instruction_count; i++)
    stalls[i] = (struct culprit_stall){0};
  for (size_t b = 0; fine && b < in->block_count; b++) {
    const struct culprit_block *block = &in->blocks[b];
    double caps[CULPRIT_REASONS];
    tallies[b] = (struct culprit_tally){0};
    for (size_t i = 0; i < block->count; i++)
      tallies[b].time += in->instructions[block->first + i].time;
    if (!(tallies[b].time > 0))
      continue;
    split(block, &tallies[b]);
    if (tallies[b].uncounted > 0)
      continue;
    culprit_suspect(in, &flow, b, suspects, caps);
    share_out(in, block, suspects, caps, stalls, &tallies[b]);
  }
  culprit_flow_release(&flow);
  free(suspects);
  return fine;
}

void culprit_tally_add(struct culprit_tally *sum, const struct culprit_tally *tally) {
  sum->time += tally->time;
  sum->execution += tally->execution;
  sum->static_stall += tally->static_stall;
  sum->dynamic_stall += tally->dynamic_stall;
  sum->mixed_stall += tally->mixed_stall;
  sum->gain += tally->gain;
  sum->uncounted += tally->uncounted;
  sum->unexplained += tally->unexplained;
  for (unsigned r = 0; r < CULPRIT_REASONS; r++) {
    sum->reasons[r].low += tally->reasons[r].low;
    sum->reasons[r].high += tally->reasons[r].high;
  }
  for (unsigned g = 0; g < CULPRIT_GROUPS; g++) {
    sum->groups[g].low += tally->groups[g].low;
    sum->groups[g].high += tally->groups[g].high;
  }
}

static double middle(const struct culprit_tally *tally, enum culprit_reason reason) {
  return tally->reasons[reason].low + tally->reasons[reason].high;
}

size_t culprit_rank(const struct culprit_tally *tally, enum culprit_reason *ranked) {
  size_t count = 0;
  for (unsigned r = 0; r < CULPRIT_REASONS; r++) {
    if (!(tally->reasons[r].high > 0))
      continue;
    size_t at = count++;
    // Nearly equal ones stay in the order of the list.
    for (; at && middle(tally, (enum culprit_reason)r) > 1.01 * middle(tally, ranked[at - 1]); at--)
      ranked[at] = ranked[at - 1];
    ranked[at] = (enum culprit_reason)r;
  }
  return count;
}

enum culprit_reason culprit_named(const struct culprit_tally *tally) {
  enum culprit_reason ranked[CULPRIT_REASONS];
  size_t count = culprit_rank(tally, ranked);
  bool is_likely = count && tally->reasons[ranked[0]].high >= CULPRIT_LEAST * tally->time;
  if (!is_likely || (ranked[0] == CULPRIT_DENORMALS && !(tally->reasons[ranked[0]].low > 0)))
    return CULPRIT_NONE;
  return ranked[0];
}
