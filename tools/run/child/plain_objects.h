// plain_objects.h - keeps the objects of a folder while builds put Reticle's parts into them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files, archives and LLVM bitcode below the current folder, and programs where they are
// asked for. They are kept in PLAIN_OBJECTS_FOLDER, by the same paths and .kept, and outlive a kill
// there: the next command that builds puts them back.
#ifndef RETICLE_TOOLS_RUN_CHILD_PLAIN_OBJECTS_H
#define RETICLE_TOOLS_RUN_CHILD_PLAIN_OBJECTS_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <time.h>

#define PLAIN_OBJECTS_FOLDER ".reticle-objects"

/// What is kept of a folder.
struct plain_objects {
  const char *command;    ///< whose messages these are
  struct timespec since;  ///< what was written since then; 0: whatever is there
  bool has_programs;      ///< programs, too: no plain build will be there to be put in place
  bool has_instrumented;  ///< what has parts of Reticle, too: its owner wants them
  struct timespec builds; ///< when the builds began; set by plain_objects_keep
};

/// Copies them, before the first build. Returns false after saying why it can't; nothing is kept
/// then.
bool plain_objects_keep(struct plain_objects *wish, struct problems *problems);

/// Puts each back that has parts of Reticle now, or clang's counters of lines, with its time; the
/// others are as their owner has made them. Nothing is kept then; what can't be put back stays, and
/// is named. Returns whether all was.
bool plain_objects_put_back(const char *command, struct problems *problems);

/// Says by name which objects and programs, written by the builds, have parts of Reticle.
///
/// remedy  what to do with them, behind "remove them "
void plain_objects_check(const struct plain_objects *kept, const char *remedy,
                         struct problems *problems);

#endif
