// element_cost.h - what the elements that a loop visits, one after the other, cost in cache misses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/layout.md.
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_ELEMENT_COST_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_ELEMENT_COST_H

#include <stdbool.h>
#include <stdint.h>

/// Bytes of a first data cache: what fits there has nothing to gain.
#define ELEMENT_FIRST_CACHE_BYTES 32768.0
/// What a search is taken to go through where that isn't known: twice a last cache.
#define ELEMENT_SEARCHED_BYTES 33554432.0

/// How a loop comes to the struct's address: what misses cost there.
enum exposure {
  EXPOSURE_UNKNOWN, ///< outside of loops, or not to be followed
  EXPOSURE_STREAMING,
  EXPOSURE_INDEPENDENT,
  EXPOSURE_DEPENDENT, ///< each access waits for the one before: fewer lines gain little
  EXPOSURE_SAME,      ///< one element all the time: fetched once
  EXPOSURE_SEARCH,    ///< what was read decides where in an array is read next: a binary search
};

/// A loop's way through the elements.
struct element_walk {
  enum exposure exposure;
  double visits;
  double run;         ///< visits in one execution of the loop, on average; NaN: not known
  double whole_bytes; ///< of all elements as the source has them; NaN: not known
  bool is_in_row;     ///< seen to go through memory in a row, whatever the exposure says
  bool stays; ///< seen to come back to elements that all stay in a first cache, as if to one
};

/// How misses cost there: as of a stream where elements come in a row, as processors fetch ahead of
/// pointers, too; as of one element where few come again and again.
enum exposure element_exposure(const struct element_walk *walk);

/// The part of an element that the loop touches, and where it lies.
struct element_part {
  double lines;    ///< that hold it, at a mean place of the element
  double bytes;    ///< from one element to the next
  double elements; ///< that there are; NaN: not known
  double beside;   ///< bytes of other arrays that the same visits touch
};

/// Lines that a visit fetches if nothing stays in a cache from one execution of the loop to the
/// next.
double element_lines(const struct element_walk *walk, const struct element_part *part);

/// Bytes that the visits may touch; NaN: not known.
double element_footprint(const struct element_part *part);

/// Cost of all visits, in latencies of memory. Where the number of elements isn't known, all that
/// is not on a line just fetched comes from memory; for a search it must be known, or guessed.
double element_cost(const struct element_walk *walk, const struct element_part *part);

/// A line's cost alone, all else equal: what a search of orders weighs visits by.
double element_line_cost(const struct element_walk *walk);

/// "streaming", "independent", "dependent", "search", "same" or "unknown".
const char *exposure_name(enum exposure exposure);

#endif
