// job.h - runs a command that measures or builds: output into a file, times, what it leaves behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_JOB_H
#define RETICLE_TOOLS_RUN_CHILD_JOB_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What came of a command.
struct job {
  int failed;   ///< errno of the start, 0 if it was started
  int stopped;  ///< signal that this process got meanwhile and passed on; 0: none
  int status;   ///< as waitpid gives it
  bool is_late; ///< it was ended as it took longer than allowed
  double wall_s, user_s, system_s; ///< of the command and the children it waited for
  uint64_t max_rss_bytes;          ///< the largest of them
  size_t left;                     ///< processes that it left running; they were ended
};

/// Call once, before the first job: from here on signals that would end this process end the
/// command and are returned in `stopped`.
void job_begin(void);

/// Ends what commands leave behind (daemons, servers) as soon as they are over, in all jobs from
/// here on.
void job_adopt_orphans(void);

/// Runs the command with this process's environment, standard input /dev/null, and waits.
///
/// argv     [..., NULL], argv[0] looked up in PATH
/// log      gets what it writes; its content before goes
/// limit_s  it is ended after so many seconds; 0: never
void job_run(char *const *argv, const char *log, double limit_s, struct job *out);

/// The same with work of this program, in a forked child: what it changes of this process, its
/// environment, signals and memory, it changes for itself, and where it crashes this process goes
/// on.
///
/// work  returns the status that the child exits with, up to 255
void job_call(int (*work)(void *context), void *context, const char *log, struct job *out);

/// Adds the end of a log as lines.
void job_show_log(const char *log, struct problems *problems);

/// What a command of ours said last, as an error, without "reticle: error: "; null: none is near
/// the log's end. To be freed.
char *job_last_error(const char *log);

#endif
