// progress.h - a line of progress on a terminal, while many things are done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_PROGRESS_H
#define RETICLE_TOOLS_UI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/// Start with progress_begin.
struct progress {
  const char *what;
  size_t first, done, all; ///< there already, those included, to be done
  double start_s, last_s;
  bool is_shown;
};

/// what  in front of the bar: "block"; borrowed
void progress_begin(struct progress *progress, const char *what, size_t first, size_t all);
/// One more is done.
void progress_step(struct progress *progress);
/// Takes the line away.
void progress_end(const struct progress *progress);

#endif
