// study_file.h - the file of a study: its builds, their programs, runs and profiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A SQLite database; docs/study_file.md has its tables. Functions that write say what failed
// once; the file then holds what was whole before.
#ifndef RETICLE_TOOLS_STORE_STUDY_FILE_H
#define RETICLE_TOOLS_STORE_STUDY_FILE_H

#include "tools/profile/profile.h"
#include "tools/store/database.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Version of the tables. Later ones read earlier files.
#define STUDY_VERSION 1

struct study_file {
  struct database *database;
  char *path;
  int lock;                  ///< descriptor that keeps other writers away; -1: opened to be read
  bool has_said;             ///< what failed
  struct problems *problems; ///< get what fails; they outlive the file
};

/// Whether the path is a regular file that starts as SQLite's do.
bool study_file_is(const char *path);

/// Opens a study to be read. Returns false after saying why it can't.
bool study_file_read(const char *path, struct study_file *out, struct problems *problems);
/// Opens it to be written, creating it where it isn't there; while it is open no other process
/// can. Returns false after saying why it can't.
bool study_file_write(const char *path, struct study_file *out, struct problems *problems);
void study_file_close(struct study_file *study);

/// Makes the file one that needs no other beside it, and that can be read where nothing can be
/// written.
bool study_file_finish(struct study_file *study);

/// False, after saying why, where a call has failed so far.
bool study_file_is_fine(struct study_file *study);
/// What is written between these two is in the file as a whole, or not at all.
bool study_file_begin(struct study_file *study);
bool study_file_commit(struct study_file *study);

/// A fact of the study, by name; "" where it has none. The caller frees the value.
char *study_fact(struct study_file *study, const char *name);
bool study_fact_set(struct study_file *study, const char *name, const char *value);

/// A build.
struct study_build {
  int64_t id;
  const char *name;     ///< "plain", "timing", "counts"
  const char *features; ///< compiled in; "" for none
  const char *command;
  double started_s; ///< seconds since 1970
  double wall_s;
};

/// Number of a build; 0: there is none of that name.
int64_t study_build_find(struct study_file *study, const char *name);
/// Adds a build, in place of one of that name and of its runs. Returns its number.
int64_t study_build_add(struct study_file *study, const struct study_build *build);

/// Adds a file that a build has written.
///
/// build_id  in hex; "" if it has none
bool study_program_add(struct study_file *study, int64_t build, const char *path,
                       const char *build_id, unsigned mode, const void *bytes, size_t count);

/// A run of a build.
struct study_run {
  int64_t build;
  unsigned round; ///< from 1
  double started_s, wall_s, user_s, system_s;
  uint64_t max_rss_bytes;
  int status;            ///< as waitpid gives it
  uint64_t output_hash;  ///< of what it printed
  uint64_t output_bytes; ///< the same in full
  const void *output;    ///< [output_kept] its start
  size_t output_kept;
};

/// Adds a run; returns its number.
int64_t study_run_add(struct study_file *study, const struct study_run *run);
/// Runs that a build has.
unsigned study_run_count(struct study_file *study, int64_t build);

/// Adds a profile that a run has left.
bool study_profile_add(struct study_file *study, int64_t run, const char *executable, double cpu_s,
                       const void *bytes, size_t count);
/// Replaces its content.
bool study_profile_set(struct study_file *study, int64_t profile, const void *bytes, size_t count);

/// Bytes of a column pair (packed, count before) of the statement's row; null if it is damaged, or
/// more than the statement may unpack, which study_file_is_fine says. The caller frees them.
unsigned char *study_unpack(struct statement *statement, int packed, int count, size_t *got);

/// The profile of a row that starts with its columns deflated and bytes. Returns false after saying
/// why it can't be read.
///
/// name  what messages call it
bool study_profile_read(struct study_file *study, struct statement *row, const char *name,
                        struct profile *out);

#endif
