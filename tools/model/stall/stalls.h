// stalls.h - where a run's CPU time went: the tally of all its blocks, and the largest stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STALL_STALLS_H
#define RETICLE_TOOLS_MODEL_STALL_STALLS_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/stall/stall_tally.h"

#define STALLS_MOST 100

/// An instruction that the processor waited for.
struct stall_row {
  const struct sampled_function *function;
  uint64_t address;
  char text[96];  ///< of the instruction
  char place[96]; ///< "app.c:12", "" if unknown
  double time_ns; ///< of the stall
  double cycles;  ///< of an execution of its block
  uint32_t suspects;
};

enum { STALL_OTHERS = 7 };

struct stalls {
  const char *missing;      ///< why there are none; null where there are some
  struct stall_tally tally; ///< ns
  struct stall_other others[STALL_OTHERS];
  struct stall_row rows[STALLS_MOST]; ///< [count] largest first
  size_t count;
  /// [samples.function_count] CPU time of each sampled function that may have been waiting for
  /// memory, ns: no layout of data saves more. All of its time where its stalls aren't known.
  double *memory_ns;
};

/// Reads the code of all functions with samples in files that count their blocks.
const struct stalls *stalls_get(const struct measurement *m);

#endif
