// merge_rules.c - how each field of each record is merged: the column `merge` of abi.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge/merge_parts.h"

#define RETICLE_FILE_BEGIN(record, CHUNK) static const enum merge_rule record##_rules[] = {
#define RETICLE_FILE_FIELD(record, kind, name, merge, unit, doc) MERGE_##merge,
#define RETICLE_FILE_END(record)                                                                   \
  }                                                                                                \
  ;
#include "include/reticle/abi.def"

const enum merge_rule *merge_rules(enum profile_chunk chunk) {
  static const enum merge_rule *const rules[PROFILE_CHUNKS] = {
#define RETICLE_FILE_BEGIN(record, CHUNK) [PROFILE_##CHUNK] = record##_rules,
#include "include/reticle/abi.def"
  };
  return rules[chunk];
}
