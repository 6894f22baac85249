// wait_arrivals.c - of each collective call who came last, and how long the others waited for that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/wait_parts.h"
#include "tools/profile/rank.h"

#include <math.h>
#include <stdlib.h>

/// Of so many processes as they come; above that those whose hash has more zeros.
#define ARRIVALS_MOST ((size_t)1 << 20)

static uint64_t mix(uint64_t a) { // the finaliser of MurmurHash3
  a = (a ^ a >> 33) * UINT64_C(0xff51afd7ed558ccd);
  a = (a ^ a >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return a ^ a >> 33;
}

/// Another one than the runtime's, whose low bits are 0 in all that it chose.
static bool is_kept(const struct wait_tally *tally, const struct wait_arrival *arrival) {
  return !(mix(arrival->group * 3 + arrival->number) & tally->mask);
}

void wait_add_arrival(struct wait_tally *tally, const struct wait_arrival *arrival) {
  while (tally->arrival_count >= ARRIVALS_MOST && tally->mask != UINT64_MAX) {
    size_t kept = 0;
    tally->mask = tally->mask << 1 | 1;
    for (size_t i = 0; i < tally->arrival_count; i++)
      if (is_kept(tally, &tally->arrivals[i]))
        tally->arrivals[kept++] = tally->arrivals[i];
    tally->arrival_count = kept;
  }
  if (!is_kept(tally, arrival))
    return;
  struct wait_arrival *added = wait_grow(tally, WAIT_ARRIVALS, (void **)&tally->arrivals,
                                         &tally->arrival_count, sizeof *tally->arrivals);
  *added = *arrival;
}

static int by_call(const void *left, const void *right) {
  const struct wait_arrival *a = left, *b = right;
  if (a->host != b->host)
    return a->host < b->host ? -1 : 1;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  if (a->number != b->number)
    return a->number < b->number ? -1 : 1;
  if (a->at_ns != b->at_ns)
    return a->at_ns < b->at_ns ? -1 : 1;
  return (a->process > b->process) - (a->process < b->process);
}

static bool is_one_group(const struct wait_arrival *a, const struct wait_arrival *b) {
  return a->host == b->host && a->group == b->group;
}

static size_t end_of_call(const struct wait_tally *tally, size_t first) {
  size_t end = first + 1;
  while (end < tally->arrival_count &&
         is_one_group(&tally->arrivals[first], &tally->arrivals[end]) &&
         tally->arrivals[first].number == tally->arrivals[end].number)
    end++;
  return end;
}

/// One call waited for another's arrival.
static void add_late(struct wait_tally *tally, const struct wait_arrival *who,
                     const struct wait_arrival *whom) {
  struct wait_cell *cell = wait_find_cell(tally, who->site, who->process);
  struct wait_site *site = &tally->sites[who->site];
  double late = whom && whom->at_ns > who->at_ns ? (double)(whom->at_ns - who->at_ns) : 0;
  if (!cell) // damaged, or made up
    return;
  if (late > (double)who->time_ns)
    late = (double)who->time_ns;
  cell->late_ns = (isnan(cell->late_ns) ? 0 : cell->late_ns) + late;
  site->late_ns = (isnan(site->late_ns) ? 0 : site->late_ns) + late;
  site->compared++;
  uint32_t rank = whom ? tally->processes[whom->process].rank : PROFILE_RANK_UNKNOWN;
  if (late > 0 && rank != PROFILE_RANK_UNKNOWN)
    wait_add_blame(tally, who->site, who->process, rank, late);
}

/// calls  [count] of all ranks of the group on a host, in the order of their arrival
static void compare_call(struct wait_tally *tally, const struct wait_arrival *calls, size_t count) {
  const struct wait_arrival *last = &calls[count - 1], *root = NULL;
  uint32_t kind = tally->sites[last->site].kind;
  for (size_t i = 0; i < count; i++)
    if (calls[i].root != RETICLE_WAIT_NOBODY &&
        tally->processes[calls[i].process].rank == calls[i].root)
      root = &calls[i];
  for (size_t i = 0; i < count; i++) {
    const struct wait_arrival *whom = kind == RETICLE_WAIT_ALL                               ? last
                                      : kind == RETICLE_WAIT_ROOT                            ? root
                                      : kind == RETICLE_WAIT_FOR_OTHERS && &calls[i] == root ? last
                                                                                             : NULL;
    if (kind != RETICLE_WAIT_NOTHING)
      add_late(tally, &calls[i], whom);
  }
}

/// What was compared stands for all calls of the site.
static void scale(struct wait_tally *tally) {
  for (size_t i = 0; i < tally->site_count; i++) {
    struct wait_site *site = &tally->sites[i];
    double factor = site->compared ? (double)site->calls / (double)site->compared : 1;
    site->late_ns *= factor;
    for (size_t k = 0; k < site->cell_count; k++)
      tally->cells[(size_t)(site->cells - tally->cells) + k].late_ns *= factor;
    if (site->late_ns > (double)site->time_ns)
      site->late_ns = (double)site->time_ns;
  }
  for (size_t i = 0; i < tally->blame_count; i++) {
    const struct wait_site *site = &tally->sites[tally->blames[i].site];
    if (site->compared)
      tally->blames[i].time_ns *= (double)site->calls / (double)site->compared;
  }
}

/// Calls that some rank of the group has no record of can't be judged: it may have been the last.
void wait_compare_arrivals(struct wait_tally *tally) {
  if (tally->arrival_count)
    qsort(tally->arrivals, tally->arrival_count, sizeof *tally->arrivals, by_call);
  for (size_t group = 0, end; group < tally->arrival_count; group = end) {
    size_t most = 0;
    for (end = group; end < tally->arrival_count &&
                      is_one_group(&tally->arrivals[group], &tally->arrivals[end]);) {
      size_t next = end_of_call(tally, end);
      most = next - end > most ? next - end : most;
      end = next;
    }
    for (size_t at = group; most > 1 && at < end;) {
      size_t next = end_of_call(tally, at);
      if (next - at == most)
        compare_call(tally, &tally->arrivals[at], next - at);
      at = next;
    }
  }
  scale(tally);
}
