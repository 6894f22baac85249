// study_processes.h - the profiles of a run's processes in the file of a study, each by itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_STUDY_PROCESSES_H
#define RETICLE_TOOLS_STORE_STUDY_PROCESSES_H

#include "tools/profile/profile.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>

/// One process's profile.
///
/// name  the study and the profile's number in it; good during the call
///
/// Returns false to end.
typedef bool study_process_visit(void *context, const struct profile *profile, const char *name);

/// Visits the profiles that the last run of the timing build left, or of FILE@BUILD, one after the
/// other. Returns false after saying why it can't, or where a visit did.
bool study_processes_visit(const char *operand, study_process_visit *visit, void *context,
                           struct problems *problems);

/// Writes profiles into a new study: as what one run left. The file is there as a whole, or not at
/// all.
///
/// paths  [count]
///
/// Returns false after saying why it can't.
bool study_processes_save(const char *path, char *const *paths, size_t count,
                          struct problems *problems);

#endif
