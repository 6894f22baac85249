// replay_list.h - the cache lines that a run's visits touch in a layout, as a list to be run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/layout.md.
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_LIST_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_LIST_H

#include "tools/analysis/replay/replay_layout.h"
#include "tools/analysis/struct/visits.h"

/// An entry of the list: number of the line in the replay's memory, and
#define REPLAY_DEPENDENT (1u << 31) ///< waits for the first line of the visit before
#define REPLAY_WRITE (1u << 30)
#define REPLAY_FIRST (1u << 29)  ///< the visit's first line
#define REPLAY_BRANCH (1u << 28) ///< comes behind a branch that isn't predicted
#define REPLAY_LINE (REPLAY_BRANCH - 1)

/// Lines that are touched, untimed, before the windows, at most: more than any cache holds.
#define REPLAY_WARM_MOST 1500000u

struct replay_window {
  size_t first, end; ///< entries
  uint64_t visits;
  size_t warm;   ///< where in `warm` to begin, if it goes round
  double weight; ///< visits of the whole run that a timed visit stands for, on average
};

/// Start with replay_list_make, end with replay_list_release.
struct replay_list {
  uint32_t *entries; ///< [count]
  size_t count;
  struct replay_window *windows; ///< [window_count]
  size_t window_count;
  uint32_t *warm; ///< [warm_count] as the visits touch lines in the long run
  size_t warm_count;
  /// Most visits are of elements in a row, or along a chain that stays: `warm` goes through all of
  /// them, around.
  bool goes_round;
  uint64_t bytes;      ///< of memory that it takes
  uint64_t lead_bytes; ///< of them, in front of the first element
  bool has_writes;
  bool is_array; ///< elements lie in arrays, which begin where in a page they always do
};

/// A pass times one window of each `step` in a row: another one in each row and in each pass, so
/// that all loops and threads of a run that take turns are in a pass.
///
/// Returns a window for row 0, 1, ... of the pass; none where that is no less than window_count.
static inline size_t replay_turn(size_t pass, size_t step, size_t row) {
  return row * step + (row + pass) % step;
}

/// The share of branches that wait with which all ways to other code do, and no end of a loop.
#define REPLAY_WAYS_WAIT 0.5

/// What a list is made from.
struct replay_input {
  const struct visits *visits;
  const double *weights; ///< [visits->place_count] visits of the whole run for one noted
  struct element_count count;
  uint32_t size_bytes; ///< of the struct as written
  /// Of the visits that no branch predicts, those that wait for the element before, 0 to 1: others
  /// wait for data that isn't the struct's.
  double branch_share;
};

/// Returns false where the memory has more lines than an entry can say: only its size is known
/// then.
bool replay_list_make(const struct replay_input *input, const struct replay_layout *layout,
                      struct replay_list *out);
void replay_list_release(struct replay_list *list);

#endif
