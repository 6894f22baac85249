// replay_result.h - what a replay of a struct's visits in two layouts measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_REPLAY_REPLAY_RESULT_H
#define RETICLE_TOOLS_MODEL_REPLAY_REPLAY_RESULT_H

#include "tools/analysis/stats/paired.h"
#include "tools/analysis/struct/struct_advice.h"

struct replay_result {
  const char *structure;
  const char *change;      ///< what was tried, in words
  uint32_t layout;         ///< short hash of it
  struct paired memory;    ///< memory time as written over that changed
  double written_ns;       ///< of memory, a visit: median
  double changed_ns;       ///< the same, changed
  double list_ns;          ///< what going through the list took a visit, which is taken out
  double program_visit_ns; ///< what the program takes for a visit that was timed; NaN: not known
  double program_visit_instructions; ///< the same; NaN: its blocks weren't counted
  double branch_share; ///< of visits that no branch predicts, those that wait for the one before,
                       ///< at most
  uint64_t visits;     ///< timed in each pass
  uint64_t windows;    ///< that they are of
  uint64_t pairs;
  double elements;                     ///< NaN: not known
  uint64_t elements_seen;              ///< different ones that were visited
  double written_bytes, changed_bytes; ///< of memory
  double coverage;     ///< accesses of the struct, by loops whose visits were noted: 0 to 1
  double program_ns;   ///< CPU time of a run, of which the two below are shares; NaN: not known
  double memory_share; ///< of it: the replayed memory time of all visits
  double loops_share;  ///< of it, in code that accesses the struct; NaN: not known
  bool is_least; ///< program_ns is of a build that counts, longer than the program: speedup is less
  struct quantity speedup;     ///< of the program: its time as written over that changed
  enum paired_verdict verdict; ///< on the program; where its gain isn't known, on memory
};

#endif
