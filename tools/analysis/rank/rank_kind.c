// rank_kind.c - of what kind a slow rank is: work, node, memory or code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/rank_parts.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// A core is slow if its additions are, by at least this part of what the loop is slower by.
#define CORE_PART 0.5
/// So many loops, and this share of them, are slower alike if all of the rank is.
#define ALIKE_LOOPS 3
#define ALIKE_SHARE 0.8
/// The largest of them is slower by at most so many times the smallest, as logarithms.
#define ALIKE_FACTOR 2.0
/// Another loop's work explains a loop if it costs at least this part of what the loop does.
#define EXPLAINED_PART 0.5

const char *rank_kind_name(enum rank_kind kind) {
  static const char *const names[RANK_KINDS] = {"work", "node", "memory", "code"};
  return names[kind];
}

static bool is_alike(const struct rank_alike *of) {
  return of->compared >= ALIKE_LOOPS && (double)of->above >= ALIKE_SHARE * (double)of->compared &&
         of->most <= ALIKE_FACTOR * of->least;
}

/// By CPU time of the same iterations.
static enum rank_kind kind_by_cpu(const struct rank_finding *finding, const struct rank_facts *rank,
                                  const struct rank_alike *alike,
                                  const struct outlier_value *core) {
  if (rank->is_odd)
    return RANK_CODE;
  bool is_slow_core = core->is_above && core->above >= CORE_PART * log(finding->factor.value);
  return is_slow_core || is_alike(alike) ? RANK_NODE : RANK_MEMORY;
}

/// Whether more work of a loop inside makes the iterations of this one longer: inner loops' time is
/// in that of the loops around them.
///
/// first  position of the rank's first finding
static bool has_work_inside(const struct rank_judged *judged, size_t first,
                            const struct rank_finding *of) {
  for (size_t i = first; i < judged->count && judged->findings[i].rank == of->rank; i++) {
    const struct rank_finding *other = &judged->findings[i];
    bool is_work = other->factor.value == other->by[RANK_BY_WORK].value;
    if (other->loop != of->loop && is_work &&
        other->excess_ns.value >= EXPLAINED_PART * of->excess_ns.value &&
        judged->loops[other->loop].mean_ns.value <= judged->loops[of->loop].mean_ns.value)
      return true;
  }
  return false;
}

static int by_rank(const void *left, const void *right) {
  const struct rank_finding *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return (a->loop > b->loop) - (a->loop < b->loop);
}

void rank_find_kinds(struct rank_judged *judged, const struct rank_facts *ranks, size_t rank_count,
                     const struct rank_alike *alike) {
  struct outlier_value *cores = memory_zeroed(rank_count + 1, sizeof *cores);
  for (size_t i = 0; i < rank_count; i++)
    cores[i] = (struct outlier_value){.log = log(ranks[i].cycle_ns), .error = 0};
  outliers_find(cores, rank_count, RANK_FAMILY_ERROR, log1p(RANK_RELEVANT / 2));
  if (judged->count)
    qsort(judged->findings, judged->count, sizeof *judged->findings, by_rank);
  for (size_t i = 0, first = 0; i < judged->count; i++) {
    struct rank_finding *finding = &judged->findings[i];
    first = finding->rank == judged->findings[first].rank ? first : i;
    if (finding->kind == RANK_MEMORY)
      finding->kind = has_work_inside(judged, first, finding)
                          ? RANK_WORK
                          : kind_by_cpu(finding, &ranks[finding->rank], &alike[finding->rank],
                                        &cores[finding->rank]);
  }
  free(cores);
}
