// merge_facts.c - puts executions with facts of several profiles together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_processes.h"

#include <stdlib.h>
#include <string.h>

/// By loop, the slowest first; whatever the order of the inputs.
static int compare(const void *left, const void *right) {
  const struct profile_fact *a = left, *b = right;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  if (a->duration_ns != b->duration_ns)
    return a->duration_ns > b->duration_ns ? -1 : 1;
  if (a->at_ns != b->at_ns)
    return a->at_ns < b->at_ns ? -1 : 1;
  return memcmp(a, b, sizeof *a);
}

/// Of `count` executions of one loop, slowest first: the slowest half of the room, and of the
/// others each n-th, which then stands for n. Returns how many stay.
static size_t thin(struct profile_fact *facts, size_t count) {
  const size_t most = PROFILE_MERGE_FACTS, whole = most / 2;
  if (count <= most)
    return count;
  size_t step = (count - whole + most - whole - 1) / (most - whole), kept = whole;
  for (size_t first = whole; first < count; first += step) {
    size_t end = count - first < step ? count : first + step;
    uint64_t stands = 0; // of those that it replaces
    for (size_t k = first; k < end; k++)
      if (__builtin_add_overflow(stands, facts[k].stands, &stands))
        stands = UINT64_MAX;
    facts[kept] = facts[first + (end - first) / 2];
    facts[kept++].stands = stands;
  }
  return kept;
}

/// Of a loop with more than PROFILE_MERGE_FACTS the longest few and a choice of the others, which
/// stand for more then.
int merge_facts(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  (void)chunk;
  size_t total = 0, next = 0, kept = 0;
  uint64_t unused;
  for (size_t i = 0; i < count; i++)
    total += in[i]->fact_count;
  struct profile_fact *all = profile_allocate(out, total, sizeof *all);
  if (!all)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < in[i]->fact_count; k++) {
      all[next] = in[i]->facts[k];
      all[next].when = (uint32_t)((uint64_t)all[next].when >> m->sources[i].when_shift);
      all[next].thread = merge_thread(&m->sources[i], all[next].thread, &unused);
      next++;
    }
  if (total)
    qsort(all, total, sizeof *all, compare);
  for (size_t first = 0, end; first < total; first = end) {
    for (end = first; end < total && all[end].loop == all[first].loop;)
      end++;
    size_t stay = thin(all + first, end - first);
    memmove(all + kept, all + first, stay * sizeof *all);
    kept += stay;
  }
  out->facts = all;
  out->fact_count = kept;
  return 0;
}
