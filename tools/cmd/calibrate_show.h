// calibrate_show.h - what reticle calibrate found: as text, JSON and a picture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_CALIBRATE_SHOW_H
#define RETICLE_TOOLS_CMD_CALIBRATE_SHOW_H

#include "tools/cmd/calibrate_run.h"
#include "tools/ui/terminal.h"

#include <stdio.h>

/// Where the floor went.
struct calibrate_stored {
  const char *path;   ///< null: it was not stored
  const char *reason; ///< why not
};

void calibrate_text(const struct calibration *calibration, const struct calibrate_stored *stored,
                    const struct terminal *terminal, struct text *out);

/// Writes schema reticle-calibrate/1 (docs/schema/calibrate.json). Returns false if the stream took
/// not all of it.
bool calibrate_json(const struct calibration *calibration, const struct calibrate_stored *stored,
                    FILE *stream);

/// Cumulative distributions of measured less expected, a panel for each flush size. Returns 0 or an
/// errno.
int calibrate_plot(const struct calibration *calibration, const char *path);

/// The row that the runtime's floor comes from, and PAPI's.
static inline const struct calibrate_cell *calibrate_ours(const struct calibrate_flush *flush) {
  return &flush->cells[HARNESS_TIMER_PROBE];
}
static inline const struct calibrate_cell *calibrate_papi(const struct calibrate_flush *flush) {
  return &flush->cells[HARNESS_TIMER_PAPI];
}

#endif
