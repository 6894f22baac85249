// profile.h - a profile in memory, and how it gets from and to a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   struct profile
//     env, health        one record each
//     objects, modules   arrays
//     loops              array; each loop points to its own part of ...
//       .hist            ... its histogram's buckets, ascending
//       .raw             ... its raw samples
//     structs, members, accesses, fieldunits, counts   arrays that refer to each other by index
//
// The structs have the fields of abi.def under the same names; text is `const char *` here, never
// null, and belongs to the profile.
#ifndef RETICLE_TOOLS_PROFILE_PROFILE_H
#define RETICLE_TOOLS_PROFILE_PROFILE_H

#include "include/reticle/abi.h"
#include "tools/profile/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE_U64 uint64_t
#define PROFILE_U32 uint32_t
#define PROFILE_STR const char *
#define PROFILE_FIELD(kind, name, merge, unit, doc) PROFILE_##kind name;

struct profile_env {
#define RETICLE_FILE_ENV PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_object {
#define RETICLE_FILE_OBJECT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_module {
#define RETICLE_FILE_MODULE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_hist {
#define RETICLE_FILE_HIST PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_sample {
#define RETICLE_FILE_SAMPLE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_struct {
#define RETICLE_FILE_STRUCT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_member {
#define RETICLE_FILE_MEMBER PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_access {
#define RETICLE_FILE_ACCESS PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_fieldunit {
#define RETICLE_FILE_FIELDUNIT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_count {
#define RETICLE_FILE_COUNT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_chain {
#define RETICLE_FILE_CHAIN PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_block {
#define RETICLE_FILE_BLOCK PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_topdown {
#define RETICLE_FILE_TOPDOWN PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_account {
#define RETICLE_FILE_ACCOUNT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_pressure {
#define RETICLE_FILE_PRESSURE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_fact {
#define RETICLE_FILE_FACT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_epoch {
#define RETICLE_FILE_EPOCH PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_sampling {
#define RETICLE_FILE_SAMPLING PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_loadfile {
#define RETICLE_FILE_LOADFILE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_address {
#define RETICLE_FILE_ADDRESS PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_stack {
#define RETICLE_FILE_STACK PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_shadow {
#define RETICLE_FILE_SHADOW PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_site {
#define RETICLE_FILE_SITE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_siteframe {
#define RETICLE_FILE_SITEFRAME PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_siteword {
#define RETICLE_FILE_SITEWORD PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_shadowunit {
#define RETICLE_FILE_SHADOWUNIT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_sharedline {
#define RETICLE_FILE_SHAREDLINE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_pointer {
#define RETICLE_FILE_POINTER PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_visitsite {
#define RETICLE_FILE_VISITSITE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_visitwindow {
#define RETICLE_FILE_VISITWINDOW PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_visit {
#define RETICLE_FILE_VISIT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_trial {
#define RETICLE_FILE_TRIAL PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_trialloop {
#define RETICLE_FILE_TRIALLOOP PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_process {
#define RETICLE_FILE_PROCESS PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_rank {
#define RETICLE_FILE_RANK PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_waitsource {
#define RETICLE_FILE_WAITSOURCE PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_wait {
#define RETICLE_FILE_WAIT PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_waitpeer {
#define RETICLE_FILE_WAITPEER PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_arrival {
#define RETICLE_FILE_ARRIVAL PROFILE_FIELD
#include "include/reticle/abi.def"
};
struct profile_health {
#define RETICLE_FILE_HEALTH PROFILE_FIELD
#include "include/reticle/abi.def"
};
/// hist_first and raw_first say where the entries were in the file read; the pointers count.
struct profile_loop {
#define RETICLE_FILE_LOOP PROFILE_FIELD
#include "include/reticle/abi.def"
  const struct profile_hist *hist;  ///< [hist_count], owned by the profile; null if none
  const struct profile_sample *raw; ///< [raw_count], owned by the profile; null if none
  bool is_tagged;                   ///< the work of its samples is the sum of tags; merged profiles
};

/// Something the user should know about a profile that could be used all the same.
struct profile_warning {
  const char *code; ///< stable word for scripts, e.g. "different_executables"
  const char *text; ///< one line, lower case
};

/// Not in the file: belongs to whoever reads or merges.
struct profile_memory;

struct profile {
  uint32_t version; ///< of the format it was read from; what is written has RETICLE_FILE_VERSION
  struct profile_env env;
  struct profile_health health;
  struct profile_object *objects; ///< [object_count]
  size_t object_count;
  struct profile_module *modules; ///< [module_count]
  size_t module_count;
  struct profile_loop *loops; ///< [loop_count]
  size_t loop_count;
  struct profile_struct *structs; ///< [struct_count]
  size_t struct_count;
  struct profile_member *members; ///< [member_count] those of one struct in a row
  size_t member_count;
  struct profile_access *accesses; ///< [access_count]
  size_t access_count;
  struct profile_fieldunit *fieldunits; ///< [fieldunit_count]
  size_t fieldunit_count;
  struct profile_count *counts; ///< [count_count] executions of labelled blocks
  size_t count_count;
  struct profile_chain *chain; ///< [chain_count] the control, timed beside the loops
  size_t chain_count;
  struct profile_block *blocks; ///< [block_count] measured in isolation
  size_t block_count;
  struct profile_topdown *topdown; ///< [topdown_count] what loops' visits counted, by group
  size_t topdown_count;
  struct profile_account *account; ///< [account_count] where the time went; at most one
  size_t account_count;
  struct profile_pressure *pressure; ///< [pressure_count] what others took meanwhile; at most one
  size_t pressure_count;
  struct profile_fact *facts; ///< [fact_count] of long executions
  size_t fact_count;
  struct profile_epoch *epochs; ///< [epoch_count] that the addresses are of
  size_t epoch_count;
  struct profile_sampling *sampling; ///< [sampling_count] how addresses were sampled
  size_t sampling_count;
  struct profile_loadfile *loadfiles; ///< [loadfile_count]
  size_t loadfile_count;
  struct profile_address *addresses; ///< [address_count] refer to loadfiles
  size_t address_count;
  struct profile_stack *stacks; ///< [stack_count] callers before callees; refer to loadfiles
  size_t stack_count;
  struct profile_shadow *shadow; ///< [shadow_count] how touched memory was sampled
  size_t shadow_count;
  struct profile_site *sites; ///< [site_count]
  size_t site_count;
  struct profile_siteframe *siteframes; ///< [siteframe_count] refer to sites by id
  size_t siteframe_count;
  struct profile_siteword *sitewords; ///< [siteword_count] refer to sites by id
  size_t siteword_count;
  struct profile_shadowunit *shadowunits; ///< [shadowunit_count]
  size_t shadowunit_count;
  struct profile_sharedline *sharedlines; ///< [sharedline_count] refer to sites by id
  size_t sharedline_count;
  struct profile_pointer *pointers; ///< [pointer_count] refer to sites by id
  size_t pointer_count;
  struct profile_visitsite *visitsites; ///< [visitsite_count] refer to structs by id
  size_t visitsite_count;
  struct profile_visitwindow *visitwindows; ///< [visitwindow_count] refer to visits
  size_t visitwindow_count;
  struct profile_visit *visits; ///< [visit_count] their bytes (include/reticle/visit.h)
  size_t visit_count;
  struct profile_trial *trials; ///< [trial_count] of layouts, by reticle try
  size_t trial_count;
  struct profile_trialloop *trialloops; ///< [trialloop_count] refer to trials and loops
  size_t trialloop_count;
  struct profile_process *processes; ///< [process_count] of a merged profile; else none
  size_t process_count;
  struct profile_rank *ranks; ///< [rank_count] of the processes that were ranks of a job
  size_t rank_count;
  struct profile_waitsource *waitsources; ///< [waitsource_count] who told of waits
  size_t waitsource_count;
  struct profile_wait *waits; ///< [wait_count] calls of MPI, waits of OpenMP, by call site
  size_t wait_count;
  struct profile_waitpeer *waitpeers; ///< [waitpeer_count] refer to waits by id
  size_t waitpeer_count;
  struct profile_arrival *arrivals; ///< [arrival_count] refer to waits by id
  size_t arrival_count;
  size_t merged_count;              ///< files that went into it, 1 if it was read from one
  struct profile_warning *warnings; ///< [warning_count], not in the file
  size_t warning_count;
  struct profile_memory *memory; ///< everything above; freed by profile_release
};

/// `when` of samples and chains counts units of 2^n ticks; the n.
static inline uint32_t profile_when_shift(const struct profile_env *env) {
  enum { BEFORE = 16 }; // of runtimes that didn't say
  return env->when_shift ? env->when_shift : BEFORE;
}

/// Reads a profile. The file is taken as hostile: whatever it holds, the result is a profile whose
/// indices are all in range, or an error that names chunk and byte.
///
/// path   regular file; its header is looked at before the rest is read (file.h)
/// out    filled in; the caller releases it. Unchanged on error
/// error  may be null
///
/// Returns 0 or an enum reticle_error. Chunks this version doesn't know are skipped (a warning of
/// the profile says so); chunks other than strings, env and health may be missing: no records then.
/// Several loops may have the same id: profile_merge (merge.h) of one profile adds them up.
int profile_read(const char *path, struct profile *out, struct profile_error *error);

/// Whether the file is a profile with such a chunk; only its table is read, and nothing is said of
/// what can't be.
bool profile_has_chunk(const char *path, const char *chunk);

/// As profile_read, from memory.
///
/// bytes  [count], any alignment; not referred to afterwards
/// name   what messages call it
int profile_decode(const void *bytes, size_t count, const char *name, struct profile *out,
                   struct profile_error *error);

/// True if it holds samples of closed epochs and nothing else: no times, no loops.
bool profile_is_epochs_alone(const struct profile *profile);

/// Frees everything and clears the struct; a zeroed or released profile is fine.
void profile_release(struct profile *profile);

/// Writes a profile, which appears whole, so that a reader never sees half a file. Records come in
/// the order of the arrays, so read and write again gives the same bytes.
///
/// Returns 0, RETICLE_E_WRITE, RETICLE_E_MEMORY or RETICLE_E_LIMIT (text over 4 GB).
int profile_write(const struct profile *profile, const char *path, struct profile_error *error);

/// As profile_write, into memory.
///
/// bytes  gets a block of *count bytes; the caller frees it with free(). Unchanged on error
/// name   what messages call it
int profile_encode(const struct profile *profile, const char *name, unsigned char **bytes,
                   size_t *count, struct profile_error *error);

#endif
