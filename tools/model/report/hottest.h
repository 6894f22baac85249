// hottest.h - what takes most of the CPU time: functions and loops by samples, or else loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_REPORT_HOTTEST_H
#define RETICLE_TOOLS_MODEL_REPORT_HOTTEST_H

#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_told.h"

enum hottest_kind {
  HOTTEST_PLACES,  ///< by samples, of which there are enough
  HOTTEST_LOOPS,   ///< by what their executions took, with what they call
  HOTTEST_ENTERED, ///< loops in a report's order, as no share is known
  HOTTEST_NOTHING,
};

struct hottest_row {
  struct told share;
  const struct heat_place *place;   ///< null of HOTTEST_LOOPS and HOTTEST_ENTERED
  const struct measured_loop *loop; ///< null: a place in none
};

/// Samples, as loops need executions for a verdict.
enum { HOTTEST_MOST = 64, HOTTEST_SAMPLES = 100 };

struct hottest {
  enum hottest_kind kind;
  struct hottest_row rows[HOTTEST_MOST]; ///< [count] largest share first
  size_t count;
};

/// Of what takes less than 1 % the first one alone; of loops none that does little but run another
/// one, and none for its iterations.
///
/// most     rows, HOTTEST_MOST at most
/// samples  so many are enough
void hottest_find(const struct measurement *m, size_t most, uint64_t samples, struct hottest *out);

/// Function, or what the loop is called, and "reverb.c:47"; both are added to.
void hottest_name(const struct hottest_row *row, struct text *name, struct text *where);

/// What the rows are and their shares are of: "of the CPU time, with what is called outside of the
/// program".
const char *hottest_words(const struct measurement *m, enum hottest_kind kind);

/// The first loop of the rows, rather one with a median, as what is known of one execution stands
/// in its row; null: none.
const struct measured_loop *hottest_loop(const struct hottest *hottest);

#endif
