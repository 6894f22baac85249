// peers.c - finds windows of time in which loops that have nothing in common are slow together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/peers.h"

#include "tools/analysis/loop/loop_level.h"
#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Other loops around a time that are asked.
#ifndef VOTES
#define VOTES 8
#endif
/// Times that shared windows are looked for: each round knows better what is slow outside of them.
#ifndef ROUNDS
#define ROUNDS 4
#endif
/// Samples around a time that are looked at for them: of the few loops that are timed most there
/// may be thousands.
#ifndef LOOKED_AT
#define LOOKED_AT 256
#endif
/// Other loops whose durations are compared.
#define COMPARED 64

struct peer_point {
  uint32_t thread, when;
  uint32_t loop; ///< position in the profile
  uint32_t at;   ///< position in the loop's samples
  double ratio;  ///< of its duration to the loop's usual; 0: it had other work to do
  bool is_slow;
};

static int compare_points(const void *left, const void *right) {
  const struct peer_point *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

/// Work of most samples (Boyer and Moore's vote): one with more of it is slow for a reason.
static uint64_t usual_work(const struct profile_loop *loop) {
  uint64_t work = 0;
  size_t standing = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++) {
    if (standing == 0)
      work = loop->raw[i].work;
    standing = loop->raw[i].work == work ? standing + 1 : standing - 1;
  }
  return work;
}

/// Middle one of those within the level. sorted: [n] ascending.
static double usual_of(const double *sorted, size_t n, struct loop_level level) {
  size_t first = 0, end = n;
  while (first < n && sorted[first] < level.low)
    first++;
  while (end > first && sorted[end - 1] > level.high)
    end--;
  return sorted[first + (end - first) / 2];
}

/// Adds the samples of a loop. room: [raw_count].
static void add_loop(struct peers *peers, size_t l, double pair_ticks, double noise_ticks,
                     double *room) {
  struct peer *peer = &peers->loops[l];
  const struct profile_loop *loop = peer->loop;
  uint64_t work = usual_work(loop);
  struct loop_level level = {0, 0};
  size_t n = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++)
    if (loop->raw[i].work == work)
      room[n++] = (double)loop->raw[i].duration_ticks - pair_ticks;
  if (n >= PEER_SAMPLES) {
    statistics_sort(room, n);
    level =
        loop_level_of(room, n, fmax(noise_ticks, PEER_SLOW_BY * statistics_quantile(room, n, 0.5)));
    peer->usual_ticks = usual_of(room, n, level);
    peer->is_voter = peer->usual_ticks > 0;
  }
  for (uint64_t i = 0; i < loop->raw_count; i++) {
    const struct profile_sample *raw = &loop->raw[i];
    double ticks = (double)raw->duration_ticks - pair_ticks;
    bool is_usual_work = peer->is_voter && raw->work == work;
    peers->points[peers->point_count++] =
        (struct peer_point){.thread = raw->thread,
                            .when = raw->when,
                            .loop = (uint32_t)l,
                            .at = (uint32_t)i,
                            .ratio = is_usual_work ? ticks / peer->usual_ticks : 0,
                            .is_slow = is_usual_work && ticks > level.high};
  }
}

/// Whether one is around the other in the same function.
static bool is_around(const struct profile_loop *outer, const struct profile_loop *inner) {
  return (outer->id & UINT16_MAX) == inner->flags >> RETICLE_LOOP_OUTER_SHIFT &&
         outer->object == inner->object && outer->depth < inner->depth &&
         strcmp(outer->function, inner->function) == 0;
}

/// Whether a sample of another loop begins inside of this one, surely: `when` is a whole unit.
static bool has_inside(const struct peers *peers, size_t i, unsigned when_shift) {
  const struct peer_point *point = &peers->points[i];
  uint64_t units = peers->loops[point->loop].loop->raw[point->at].duration_ticks >> when_shift;
  for (size_t k = i + 1; units > 1 && k < peers->point_count; k++) {
    const struct peer_point *next = &peers->points[k];
    if (next->thread != point->thread || next->when - point->when >= units - 1)
      return false;
    if (next->when > point->when && next->loop != point->loop)
      return true;
  }
  return false;
}

/// What a loop with others inside takes is what these do: they vote, it doesn't.
static void dismiss_outer(struct peers *peers, unsigned when_shift) {
  for (size_t l = 0; l < peers->loop_count; l++) {
    const struct profile_loop *inner = peers->loops[l].loop;
    bool has_outer = inner->flags >> RETICLE_LOOP_OUTER_SHIFT && inner->raw_count;
    for (size_t k = 0; has_outer && k < peers->loop_count; k++)
      if (is_around(peers->loops[k].loop, inner))
        peers->loops[k].is_voter = false;
  }
  for (size_t i = 0; i < peers->point_count; i++)
    if (has_inside(peers, i, when_shift))
      peers->loops[peers->points[i].loop].is_voter = false;
}

/// The nearest samples, one of each loop.
struct votes {
  const struct peer_point *by[VOTES];
  size_t count;
};

static void add_vote(const struct peer_point *point, uint32_t own, struct votes *votes) {
  if (point->loop == own)
    return;
  for (size_t i = 0; i < votes->count; i++)
    if (votes->by[i]->loop == point->loop)
      return;
  votes->by[votes->count++] = point;
}

/// Those around a time. at: position of the first vote of the thread that isn't before it, or where
/// that would be; own: loop that doesn't vote.
static struct votes votes_near(const struct peers *peers, size_t at, uint32_t thread, uint32_t when,
                               uint32_t own) {
  const struct peer_point *points = peers->votes;
  struct votes votes = {.count = 0};
  for (size_t before = at, after = at; votes.count < VOTES && after - before < LOOKED_AT;) {
    bool has_before = before > 0 && points[before - 1].thread == thread &&
                      when - points[before - 1].when <= peers->reach;
    bool has_after = after < peers->vote_count && points[after].thread == thread &&
                     points[after].when - when <= peers->reach;
    if (!has_before && !has_after)
      break;
    bool is_after =
        !has_before || (has_after && points[after].when - when < when - points[before - 1].when);
    add_vote(&points[is_after ? after++ : --before], own, &votes);
  }
  return votes;
}

/// Whether more of the votes are slow than chance gives, and by no more than a machine makes it.
static bool is_beyond_chance(const struct peers *peers, const struct votes *votes) {
  double chance[VOTES + 1] = {1}, beyond = 0; // that so many are, by each loop's own slow share
  double ratios[VOTES];
  size_t slow = 0;
  for (size_t i = 0; i < votes->count; i++) {
    double p = peers->loops[votes->by[i]->loop].slow_share;
    for (size_t k = i + 1; k > 0; k--)
      chance[k] = chance[k] * (1 - p) + chance[k - 1] * p;
    chance[0] *= 1 - p;
    if (votes->by[i]->is_slow)
      ratios[slow++] = votes->by[i]->ratio;
  }
  for (size_t k = slow; k <= votes->count; k++)
    beyond += chance[k];
  statistics_sort(ratios, slow);
  return slow >= PEER_LEAST && beyond < PEER_CHANCE &&
         statistics_quantile(ratios, slow, 0.5) <= MACHINE_RATIO;
}

/// What is slow of a loop's samples outside of shared windows, and one more.
static void find_shares(struct peers *peers) {
  for (size_t l = 0; l < peers->loop_count; l++) {
    peers->loops[l].ratio_count = 0;
    peers->loops[l].slow_share = 1;
  }
  for (size_t i = 0; i < peers->point_count; i++) {
    const struct peer_point *point = &peers->points[i];
    struct peer *peer = &peers->loops[point->loop];
    if (!(point->ratio > 0) || peer->is_shared[point->at])
      continue;
    peer->ratios[peer->ratio_count++] = point->ratio;
    peer->slow_share += point->is_slow;
  }
  for (size_t l = 0; l < peers->loop_count; l++)
    peers->loops[l].slow_share /= (double)peers->loops[l].ratio_count + 2;
}

static void choose_votes(struct peers *peers) {
  peers->votes = memory_zeroed(peers->point_count + 1, sizeof *peers->votes);
  for (size_t i = 0; i < peers->point_count; i++)
    if (peers->points[i].ratio > 0 && peers->loops[peers->points[i].loop].is_voter)
      peers->votes[peers->vote_count++] = peers->points[i];
}

/// Looks again and again: in the first round the shared windows are part of what is usual.
static void find_windows(struct peers *peers) {
  for (int round = 0; round < ROUNDS; round++) {
    find_shares(peers);
    for (size_t i = 0, at = 0; i < peers->point_count; i++) {
      const struct peer_point *point = &peers->points[i];
      while (at < peers->vote_count && compare_points(&peers->votes[at], point) < 0)
        at++;
      struct votes votes = votes_near(peers, at, point->thread, point->when, point->loop);
      peers->loops[point->loop].is_shared[point->at] = is_beyond_chance(peers, &votes);
    }
  }
  find_shares(peers);
  for (size_t l = 0; l < peers->loop_count; l++)
    statistics_sort(peers->loops[l].ratios, peers->loops[l].ratio_count);
}

static void fill(const struct profile *profile, double noise_ticks, struct peers *peers) {
  double pair_ticks = (double)profile->env.pair_ticks / 256;
  unsigned when_shift = profile_when_shift(&profile->env);
  double unit_ns = 1e9 / (double)profile->env.timer_hz * (double)(UINT64_C(1) << when_shift);
  peers->reach = (uint32_t)fmin(fmax(1, PEER_REACH_NS / unit_ns), UINT32_MAX);
  size_t total = 0;
  for (; peers->loop_count < profile->loop_count; peers->loop_count++) {
    struct peer *peer = &peers->loops[peers->loop_count];
    peer->loop = &profile->loops[peers->loop_count];
    total += peer->loop->raw_count;
    peer->is_shared = memory_zeroed(peer->loop->raw_count + 1, sizeof *peer->is_shared);
    peer->ratios = memory_zeroed(peer->loop->raw_count + 1, sizeof *peer->ratios);
  }
  peers->points = memory_zeroed(total + 1, sizeof *peers->points);
  for (size_t l = 0; l < peers->loop_count; l++)
    add_loop(peers, l, pair_ticks, noise_ticks, peers->loops[l].ratios);
  qsort(peers->points, peers->point_count, sizeof *peers->points, compare_points);
  dismiss_outer(peers, when_shift);
  choose_votes(peers);
  find_windows(peers);
}

void peers_init(const struct profile *profile, double noise_ticks, struct peers *out) {
  struct peers peers = {.loops = memory_zeroed(profile->loop_count + 1, sizeof *peers.loops)};
  fill(profile, noise_ticks, &peers);
  *out = peers;
}

void peers_release(struct peers *peers) {
  for (size_t l = 0; l < peers->loop_count; l++) {
    free(peers->loops[l].is_shared);
    free(peers->loops[l].ratios);
  }
  free(peers->loops);
  free(peers->points);
  free(peers->votes);
  *peers = (struct peers){0};
}

const struct peer *peers_find(const struct peers *peers, const struct profile_loop *loop) {
  const struct profile_loop *first = peers->loop_count ? peers->loops[0].loop : NULL;
  bool is_one = first && loop >= first && loop < first + peers->loop_count;
  return is_one ? &peers->loops[loop - first] : NULL;
}

bool peers_are_slow(const struct peers *peers, uint32_t thread, uint32_t when) {
  size_t low = 0, high = peers->vote_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const struct peer_point *point = &peers->votes[middle];
    if (point->thread < thread || (point->thread == thread && point->when < when))
      low = middle + 1;
    else
      high = middle;
  }
  struct votes votes = votes_near(peers, low, thread, when, UINT32_MAX);
  return is_beyond_chance(peers, &votes);
}

/// Share of ascending values [n], n >= 1, from low to high.
static double share_between(const double *sorted, size_t n, double low, double high) {
  size_t count = 0;
  for (size_t i = 0; i < n && sorted[i] <= high; i++)
    count += sorted[i] >= low;
  return (double)count / (double)n;
}

double peers_share(const struct peers *peers, const struct peer *own, double low, double high) {
  double shares[COMPARED];
  size_t count = 0;
  for (size_t l = 0; peers && l < peers->loop_count && count < COMPARED; l++) {
    const struct peer *peer = &peers->loops[l];
    if (peer != own && peer->is_voter && peer->ratio_count >= PEER_SAMPLES)
      shares[count++] = share_between(peer->ratios, peer->ratio_count, low, high);
  }
  if (count < PEER_LEAST || low < 1 + PEER_SLOW_BY)
    return 0;
  statistics_sort(shares, count);
  return statistics_quantile(shares, count, 0.5);
}
