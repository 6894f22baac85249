// merge_parts.h - the parts of merge.h: rules for fields, tables, loops, raw samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MERGE_MERGE_PARTS_H
#define RETICLE_TOOLS_PROFILE_MERGE_MERGE_PARTS_H

#include "tools/profile/fields.h"

#include <stdbool.h>
#include <stddef.h>

struct merge_source; // merge_processes.h

/// Applies the rule to a number.
uint64_t merge_number(enum merge_rule rule, uint64_t a, uint64_t b);

/// Adds record `from` to `into`: number fields with a rule for pairs (all but MERGE_FIRST,
/// MERGE_FLOOR and MERGE_APART).
void merge_record(enum profile_chunk chunk, void *into, const void *from);

/// Order of two records by all fields with the rule MERGE_FIRST, in the order of abi.def. <0, 0,
/// >0.
int merge_compare(enum profile_chunk chunk, const void *a, const void *b);

/// Makes the record's texts the profile's own. Returns 0 or RETICLE_E_MEMORY.
int merge_own_texts(struct profile *profile, enum profile_chunk chunk, void *record);

/// What is merged. A merge_<merger> of chunks.def fills in the chunk's array of out, and those of
/// the chunks that have `with` there for its sake. Returns 0 or RETICLE_E_MEMORY.
struct merge {
  const struct profile *const *in; ///< [count]
  size_t count;
  struct merge_source *sources; ///< [count] as merge_processes gave them
  uint32_t **objects;           ///< [count] arrays, by merge_objects: new position of each object
};
#define RETICLE_CHUNK(CHUNK, record, array, place, least, merger)                                  \
  int merge_##merger(const struct merge *m, enum profile_chunk chunk, struct profile *out);
#include "include/reticle/chunks.def"

/// Merges the raw samples of loops with one id.
///
/// loops    [count]
/// sources  [count] of each loop's profile
/// into     gets raw and raw_count; owned by out
int merge_raw(const struct profile_loop *const *loops, const struct merge_source *const *sources,
              size_t count, struct profile *out, struct profile_loop *into);

/// True if both come from one process.
bool merge_is_one_process(const struct profile *a, const struct profile *b);

/// Sorts the records, and adds up those that are equal. Returns how many are left, at the front.
size_t merge_equal(enum profile_chunk chunk, void *records, size_t count, size_t bytes,
                   int (*compare)(const void *left, const void *right, void *chunk));

#endif
