// fields.h - counters of the feature `field`: a copy for each thread, sums, descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded by the drain lock, but for rrt_fields_enter and rrt_fields_leave.
#ifndef RETICLE_RUNTIME_FEATURE_FIELD_FIELDS_H
#define RETICLE_RUNTIME_FEATURE_FIELD_FIELDS_H

#include "include/reticle/abi.h"
#include "runtime/probe/thread.h"

/// rrt_probe.enter_fields: gives the calling thread its copy of the module's counters.
/// Async-signal-safe.
void rrt_fields_enter(const struct reticle_field_site *site);
/// The calling thread ends: what it counts from now on goes to another record.
void rrt_fields_leave(struct rrt_thread *thread);
/// Adds the counts of a thread that has ended to the sums.
void rrt_fields_fold(struct rrt_thread *thread);
/// After fork, in the child: all counts start from 0, and the calling thread alone lives on.
void rrt_fields_forked(void);

void rrt_fields_add(struct reticle_field_module_desc *module);
/// Keeps the counts and copies the descriptors: the module may be unloaded.
void rrt_fields_remove(struct reticle_field_module_desc *module);

/// Whether a module with counters has registered.
int rrt_fields_present(void);

/// What a checkpoint writes.
struct rrt_fields_tables {
  const struct reticle_file_struct *structs;
  const struct reticle_file_member *members;
  const struct reticle_file_access *accesses; ///< [access_count], count filled in
  const struct reticle_file_fieldunit *units;
  const struct reticle_file_count *counts; ///< [label_count] of labels that were executed
  uint32_t struct_count, member_count, access_count, unit_count, label_count;
};
/// Sums up all counts. The tables are valid until the lock is given back.
void rrt_fields_read(struct rrt_fields_tables *out);
/// Whether any block was executed.
int rrt_fields_any(void);
/// Modules and threads without a place, or without memory.
uint64_t rrt_fields_full(void);
/// Memory that copies and tables take.
uint64_t rrt_fields_bytes(void);

#endif
