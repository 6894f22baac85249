// study_trials.h - what was tried of a program: each change, and the pairs of runs with and without
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_STUDY_TRIALS_H
#define RETICLE_TOOLS_STORE_STUDY_TRIALS_H

#include "tools/store/study/study_file.h"

/// A change of the program's environment, flags or loops, or of several of them.
struct study_trial {
  int64_t id;
  const char *form;        ///< trial_form.def; "same": none, "together": several
  const char *setting;     ///< of the form: "16"
  const char *loop;        ///< 16 hex digits; "" for the whole program
  const char *finding;     ///< code of what asked for it; "" for nothing
  const char *environment; ///< NAME=VALUE, with blanks; "" for none
  const char *flags;       ///< of the compiler, with blanks; "" for none
  const char *list;        ///< lines for the option forms=; "" for none
  const char *reason;      ///< why it was not tried to the end; "" where it was
  double difference;       ///< of numbers that it prints, over their size; NaN: none
  const char *lines;       ///< of the source, where it was made, with blanks; "": not known
};

/// A run without the change, and one with it.
struct study_pair {
  unsigned stage; ///< 1: screened, 2: confirmed, by fresh runs
  unsigned pair;  ///< from 1 in each stage
  unsigned build; ///< from 0; pairs of one build have their functions at the same places
  double plain_cpu_s, changed_cpu_s;
  double plain_wall_s, changed_wall_s;
  uint64_t plain_rss_bytes, changed_rss_bytes; ///< most resident memory
};

/// What one run says of a form that a loop was in at random, and of the loop as it was otherwise:
/// of executions of like trip counts (tools/analysis/trial/copy_times.h).
struct study_copy {
  const char *loop; ///< 16 hex digits: that stands several times, the trial's or one around it
  unsigned run;     ///< from 1
  unsigned build;   ///< from 0, as of pairs
  unsigned bin;     ///< trip counts from 2^bin on; 64: not known
  double work;      ///< iterations in the run; executions where trip counts aren't known
  double plain_ns, changed_ns; ///< of one
};

/// Takes all trials away, and makes room where the file is of a version without.
bool study_trials_begin(struct study_file *study);
/// Whether its tables are as they were made; false is a failure of the database.
bool study_trials_check(struct study_file *study);
/// Whether a study has a list of trials, which may be empty.
bool study_trials_are(struct study_file *study);
/// Returns its number.
int64_t study_trial_add(struct study_file *study, const struct study_trial *trial);
bool study_trial_end(struct study_file *study, int64_t trial, const char *reason);
/// The largest so far.
bool study_trial_differs(struct study_file *study, int64_t trial, double difference);
/// Where it was made.
bool study_trial_made(struct study_file *study, int64_t trial, const char *lines);
bool study_pair_add(struct study_file *study, int64_t trial, const struct study_pair *pair);
bool study_copy_add(struct study_file *study, int64_t trial, const struct study_copy *copy);

/// Who is called with what was tried.
struct study_trials_reader {
  void *context;
  void (*take)(void *context, const struct study_trial *trial);
  void (*take_pair)(void *context, const struct study_pair *pair);
  void (*take_copy)(void *context, const struct study_copy *copy);
};

/// Calls take for each, in the order of their numbers; then, of each, those of its pairs, and of
/// its copies by run.
void study_trials_read(struct study_file *study, const struct study_trials_reader *reader);

#endif
