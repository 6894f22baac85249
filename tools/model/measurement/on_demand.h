// on_demand.h - what a section of a report is made of, made once when it is first asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_MEASUREMENT_ON_DEMAND_H
#define RETICLE_TOOLS_MODEL_MEASUREMENT_ON_DEMAND_H

#include "tools/analysis/loop/slow_cause.h"
#include "tools/model/block/function_code.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/model/measurement/measurement.h"
#include "tools/model/rank/waits.h"
#include "tools/model/sample/call_tree.h"
#include "tools/model/stall/stalls.h"
#include "tools/model/struct/field_time.h"
#include "tools/model/study/study_view.h"
#include "tools/model/topdown/topdown_view.h"

/// All live as long as the measurement.
const struct stalls *stalls_get(const struct measurement *m);
const struct field_times *field_times_get(const struct measurement *m);
const struct call_tree *call_tree_get(const struct measurement *m);
const struct waits *waits_get(const struct measurement *m);
const struct topdown_view *topdown_view_get(const struct measurement *m);
/// m  of a study
const struct study_view *study_view_get(const struct measurement *m);
/// loop  one of m->loops
const struct loop_cause *loop_cause_get(const struct measurement *m,
                                        const struct measured_loop *loop);
const struct loop_sites *loop_sites_get(const struct measurement *m,
                                        const struct measured_loop *loop);

const struct slow_causes *slow_causes_get(const struct measurement *m,
                                          const struct measured_loop *loop);

/// function  one of m->samples.functions
const struct function_code *function_code_get(const struct measurement *m,
                                              const struct sampled_function *function);

/// For measurement_load and measurement_release. loop_count: of the measurement
struct on_demand *on_demand_new(size_t loop_count);
void on_demand_free(struct on_demand *on_demand, size_t loop_count);

#endif
