// gate_choice.c - the shortest loops first, until what is left is cheap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/analysis/run/gate_choice.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// A gate that takes less of the CPU time than this part of the budget is no reason to know less.
#define NEXT_TO_NOTHING 0.01

static double cost_ns(const struct gate_use *use) { return (double)use->executions * GATE_COST_NS; }

static int by_duration(const void *a, const void *b, void *context) {
  const struct gate_use *uses = context;
  const struct gate_use *x = &uses[*(const size_t *)a], *y = &uses[*(const size_t *)b];
  if (x->duration_ns != y->duration_ns)
    return x->duration_ns < y->duration_ns ? -1 : 1;
  return x->executions > y->executions ? -1 : x->executions < y->executions;
}

struct gate_choice gate_choose(const struct gate_use *uses, size_t count, double cpu_ns,
                               double budget, bool *out) {
  struct gate_choice choice = {0};
  size_t *order = memory_zeroed(count, sizeof *order), candidates = 0;
  double kept_ns = 0, left_ns = 0;
  for (size_t i = 0; i < count; i++) {
    out[i] = false;
    choice.executions += uses[i].executions;
    kept_ns += cost_ns(&uses[i]);
    bool is_short = !isnan(uses[i].duration_ns) && uses[i].duration_ns * budget < GATE_COST_NS;
    bool costs = cost_ns(&uses[i]) >= NEXT_TO_NOTHING * budget * cpu_ns;
    if (is_short && costs && !uses[i].is_needed)
      order[candidates++] = i;
  }
  choice.share = kept_ns / cpu_ns;
  qsort_r(order, candidates, sizeof *order, by_duration, (void *)(uintptr_t)uses);
  for (size_t i = 0; i < candidates && kept_ns - left_ns > budget * cpu_ns; i++) {
    out[order[i]] = true;
    left_ns += cost_ns(&uses[order[i]]);
    choice.left_executions += uses[order[i]].executions;
    choice.count++;
  }
  choice.left_share = left_ns / cpu_ns;
  free(order);
  return choice;
}
