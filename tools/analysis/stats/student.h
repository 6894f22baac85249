// student.h - Student's t: the textbook function behind intervals of a few runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_STUDENT_H
#define RETICLE_TOOLS_ANALYSIS_STATS_STUDENT_H

/// Probability that |t| exceeds the value.
///
/// t        >= 0
/// freedom  degrees of freedom, > 0; INFINITY: the normal distribution
double student_tails(double t, double freedom);

/// The t whose two tails hold the probability p: 2.776 for p = 0.05 and 4 degrees of freedom.
///
/// p  above 1e-12, below 1
double student_critical(double p, double freedom);

#endif
