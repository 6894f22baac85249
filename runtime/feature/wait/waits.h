// waits.h - waits in MPI and OpenMP that a preloaded library counts, as records of the profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/decisions/0050. Needs the drain lock, but for the entry point of include/reticle/waits.h.
#ifndef RETICLE_RUNTIME_FEATURE_WAIT_WAITS_H
#define RETICLE_RUNTIME_FEATURE_WAIT_WAITS_H

#include "include/reticle/abi.h"

/// Takes over what there is now; names the places of new call sites. Returns 0 if there is nothing.
///
/// env  of this checkpoint: whose waits they are
int rrt_waits_read(const struct reticle_file_env *env);

/// What was taken over, record by record.
void rrt_waits_visit_sources(void (*visit)(const struct reticle_file_waitsource *));
void rrt_waits_visit(void (*visit)(const struct reticle_file_wait *));
void rrt_waits_visit_peers(void (*visit)(const struct reticle_file_waitpeer *));
void rrt_waits_visit_arrivals(void (*visit)(const struct reticle_file_arrival *));

#endif
