// study_part.h - a study under way has a file of its own, which replaces a finished one when it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   app.reticle.part      under way, or not finished; --resume goes on with it
//   app.reticle           finished, always
//   app.reticle.old       the finished one before
//   app.reticle.part.old  not finished, with runs in it, where a study was begun without --resume
#ifndef RETICLE_TOOLS_STORE_STUDY_PART_H
#define RETICLE_TOOLS_STORE_STUDY_PART_H

#include <stdbool.h>

/// What the functions say starts with the command's name.
struct study_part {
  const char *command;
  struct problems *problems; ///< get them
  const char *path;          ///< of the study when it is finished
  bool has_resume;           ///< the command has --resume
};

/// Path of the file under way. The caller frees it.
char *study_part_path(const char *path);

/// Has the file under way ready to be opened: gone, or, to be resumed, the one that was left or a
/// copy of the finished one. Returns false after saying why not.
///
/// is_copy  out: it is a copy, of which nothing is lost where it isn't gone on with
bool study_part_begin(const struct study_part *part, bool is_resumed, bool *is_copy);

/// Puts the file under way, finished and closed, in the place of the finished one, which becomes
/// the old one. Returns false after saying why not: both are then where they were.
bool study_part_install(const struct study_part *part);

#endif
