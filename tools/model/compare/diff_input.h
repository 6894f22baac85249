// diff_input.h - the profiles of `reticle diff`, read, merged by side and compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_DIFF_INPUT_H
#define RETICLE_TOOLS_MODEL_COMPARE_DIFF_INPUT_H

#include "tools/analysis/compare/diff.h"
#include "tools/analysis/run/overview.h"
#include "tools/store/floor_find.h"
#include "tools/store/input.h"
#include "tools/support/notes.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

struct diff_fleet;

struct compared_side {
  struct input *runs; ///< [count] one file each, its copies of a loop merged
  size_t count;
  struct study_input **studies; ///< [study_count] that hold some of the runs and their programs
  size_t study_count;
  const struct profile **profiles; ///< [count] of the runs
  struct profile merged;           ///< all of them
  struct timing_floor floor;
  enum floor_source floor_source;
  struct overview overview; ///< of merged
  struct diff_fleet *fleet; ///< the runs are of a database, without samples; null: files
};

/// Start with comparison_load, end with comparison_release.
struct comparison {
  struct compared_side a, b;
  struct diff diff;
  struct notes notes;
  bool same_machine; ///< processor model and hypervisor of all runs
};

/// Reads the files, or the runs of a database, of both sides and compares them; may measure this
/// machine's floor, once in its life.
///
/// a, b         [count_a], [count_b], one or more each
/// error_parts  1, or more where runs still come in: see diff_compare
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why, among others when nothing was
/// compiled or run in common; `out` can be released in any case.
int comparison_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                    size_t error_parts, struct comparison *out, struct problems *problems);

/// As comparison_load, also where no loop is in common: of builds that are known to be of one
/// program.
int comparison_load_any(char *const *a, size_t count_a, char *const *b, size_t count_b,
                        size_t error_parts, struct comparison *out, struct problems *problems);

/// As comparison_load, without comparing loops: for what else there is in the profiles.
int comparison_read(char *const *a, size_t count_a, char *const *b, size_t count_b,
                    struct comparison *out, struct problems *problems);

/// Where a program of a side's studies can be read: a program_files_kept.
///
/// side  a struct compared_side
const char *comparison_program(void *side, const char *path, const char *build_id);

/// Adds " FILE" for each operand of the side; of several studies the first, as other commands take
/// one.
void comparison_add_operands(const struct compared_side *side, struct text *command);

/// How often runs of each side were taken anew.
void comparison_turns(const struct comparison *comparison, struct diff_design *design);
void comparison_release(struct comparison *comparison);

#endif
