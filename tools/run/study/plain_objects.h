// plain_objects.h - keeps the objects of a folder while builds put Reticle's parts into them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files, archives and LLVM bitcode below the current folder. They are kept in
// PLAIN_OBJECTS_FOLDER, by the same paths and .kept, and outlive a kill there: the next study puts
// them back.
#ifndef RETICLE_TOOLS_RUN_STUDY_PLAIN_OBJECTS_H
#define RETICLE_TOOLS_RUN_STUDY_PLAIN_OBJECTS_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <time.h>

#define PLAIN_OBJECTS_FOLDER ".reticle-objects"

/// Copies those that have no parts of Reticle and were written since. Returns false after saying
/// why it can't; nothing is kept then.
///
/// command  whose messages these are
bool plain_objects_keep(const char *command, const struct timespec *since,
                        struct problems *problems);

/// Puts each back that has parts of Reticle now, with its time; the others are as their owner has
/// made them. Nothing is kept then; what can't be put back stays, and is named. Returns whether all
/// was.
bool plain_objects_put_back(const char *command, struct problems *problems);

/// Says by name which objects and programs, written since, have parts of Reticle.
void plain_objects_check(const char *command, const struct timespec *since,
                         struct problems *problems);

#endif
