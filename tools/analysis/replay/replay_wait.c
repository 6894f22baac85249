// replay_wait.c - three answers to what isn't measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_wait.h"

#include <math.h>

void replay_wait_find(double program_ns, double memory_ns, double list_ns, double compute_ns,
                      double hidden_ns, double *waits) {
  double beside = fmax(program_ns - compute_ns, 0);
  waits[REPLAY_WAIT_LEAST] = fmin(memory_ns, fmin(beside, fmax(program_ns - list_ns, 0)));
  waits[REPLAY_WAIT_LIKELY] = fmin(fmin(memory_ns + hidden_ns, 2 * memory_ns), beside);
  waits[REPLAY_WAIT_MOST] = fmin(2 * memory_ns, program_ns);
}
