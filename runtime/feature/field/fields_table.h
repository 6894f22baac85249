// fields_table.h - descriptors of the feature `field`, as the profile file has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_FIELD_FIELDS_TABLE_H
#define RETICLE_RUNTIME_FEATURE_FIELD_FIELDS_TABLE_H

#include "runtime/feature/field/fields.h"

/// A module with counters.
struct rrt_field_module {
  struct reticle_field_module_desc *desc; ///< null: unloaded
  uint64_t *begin, *end;                  ///< its own section
  uint64_t *sums;                         ///< [end - begin] of ended threads
  uint64_t checksum;
  uint32_t by_segment;
  uint32_t shared; ///< a thread found no memory for a copy
  uint32_t described;
  uint32_t first_access, access_count;
  uint32_t first_unit, unit_count;
  uint32_t first_label, label_count;
};

struct rrt_field_access {
  struct reticle_file_access record;
  uint64_t counter; ///< in the module's section
};

/// A label of the feature `block`, with one of the counters that add up to its executions.
struct rrt_field_label {
  struct reticle_file_count record;
  uint64_t counter; ///< in the module's section
};

/// Copies the module's descriptors; at the first call only.
void rrt_fields_describe(struct rrt_field_module *module);
struct rrt_field_access *rrt_fields_access(uint32_t i);
struct rrt_field_label *rrt_fields_label(uint32_t i);
/// Notes in the module's units and labels that counts may be too low.
void rrt_fields_mark_shared(const struct rrt_field_module *module);
/// The tables, with the accesses of blocks that were executed.
void rrt_fields_tables_get(struct rrt_fields_tables *out);

#endif
