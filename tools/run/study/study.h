// study.h - builds a program once for each question, runs the builds in turn, keeps what they say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_STUDY_STUDY_H
#define RETICLE_TOOLS_RUN_STUDY_STUDY_H

#include "tools/run/child/job.h"
#include "tools/run/child/plain_objects.h"
#include "tools/store/study/study_file.h"
#include "tools/support/text.h"

/// What a build is for.
struct study_role {
  const char *name;
  const char *features; ///< compiled in; null: a plain compiler
  const char *options;  ///< of its runs, for RETICLE_OPTIONS
  const char *question; ///< that it answers, for people
  bool is_repeated;     ///< runs in every round; else once
  bool has_coverage;    ///< the plain compiler counts lines: clang's own coverage
  unsigned placement;   ///< which other places functions stand at; 0: the compiler's own
  unsigned plain_runs;  ///< as many as a run of it takes, where that counts: it isn't repeated
  bool has_copies;      ///< of the loops in study.bounds
  bool is_trial;        ///< nothing is measured in it: it may be the plain program
};

#define STUDY_ROLES 4
#define STUDY_TIMING 1
#define STUDY_BOUND 3
/// "plain" first: it is the reference. "timing" second: everything else is laid on its code.
/// "bound" behind those that say which loops are hot.
extern const struct study_role study_roles[STUDY_ROLES];

struct study_settings {
  struct problems *problems; ///< get what is to be told, notes of what is being done as well
  const char *command;       ///< "study": of the command whose messages these are
  const char *path;          ///< of the study's file when it is finished
  const char *build; ///< shell command; null: the command builds and runs, or is built already
  char *const *argv; ///< the program and its arguments
  unsigned only;     ///< builds: bit n for study_roles[n]; 0: all
  double limit_s;    ///< for runs and trials, not for builds; 0: none
  /// Measures so many of a profile's hottest blocks, keeps them in it and prints what came of each.
  /// Returns 0 or 1, or more where it couldn't. Null: study_prove leaves them out.
  int (*measure_blocks)(const char *path, uint64_t most);
  bool has_resume;      ///< the command has --resume
  bool allows_rounding; ///< changes are tried by which results are rounded otherwise
  bool may_be_same;     ///< two builds may be the same programs
  bool is_resumed;
};

/// A study at work. Start with study_open, end with study_close.
struct study {
  const struct study_settings *settings;
  struct study_file file;
  char *path;                    ///< where the file is: study_part.h's until it is finished
  char *directory;               ///< for logs and profiles as they come
  char *compiler, *compiler_cxx; ///< paths of the programs beside this one
  char *include;                 ///< the folder with reticle.h
  double began_s;                ///< monotonic
  double runs_s;                 ///< that runs and trials took so far
  double builds_s;               ///< that builds took so far
  double run_limit_s;            ///< what a run may take, whatever settings->limit_s says; 0: that
  bool is_threaded; ///< the program may start threads: the build of counts tells them apart
  int64_t current;  ///< the build whose programs are in place; 0: not known
  bool is_stripped, is_unlabelled; ///< what its programs are, which was said
  bool has_objects;                ///< plain objects are kept
  struct plain_objects objects;    ///< .since: when the plain build was begun; 0: none was
  bool is_instrumented;            ///< the program as it is, without a build command
  char *gates;  ///< list of loops that the timing build leaves without gates; null: none
  char *bounds; ///< list of loops that the build 'bound' has copies of; null: none
};

/// Opens the file and says what will be done. Returns PROBLEM_NONE, or another kind after saying
/// why.
int study_open(const struct study_settings *settings, struct study *out);
void study_close(struct study *study);

/// Makes all builds and runs that the file lacks. Returns PROBLEM_NONE; PROBLEM_UNREADABLE after
/// saying what failed; 128 + signal where it was interrupted: what is done is kept.
int study_measure(struct study *study);

/// Measures the hottest blocks of the timed build in isolation, and tries the layouts of structs
/// that may pay most, each in a process of its own. The file is closed meanwhile. As study_measure.
int study_prove(struct study *study, size_t trials);

/// Tries changes of the program, its environment and its flags, by runs with and without each, and
/// keeps what they took in the file. As study_measure.
int study_trials_make(struct study *study);

/// Whether it is a program, not a script that may build one.
bool study_is_built(const char *program);

/// Whether any build is in the file, so that there is something to go on with.
bool study_has_builds(struct study *study);

/// Marks the study as whole, closes its file and puts it in the place of a finished one. It then
/// needs no other beside it. False after saying why not.
bool study_finish(struct study *study);

/// Whether a role is asked for.
bool study_has_role(const struct study_settings *settings, size_t role);
/// Seconds since study_open.
double study_elapsed_s(const struct study *study);
/// The number that an SQL query gives, as of seconds that runs took; 0: none.
double study_seconds(struct study *study, const char *query);
/// Wall-clock seconds of a plain run; 0: there was none.
double study_plain_s(struct study *study);

// --- its parts ---

/// Behind the first round: where gates of loops that are over in some tens of ns slow the timing
/// build down, its list gets them, and the build is taken back, to be made anew. As study_measure.
int study_gates_choose(struct study *study);
/// Writes the list that was chosen, if any was. False after saying why it can't.
bool study_gates_read(struct study *study);

/// Where builds that time have run: chooses the loops that the build 'bound' is to have copies of,
/// if that wasn't done. study->bounds stays null where there are none. As study_measure.
int study_bounds_choose(struct study *study);
/// Keeps `list` in a file of that name in study->directory; an empty one in none. *path gets its
/// path, null without one. False after saying why it can't.
bool study_list_write(const struct study *study, const char *name, const char *list, char **path);

/// Before the first build that isn't plain: objects of the plain one, or all that are there. False
/// after saying why they can't be kept.
bool study_objects_keep(struct study *study);
/// Sets the environment of a build, or of a run, of the role.
void study_environment(const struct study *study, const struct study_role *role,
                       const char *options);
/// Builds, and takes the programs that were written into the file. As study_measure.
int study_build_make(struct study *study, const struct study_role *role);
/// Puts the programs of a build where they were built. False after saying why it can't.
bool study_build_place(struct study *study, int64_t build);
/// Whether a program that was built before names pthread_create.
bool study_build_has_threads(struct study *study);
/// Adds what a run printed into the log, as far as it is kept, and returns the hash of all of it.
uint64_t study_output_read(const char *log, struct text *out);
/// Runs the build and takes what it leaves. As study_measure.
int study_run_make(struct study *study, const struct study_role *role, unsigned round);

#endif
