// finding_parts.h - who looks for findings: each adds those of one kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_FINDING_PARTS_H
#define RETICLE_TOOLS_MODEL_FINDING_FINDING_PARTS_H

#include "tools/model/finding/finding.h"
#include "tools/model/heat/heat.h"
#include "tools/model/remedy/remedy.h"

/// Of the run's time; what takes less is left to the tables.
#define FINDING_LEAST 0.01
/// Whether an interval holds 0, or its ends differ by more than 4 times: that tells too little to
/// act on.
static inline bool finding_is_open(double low, double high) {
  enum { APART_MOST = 4 };
  return !(low > 0) || high > APART_MOST * low;
}

/// Of the CPU time: places and calls that take less aren't worth one of the few rows.
#define FINDING_HEAT_LEAST 0.05
enum { FINDING_HEAT_MOST = 5 };
/// Of the CPU time: the kernel's part, where it is worth a word.
#define FINDING_KERNEL_LEAST 0.05

/// What the callee's name says; of what is written by stdio also where the time goes: text that
/// goes to new memory, as open_memstream's does, goes to no file, and what would help isn't known.
enum remedy finding_call_remedy(const char *callee, const struct heat_time *time);

/// Loops that run unsteadily, or wait.
void finding_loops_add(const struct measurement *m, struct findings *findings);
/// Loops, and functions without one, that wait for a part of the core.
void finding_stalls_add(const struct measurement *m, struct findings *findings);
/// One in place of those of several loops that waited for a processor.
void finding_loops_fold(struct findings *findings);
/// What was kept from the whole program.
void finding_faults_add(const struct measurement *m, struct findings *findings);
/// What so many faults can have taken of the kernel's time outside of system calls, of which
/// interrupts are a part.
double finding_faults_ns(double sampled_ns, double faults);
/// Adds what was kept from the whole program.
void finding_pressure_add(const struct measurement *m, struct findings *findings);
/// Calls of MPI and barriers of OpenMP that wait long for a rank or thread.
void finding_waits_add(const struct measurement *m, struct findings *findings);
/// Structs whose layout may pay, and what was tried of it.
void finding_layouts_add(const struct measurement *m, struct findings *findings);
/// Allocation sites: false sharing, and bytes that are fetched for nothing.
void finding_sites_add(const struct measurement *m, struct findings *findings);

/// Calls of other code, and of short functions through pointers.
/// Whether what two calls take is told in one row.
bool finding_calls_are_one(const struct heat *heat, const struct heat_call *a,
                           const struct heat_call *b);
void finding_calls_add(const struct measurement *m, struct findings *findings);
/// Hot loops that the vectoriser left as they were.
void finding_vector_add(const struct measurement *m, struct findings *findings);

/// Loops whose work grows.
void finding_growth_add(const struct measurement *m, struct findings *findings);
/// Loops whose accesses go on by a cache line and more: after stalls, whose rows they take.
void finding_strides_add(const struct measurement *m, struct findings *findings);
/// Loops that look for something among many, again and again: after those whose work grows.
void finding_search_add(const struct measurement *m, struct findings *findings);

/// What takes the CPU time, where no other finding says why: after all others.
void finding_heat_add(const struct measurement *m, struct findings *findings);

/// What was tried of the changes that they propose: after all others.
void finding_trials_add(const struct measurement *m, struct findings *findings);
struct program_trials;
/// Of one; a layout that was tried and pays stands in the place of one that was estimated.
void finding_trial_add(const struct measurement *m, const struct program_trials *trials,
                       struct finding *finding);

/// The program's CPU time, where only samples tell it that in user mode; NaN: not known.
double finding_base_ns(const struct measurement *m);
/// Of a loop: of what samples say, or else its executions, of short ones at most; NaN: not known.
/// base: what it is of.
double finding_loop_share(const struct measurement *m, const struct measured_loop *loop,
                          enum finding_base *base);
/// Part of that share that ranks: the middle, where it is an upper bound.
double finding_loop_likely(const struct measurement *m, const struct measured_loop *loop);

/// Whether it says what takes the time, and neither why nor what helps.
bool finding_is_heat(const struct finding *f);
/// Mean of an execution's; NaN: not known.
double finding_iterations(const struct profile_loop *loop);

/// The loop's finding of that code; null: there is none.
struct finding *finding_of_loop(struct findings *findings, const struct measured_loop *loop,
                                enum finding_code code);

/// Stalls of a loop whose work needn't be done: what they may save then isn't known.
void finding_doubt_stalls(const struct measured_loop *loop, struct findings *findings);

/// Function, line, loop and name.
void finding_set_place(const struct heat_place *place, struct finding *finding);
/// The kernel's part of the share; or that it isn't in it.
void finding_add_kernel(const struct heat *heat, const struct heat_time *time, double share,
                        struct text *out);
/// Of a short function: who calls it, with parts of its time.
void finding_add_callers(const struct heat_place *place, struct text *out);
/// The loop, or that which calls it.
void finding_add_context(const struct measurement *m, const struct heat_place *place,
                         struct text *out);

/// Number, name, place and share.
void finding_set_loop(const struct measurement *m, const struct measured_loop *loop,
                      struct finding *finding);
/// A gain that isn't known, which makes the finding a possible one.
///
/// lost  that it can't exceed. All of the time, as of a loop of which only the least is known,
/// bounds
///       nothing
void finding_set_unknown(const char *why, double lost, struct finding *finding);

/// What one of them holds.
void finding_release(struct finding *finding);

/// Holds gains to their places, and marks the possible ones. May be called again.
void findings_limit(struct findings *findings);
/// Sets severities, and puts the findings in the order in which they are shown.
void findings_order(struct findings *findings);

#endif
