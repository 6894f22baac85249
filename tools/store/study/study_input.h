// study_input.h - what a study says, as a profile; and the programs that were built for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_STUDY_INPUT_H
#define RETICLE_TOOLS_STORE_STUDY_INPUT_H

#include "tools/profile/profile.h"
#include "tools/store/study/study_file.h"
#include "tools/support/problem.h"

/// An opened study. Start with study_input_open, end with study_input_close.
struct study_input;

/// Whether an operand names a study: a file, FILE@BUILD, or FILE@PROGRAM of a study whose runs left
/// profiles of several programs.
bool study_input_is(const char *operand);

/// Opens it. Returns null after saying why it can't.
struct study_input *study_input_open(const char *operand, struct problems *problems);
void study_input_close(struct study_input *input);

/// Path of the program that is looked at: the one named, else that which took most CPU time.
const char *study_input_executable(const struct study_input *input);

/// The runs of its timing build with what the other builds counted; of FILE@BUILD, that build's
/// alone. The profile belongs to the input.
///
/// Returns null after saying why there is none.
struct profile *study_input_profile(struct study_input *input);

/// The runs of the build that counts, as a profile; null if there are none. After
/// study_input_profile.
const struct profile *study_input_counts(const struct study_input *input);

/// CPU time of a run of the plain build over one of the timing build's, or of FILE@BUILD's; NaN:
/// there are no runs of one.
double study_input_plain_ratio(const struct study_input *input);

/// CPU time of the plain build's fastest and slowest run over their mean; unchanged if there are
/// none.
void study_input_plain_range(const struct study_input *input, double *fastest, double *slowest);

/// Where a program of the study can be read now: the one with the build id, or, where that is null
/// or unknown, the one that the timed build wrote to the path. Null: the study has none such. The
/// path is good as long as the input.
const char *study_input_program(struct study_input *input, const char *path, const char *build_id);

struct study_file *study_input_file(struct study_input *input);

/// Copies of the profiles of the timing build's runs, or of FILE@BUILD's, one for each process of
/// the program that is looked at.
///
/// out  gets [result], each to be released, and the array to be freed
size_t study_input_processes(struct study_input *input, struct profile **out);

/// Copies of the profiles of the timing build's runs, or of FILE@BUILD's, one a run, merged where a
/// run left several.
///
/// out  gets [result], each to be released, and the array to be freed
///
/// Returns 0 where there are none, and after saying why they can't be read.
size_t study_input_runs(struct study_input *input, struct profile **out);

#endif
