// loop_cause.h - the part of a loop's card that says why: stall cause, its data, what to try.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_CAUSE_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_CAUSE_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/struct/known_trial.h"
#include "tools/support/text.h"

/// What the features know of one loop's cause.
struct loop_cause {
  const struct measured_block *hottest; ///< of its blocks; null: none was measured
  struct stall_tally tally;             ///< of its measured blocks, ns; time 0: not known
  const char *no_stall_causes;          ///< why; null where they are known
  struct loop_struct {
    size_t rank; ///< 1 for S1
    const struct struct_use *use;
    uint64_t accesses;      ///< of this loop
    char fields[96];        ///< most accessed first
    struct quantity useful; ///< share of the bytes of fetched lines
    bool is_parts;          ///< the advice is none that a what-if can measure
    struct text advice;     ///< borrowed, as all of struct_summary.h
    struct quantity gain;
    struct text order;
    struct quantity order_gain;
    uint32_t layout; ///< short hash of that order; 0: none
    struct known_trial trial;
  } *structs; ///< [struct_count] most accesses first
  size_t struct_count;
};

const struct loop_cause *loop_cause_get(const struct measurement *m,
                                        const struct measured_loop *loop);

/// The change to try, by what the stall cause and the structs say; and the command. Returns the
/// rank of the struct whose layout it changes, 0 if it is none.
size_t loop_cause_change(const struct measurement *m, const struct measured_loop *loop,
                         const struct loop_cause *cause, struct text *out);

#endif
