// merge_visits.c - chooses the profile whose visits a merged one has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

#include <string.h>

/// Whether a's visits are taken rather than b's, whatever the order of the inputs.
static bool goes_before(const struct profile *a, const struct profile *b) {
  if (a->visit_count != b->visit_count)
    return a->visit_count > b->visit_count;
  if (a->visitsite_count != b->visitsite_count)
    return a->visitsite_count > b->visitsite_count;
  return a->visit_count && memcmp(a->visits, b->visits, a->visit_count * sizeof *a->visits) > 0;
}

static int copy(const struct profile *from, enum profile_chunk chunk, struct profile *out) {
  const void *records;
  size_t count, bytes = profile_record_get(chunk)->memory_bytes;
  profile_array_get(from, chunk, &records, &count);
  if (!count)
    return 0;
  char *copied = profile_allocate(out, count, bytes);
  if (!copied)
    return RETICLE_E_MEMORY;
  memcpy(copied, records, count * bytes);
  for (size_t i = 0; i < count; i++)
    if (merge_own_texts(out, chunk, copied + i * bytes))
      return RETICLE_E_MEMORY;
  profile_array_set(out, chunk, copied, count);
  return 0;
}

/// Takes those of the profile with most of them: numbers of sites and addresses are of one process.
int merge_visits(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  const struct profile *most = in[0];
  for (size_t i = 1; i < count; i++)
    if (goes_before(in[i], most))
      most = in[i];
  int result = copy(most, chunk, out);
  if (result == 0)
    result = copy(most, PROFILE_VISITWINDOWS, out);
  return result ? result : copy(most, PROFILE_VISITS, out);
}
