// element_cost.c - lines a visit and their cost, for each way through elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/element_cost.h"

#include <math.h>
#include <stddef.h>

#define LINE 64.0
/// Probes of a search where neither its loop's executions nor the elements are known: an array of
/// 64,000.
#define PROBES 16.0

/// What a line, and a visit whatever its lines, costs: in latencies of memory. Streams are fetched
/// ahead, independent misses overlap, a chain waits once for each element, and a little longer for
/// the slowest of several lines; so does a search. Orders of magnitude, checked against
/// docs/method/fields.md and layout.md.
static const double line_cost[] = {[EXPOSURE_UNKNOWN] = 1.0 / 4,
                                   [EXPOSURE_STREAMING] = 1.0 / 8,
                                   [EXPOSURE_INDEPENDENT] = 1.0 / 6,
                                   [EXPOSURE_DEPENDENT] = 1.0 / 7,
                                   [EXPOSURE_SAME] = 0,
                                   [EXPOSURE_SEARCH] = 1.0 / 7};
static const double visit_cost[] = {
    [EXPOSURE_UNKNOWN] = 0,     [EXPOSURE_STREAMING] = 0,
    [EXPOSURE_INDEPENDENT] = 0, [EXPOSURE_DEPENDENT] = 6.0 / 7 - 1.0 / 6,
    [EXPOSURE_SAME] = 0,        [EXPOSURE_SEARCH] = 6.0 / 7};
/// Of an address far from the one before, whatever cache its line is in: with the second TLB, which
/// holds the pages of so many bytes, and without.
static const double near_translation_cost = 1.0 / 24, far_translation_cost = 1.0 / 6;
#define TLB_BYTES 8388608.0

/// Caches of a present core (of the last one, what it has for itself), and what a miss of each
/// costs of a latency of memory; the first is what a hit costs. A profile says nothing of its
/// machine's.
static const struct level {
  double bytes, share;
} levels[] = {{0, 0.02}, {ELEMENT_FIRST_CACHE_BYTES, 0.05}, {1048576, 0.15}, {16777216, 0.78}};
#define LEVELS (sizeof levels / sizeof *levels)

const char *exposure_name(enum exposure exposure) {
  switch (exposure) {
  case EXPOSURE_UNKNOWN:
    return "unknown";
  case EXPOSURE_STREAMING:
    return "streaming";
  case EXPOSURE_INDEPENDENT:
    return "independent";
  case EXPOSURE_DEPENDENT:
    return "dependent";
  case EXPOSURE_SAME:
    return "same";
  case EXPOSURE_SEARCH:
    return "search";
  }
  return "unknown";
}

enum exposure element_exposure(const struct element_walk *walk) {
  if (walk->stays)
    return EXPOSURE_SAME;
  bool may_stream = walk->exposure == EXPOSURE_DEPENDENT || walk->exposure == EXPOSURE_INDEPENDENT;
  return walk->is_in_row && may_stream ? EXPOSURE_STREAMING : walk->exposure;
}

double element_line_cost(const struct element_walk *walk) {
  return line_cost[element_exposure(walk)];
}

static double probes_of(const struct element_walk *walk, const struct element_part *part) {
  if (walk->run >= 1)
    return walk->run;
  return part->elements > 1 ? fmax(log2(part->elements), 1) : PROBES;
}

/// Lines of a visit behind another one of the same execution.
static double next_lines(const struct element_part *part) {
  return part->bytes < LINE ? fmin(part->lines, part->bytes / LINE) : part->lines;
}

double element_lines(const struct element_walk *walk, const struct element_part *part) {
  switch (element_exposure(walk)) {
  case EXPOSURE_STREAMING:
    return walk->run >= 1 ? (part->lines + (walk->run - 1) * next_lines(part)) / walk->run
                          : next_lines(part);
  case EXPOSURE_SEARCH: {
    // The last steps, over elements of one line, fetch nothing new.
    double probes = probes_of(walk, part);
    double near = part->bytes < LINE ? log2(LINE / fmax(part->bytes, 1)) : 0;
    return part->lines * fmax(probes - near, 1) / probes;
  }
  default:
    return part->lines;
  }
}

double element_footprint(const struct element_part *part) {
  return part->elements * (part->bytes < LINE ? part->bytes : part->lines * LINE) + part->beside;
}

/// Share of a latency that a line costs, of so many bytes of which any is as likely as another.
static double random_reach(double bytes) {
  double sum = 0;
  if (isnan(bytes))
    return 1;
  for (size_t i = 0; i < LEVELS; i++)
    if (bytes > levels[i].bytes)
      sum += levels[i].share * (1 - levels[i].bytes / bytes);
  return sum;
}

/// The same where all are fetched in a row, again and again: what is larger than a cache always
/// misses it.
static double stream_reach(double bytes) {
  double sum = 0;
  if (isnan(bytes))
    return 1;
  for (size_t i = 0; i < LEVELS; i++)
    sum += bytes > levels[i].bytes ? levels[i].share : 0;
  return sum;
}

/// The same of a probe: of each cache, the steps between elements that it can't hold, as those of
/// the first steps, which all searches share, stay there.
static double search_reach(double bytes, double probes) {
  double sum = levels[0].share;
  for (size_t i = 1; i < LEVELS; i++)
    if (bytes > levels[i].bytes)
      sum += levels[i].share * fmin(log2(bytes / levels[i].bytes), probes) / probes;
  return sum;
}

/// In so many bytes of which any is as likely as another.
static double translation_cost(double bytes) {
  double far = isnan(bytes) ? 1 : fmax(1 - TLB_BYTES / bytes, 0);
  return bytes <= ELEMENT_FIRST_CACHE_BYTES
             ? 0
             : near_translation_cost + far * (far_translation_cost - near_translation_cost);
}

/// A stream counts by its lines: that fewer of them fit into a cache is left out, as fetching ahead
/// hides most of a cache's latency. Where a run starts, which may be anywhere, nothing was fetched
/// ahead.
static double stream_cost(const struct element_walk *walk, const struct element_part *part) {
  double next = line_cost[EXPOSURE_STREAMING] * next_lines(part) * stream_reach(walk->whole_bytes);
  double bytes = element_footprint(part);
  double first =
      translation_cost(bytes) + line_cost[EXPOSURE_INDEPENDENT] * part->lines * random_reach(bytes);
  return walk->run >= 1 ? (first + (walk->run - 1) * next) / walk->run : next;
}

double element_cost(const struct element_walk *walk, const struct element_part *part) {
  enum exposure how = element_exposure(walk);
  double bytes = element_footprint(part), lines = element_lines(walk, part);
  if (!(walk->visits > 0) || !(part->lines > 0))
    return 0;
  switch (how) {
  case EXPOSURE_SAME:
    return 0;
  case EXPOSURE_STREAMING:
    return walk->visits * stream_cost(walk, part);
  case EXPOSURE_SEARCH:
    return walk->visits * search_reach(bytes, probes_of(walk, part)) *
           (visit_cost[how] + line_cost[how] * fmax(part->lines, 1));
  case EXPOSURE_INDEPENDENT:
  case EXPOSURE_DEPENDENT:
    return walk->visits * (translation_cost(bytes) +
                           random_reach(bytes) * (visit_cost[how] + line_cost[how] * lines));
  case EXPOSURE_UNKNOWN:
    return walk->visits * random_reach(bytes) * line_cost[how] * lines;
  }
  return 0;
}
