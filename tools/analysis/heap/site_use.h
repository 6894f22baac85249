// site_use.h - used bytes among those that a site's objects bring into the cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unit of the counts: an interval between two samples of the marks. A cache line counts in each one
// in which a word of it was touched.
#ifndef RETICLE_TOOLS_ANALYSIS_HEAP_SITE_USE_H
#define RETICLE_TOOLS_ANALYSIS_HEAP_SITE_USE_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

/// A stride is looked for in so many bytes from an object's start.
#define SITE_STRIDE_BYTES 512u

struct site_use {
  /// Of the first 512 bytes of its objects, those that marked code wrote and never read; where
  /// reads and writes weren't told apart there is none.
  struct quantity unread_bytes;
  const struct profile_site *record;
  const struct profile_siteframe *frames; ///< [frame_count] innermost first
  size_t frame_count;
  const struct profile_siteword *words; ///< [word_count] ascending, touched ones alone
  size_t word_count;
  struct quantity useful_share; ///< used / fetched bytes
  struct quantity ever_share;   ///< the same with an object's life as one interval
  struct quantity wasted_bytes; ///< fetched and not used, all intervals together
  struct quantity lifetime_ns;  ///< mean of all objects; those not freed count up to the end
  /// Half of the 95 % interval of the number of objects, at most; 0: each was looked at.
  double objects_error;
  /// Arrays of which only some words of each so many bytes are touched, again and again; 0: no such
  /// pattern, or objects of less than SITE_STRIDE_BYTES.
  uint32_t stride_bytes, stride_used_bytes;
};

/// Start with site_uses_make, end with site_uses_release.
struct site_uses {
  struct site_use *sites; ///< [count] most waste first
  size_t count;
  bool marked;       ///< the program has marks
  uint64_t samples;  ///< 0: none were taken
  double scan_share; ///< of the elapsed time that taking them took; NaN if not known
  /// The program marked in bursts alone, in some of the runs: what was touched at other times isn't
  /// known.
  bool in_bursts;
  uint64_t bursts;    ///< 0: what was touched isn't known at all, if all runs had bursts
  double duty;        ///< share of the time that bursts were to take, at least in one run
  double burst_share; ///< of the elapsed time that they took; NaN if not known
  double burst_ns;    ///< their mean length; NaN without one
  /// Of objects of less than 1 KiB one in so many was looked at, in some of the runs, and stands
  /// for the others; 1: each was.
  uint32_t every;
  /// Loads, stores and copies in the code outside the stack: with marks, and all.
  uint64_t code_marked, code_all, code_straddling;
  /// Of code_marked: in functions with a plain copy; and without effect, as there were bursts and
  /// it was compiled without shadow=bursts.
  uint64_t code_copied, code_unfit;
};

/// Half of the 95 % interval of a number of objects of which one in `every` was looked at.
double site_objects_error(double objects, uint32_t every);

/// profile  merged (records of one site in a row); must outlive the result
void site_uses_make(const struct profile *profile, struct site_uses *out);
void site_uses_release(struct site_uses *uses);

#endif
