// merge_chain.c - puts the timed chains of several profiles together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_processes.h"

#include <stdlib.h>

static int compare_time(const void *left, const void *right) {
  const struct profile_chain *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  if (a->duration_ticks != b->duration_ticks)
    return a->duration_ticks < b->duration_ticks ? -1 : 1;
  if (a->adds != b->adds)
    return a->adds < b->adds ? -1 : 1;
  return (a->flags > b->flags) - (a->flags < b->flags);
}

/// By length, and each by time.
static int compare_length(const void *left, const void *right) {
  const struct profile_chain *a = left, *b = right;
  if (a->adds != b->adds)
    return a->adds < b->adds ? -1 : 1;
  return compare_time(left, right);
}

static void take(const struct profile *in, const struct merge_source *source,
                 struct profile_chain *out) {
  uint64_t unused;
  for (size_t i = 0; i < in->chain_count; i++) {
    out[i] = in->chain[i];
    out[i].thread = merge_thread(source, out[i].thread, &unused);
    out[i].when = (uint32_t)((uint64_t)out[i].when >> source->when_shift);
  }
}

/// More than PROFILE_MERGE_CHAINS: a choice that depends neither on order nor on duration.
int merge_chain(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  (void)chunk;
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += in[i]->chain_count;
  out->chain_count = total < PROFILE_MERGE_CHAINS ? total : PROFILE_MERGE_CHAINS;
  out->chain = profile_allocate(out, out->chain_count, sizeof *out->chain);
  struct profile_chain *all = calloc(total + 1, sizeof *all);
  if (!out->chain || !all) {
    free(all);
    return RETICLE_E_MEMORY;
  }
  for (size_t i = 0, next = 0; i < count; next += in[i++]->chain_count)
    take(in[i], &m->sources[i], all + next);
  if (total)
    qsort(all, total, sizeof *all, compare_length);
  // Evenly over the run and of each length, for they come in turn; whatever the order of the
  // inputs.
  for (size_t i = 0; i < out->chain_count; i++)
    out->chain[i] = all[i * total / out->chain_count];
  if (total)
    qsort(out->chain, out->chain_count, sizeof *out->chain, compare_time);
  free(all);
  return 0;
}
