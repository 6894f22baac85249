// merge_shadow.c - adds up allocation sites by id.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"

static int own_texts(struct profile *out, enum profile_chunk chunk) {
  const void *records;
  size_t count, bytes = profile_record_get(chunk)->memory_bytes;
  if (!profile_array_get(out, chunk, &records, &count))
    return 0;
  for (size_t i = 0; i < count; i++)
    if (merge_own_texts(out, chunk, (char *)(uintptr_t)records + i * bytes))
      return RETICLE_E_MEMORY;
  return 0;
}

int merge_shadow(const struct profile *const *in, size_t count, struct profile *out) {
  static const enum profile_chunk chunks[] = {PROFILE_SHADOW,      PROFILE_SITES,
                                              PROFILE_SITEFRAMES,  PROFILE_SITEWORDS,
                                              PROFILE_SHADOWUNITS, PROFILE_SHAREDLINES};
  int result = 0;
  for (size_t i = 0; result == 0 && i < sizeof chunks / sizeof *chunks; i++) {
    const struct profile_record *record = profile_record_get(chunks[i]);
    result = merge_sums(in, count, chunks[i], record->records_at, record->count_at, out);
    if (result == 0)
      result = own_texts(out, chunks[i]);
  }
  return result;
}
