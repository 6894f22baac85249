// sharing.h - cache lines that several threads use: false sharing, or words in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unit of the counts: an interval between two samples of the marks in which several threads touched
// the line and at least one of them wrote to it.
#ifndef RETICLE_TOOLS_ANALYSIS_HEAP_SHARING_H
#define RETICLE_TOOLS_ANALYSIS_HEAP_SHARING_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>

#define SHARING_LINE_WORDS 16u
/// Looks behind a sample that it takes to say how often threads meet.
#define SHARING_LOOKS_MIN 10u

enum sharing_verdict {
  SHARING_FALSE, ///< words of one line are written by different threads, and none in common
  SHARING_MIXED, ///< words in common beside others
  SHARING_TRUE,  ///< the threads use the same words
};

struct sharing_line {
  const struct profile_sharedline *record;
  enum sharing_verdict verdict;
  uint64_t intervals;
  struct quantity met; ///< share of the looks behind a sample that found several threads again
  bool is_seldom;      ///< that is known, and none did: handed over, or rarely written
};

/// The lines of one site with one verdict.
struct sharing_group {
  const struct sharing_line *line; ///< the first of them in their order
  uint64_t lines, intervals;       ///< of all together
  uint64_t low, high; ///< bytes in the object: that threads touched there, up to before `high`
  struct quantity met;
  bool is_seldom;
};

/// Start with sharing_make, end with sharing_release.
struct sharing {
  struct sharing_line
      *lines; ///< [count] suspects first, where threads meet most; last where they never did
  size_t count;
  struct sharing_group *groups; ///< [group_count] in the order of their first lines
  size_t group_count;
  bool measured;        ///< some object file tells reads from writes
  size_t told, untold;  ///< object files with marks that do, and that don't
  uint64_t threads;     ///< that marked something
  uint64_t lines_lost;  ///< forgotten, or never noted: tables were full
  struct quantity look; ///< ns from a sample to the look behind it, mean
};

/// profile  merged; must outlive the result
void sharing_make(const struct profile *profile, struct sharing *out);
void sharing_release(struct sharing *sharing);

/// "false sharing", "mixed" or "true sharing"
const char *sharing_verdict_name(enum sharing_verdict verdict);

/// The threads that touched a word of the line: bits 0 to 6 are their numbers less 1, bit 7 others.
unsigned sharing_threads(const struct profile_sharedline *line, unsigned word);

#endif
