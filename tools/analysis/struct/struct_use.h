// struct_use.h - what is done to the fields of each struct, from the counts of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_USE_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_USE_H

#include "tools/profile/profile.h"

#include <stdbool.h>

/// Bytes of a cache line.
#define STRUCT_LINE_BYTES 64u

struct field_use {
  const struct profile_member *member;
  uint64_t reads, writes; ///< accesses in the source's sense; an atomic update is both
  uint64_t copies;        ///< copies and clearings of bytes that hold it, from and to
};

struct struct_use {
  const struct profile_struct *record;
  struct field_use *fields; ///< [field_count] in the order of the declaration
  size_t field_count;
  uint64_t reads, writes;
  uint64_t unplaced; ///< accesses of which only the struct is known, or that hit no field
  size_t first_access, access_count; ///< in the profile's accesses
  size_t index;                      ///< in the profile's structs
  bool ascends;                      ///< fields lie one behind the other
};

/// What one loop (or the code outside of loops) does to a struct.
struct struct_loop {
  uint64_t loop; ///< stable id, 0: no loop
  const char *function, *file;
  uint32_t line;                          ///< of the loop's start; outside of loops 0
  uint64_t reads, writes;                 ///< accesses to all fields
  struct field_use *fields;               ///< [field_count of the struct]
  const struct profile_access **accesses; ///< [access_count]
  size_t access_count;
};

/// Start with struct_uses_make, end with struct_uses_release.
struct struct_uses {
  struct struct_use *structs; ///< [count] most accesses first
  size_t count;
  size_t accessed; ///< of these, structs with accesses
  /// Which loop uses which struct, by loop.
  struct struct_pair {
    uint64_t loop;
    size_t structure; ///< in structs
  } *pairs;           ///< [pair_count]
  size_t pair_count;
  bool counted; ///< the program has counters of fields
  bool shared;  ///< threads shared counters: counts may be too low
  /// Loads and stores in the code outside the stack: of a known struct, and all.
  uint64_t code_named, code_all;
};

/// profile  merged (accesses by struct, as profile_merge leaves them); must outlive the result
void struct_uses_make(const struct profile *profile, struct struct_uses *out);
void struct_uses_release(struct struct_uses *uses);

/// The loop's first pair, or where it would be.
size_t struct_uses_first(const struct struct_uses *uses, uint64_t loop);

/// Accesses to the field, copies left out: a field without any may still be copied.
static inline uint64_t field_use_sum(const struct field_use *use) {
  return use->reads + use->writes;
}

/// Whether objects may go on behind the member's size: an array without a length, or with one that
/// says nothing, and whatever ends so.
bool struct_member_is_open(const struct struct_use *use, const struct profile_member *member);
/// Whether objects of the struct may be larger than it: its last member, or a base class, is open.
bool struct_is_open(const struct struct_use *use);

/// Cache lines that the struct touches when it starts at one.
uint32_t struct_lines(const struct profile_struct *record);

/// The struct's use in each loop, most accesses first. Of many loops times many fields the lightest
/// loops are left out.
///
/// loops  gets [*count]; freed with struct_loops_free
void struct_loops_make(const struct profile *profile, const struct struct_use *use,
                       struct struct_loop **loops, size_t *count);
void struct_loops_free(struct struct_loop *loops, size_t count);
/// One loop's use of the struct; its fields and accesses are to be freed.
void struct_loop_make(const struct profile *profile, const struct struct_use *use, uint64_t loop,
                      struct struct_loop *out);
/// Leaves the first `keep`.
void struct_loops_drop(struct struct_loop *loops, size_t keep, size_t *count);

#endif
