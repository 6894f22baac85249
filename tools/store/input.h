// input.h - which profile files a command works on, and reading them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_INPUT_H
#define RETICLE_TOOLS_STORE_INPUT_H

#include "tools/profile/profile.h"
#include "tools/store/study/study_input.h"
#include "tools/support/notes.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How the process of a profile ended, as far as one can tell now.
enum ending {
  ENDING_EXIT,
  ENDING_EPOCH, ///< closed epochs alone: how the run ended is in its own file
  ENDING__EXIT,
  ENDING_ABORT,
  ENDING_EXEC,
  ENDING_RUNNING, ///< the process still lives
  ENDING_KILLED,  ///< it is gone and did not end by itself: killed, or it crashed
  ENDING_UNKNOWN, ///< the last file is a checkpoint, and the process was on another machine
};

/// Profiles, read and merged. Start with input_read, end with input_release.
struct input {
  char **paths; ///< [count] files read
  size_t count;
  size_t candidates; ///< profiles in the directory, when the newest was chosen; else 0
  struct profile profile;
  enum ending ending;        ///< the least regular one of all files
  struct study_input *study; ///< the profile's owner where it is a study's; else null
  const char *counts;        ///< profile whose counts were laid over this one, or null; not owned
};

/// Reads the files, or one study; without any, the newest "reticle.*.prof" of the current
/// directory.
///
/// notes  gets what is to be known about the files: still running, killed, merged from different
///        executables
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why; `out` can be released in any case.
int input_read(char *const *paths, size_t count, struct input *out, struct notes *notes,
               struct problems *problems);
/// As input_read of one file, but only what was done since an earlier checkpoint of the same run.
///
/// earlier  a copy of the file as it was then
int input_read_interval(const char *earlier, const char *path, struct input *out,
                        struct notes *notes, struct problems *problems);
void input_release(struct input *input);

/// Where a file of the program can be read, if the input keeps it: see study_input_program.
///
/// input  a struct input
const char *input_program(void *input, const char *path, const char *build_id);

/// Whether input_read would find a file by itself.
bool input_newest_exists(void);

/// "exit", "_exit", "abort", "exec", "running", "killed" or "unknown".
const char *ending_name(enum ending ending);

/// The files' names as one would type them behind a command.
struct text;
void input_add_operands(const struct input *input, struct text *out);
#endif
