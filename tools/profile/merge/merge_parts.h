// merge_parts.h - the parts of merge.h: rules for fields, tables, loops, raw samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MERGE_MERGE_PARTS_H
#define RETICLE_TOOLS_PROFILE_MERGE_MERGE_PARTS_H

#include "tools/profile/fields.h"

#include <stdbool.h>
#include <stddef.h>

struct merge_source; // merge_processes.h

/// How the values of a field become one. All are commutative and associative.
enum merge_rule {
  MERGE_FIRST, ///< of the first in order (see merge_compare); for what identifies
  MERGE_SUM,   ///< saturating
  MERGE_MIN,
  MERGE_MAX,
  MERGE_LEAST_KNOWN, ///< smallest that is not 0: 0 says "not measured"
  MERGE_FLOOR,       ///< of the profile with the newest floor
  MERGE_LOOP_FLAGS,  ///< what holds for all copies; calls if one has some
  MERGE_BITS,        ///< those that any of them has
  MERGE_ENDED,       ///< the end that should worry most
  MERGE_APART,       ///< computed elsewhere (merge_tables.c, merge_loops.c)
};

/// Rules of a chunk's fields, [field_count]. A field without a rule does not compile.
const enum merge_rule *merge_rules(enum profile_chunk chunk);

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

/// Merges objects: a record that is in several profiles comes once (as often as in the profile that
/// has it most often). Fills in out->objects.
///
/// map  [count] gets arrays [in[i]->object_count], owned by out: new position of each object
int merge_objects(const struct profile *const *in, size_t count, struct profile *out,
                  uint32_t **map);

/// Merges modules by path and build id. Fills in out->modules.
int merge_modules(const struct profile *const *in, size_t count, struct profile *out);

/// Merges loops by id. map: as merge_objects gave it; sources: as merge_processes did. Fills in
/// out->loops.
int merge_loops(const struct profile *const *in, size_t count, uint32_t *const *map,
                const struct merge_source *sources, struct profile *out);

/// Merges structs by id with their members, accesses of the same kind in the same place, and units.
/// Fills in out->structs, members, accesses and fieldunits.
int merge_structs(const struct profile *const *in, size_t count, struct profile *out);

/// Merges the raw samples of loops with one id.
///
/// loops    [count]
/// sources  [count] of each loop's profile
/// into     gets raw and raw_count; owned by out
int merge_raw(const struct profile_loop *const *loops, const struct merge_source *const *sources,
              size_t count, struct profile *out, struct profile_loop *into);

/// Merges measured blocks: of one that several profiles have, the result with the narrowest
/// interval counts. Fills in out->blocks.
int merge_blocks(const struct profile *const *in, size_t count, struct profile *out);

/// True if both come from one process.
bool merge_is_one_process(const struct profile *a, const struct profile *b);

/// Adds up samples at the same offset of the same file. Fills in out->sampling, loadfiles and
/// addresses.
int merge_addresses(const struct profile *const *in, size_t count, struct profile *out);

/// Adds up sites of one id, with their words. Fills in out->shadow, sites, siteframes,
/// sitewords, shadowunits and sharedlines.
int merge_shadow(const struct profile *const *in, size_t count, struct profile *out);

/// Takes the visits of the profile with most of them: numbers of sites and addresses are of one
/// process. Fills in out->visitsites, visitwindows and visits.
int merge_visits(const struct profile *const *in, size_t count, struct profile *out);

/// Puts a chunk's records together, and adds up those that merge_compare calls equal.
///
/// records_at, count_at  where struct profile has their pointer and number
int merge_sums(const struct profile *const *in, size_t count, enum profile_chunk chunk,
               size_t records_at, size_t count_at, struct profile *out);
#define MERGE_SUMS(in, count, chunk, records, number, out)                                         \
  merge_sums(in, count, chunk, offsetof(struct profile, records),                                  \
             offsetof(struct profile, number), out)

/// Sorts the records, and adds up those that are equal. Returns how many are left, at the front.
size_t merge_equal(enum profile_chunk chunk, void *records, size_t count, size_t bytes,
                   int (*compare)(const void *left, const void *right, void *chunk));

/// Puts executions with facts together; of a loop with more than PROFILE_MERGE_FACTS the longest
/// few and a choice of the others, which stand for more then. Fills in out->facts.
int merge_facts(const struct profile *const *in, size_t count, const struct merge_source *sources,
                struct profile *out);

/// Puts the timed chains together; more than PROFILE_MERGE_CHAINS: a choice that depends neither on
/// order nor on duration. Fills in out->chain.
int merge_chain(const struct profile *const *in, size_t count, const struct merge_source *sources,
                struct profile *out);

#endif
