// output_numbers.h - by how much the numbers in two outputs of a program differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TRIAL_OUTPUT_NUMBERS_H
#define RETICLE_TOOLS_ANALYSIS_TRIAL_OUTPUT_NUMBERS_H

/// The largest difference of two numbers at the same place of the texts, over the larger one's
/// size; 0: none. INFINITY where something else than digits of decimal numbers differs.
double output_numbers_differ(const char *a, const char *b);

#endif
