// writer.h - the profile file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_WRITER_H
#define RETICLE_RUNTIME_SESSION_WRITER_H

#include "include/reticle/abi.h"

#include "runtime/feature/account/facts.h"
#include "runtime/support/path.h"

/// What a checkpoint needs besides store and registry. Strings are offsets into the string table.
struct rrt_writer_input {
  struct reticle_file_env env;
  struct rrt_facts_clock clock;
  struct reticle_file_account account; ///< not of a closed epoch
  struct reticle_file_pressure pressure;
  struct reticle_file_health health;
  const struct reticle_file_module *modules; ///< [module_count]
  uint32_t module_count;
  int force_live_scan; ///< living heap objects are looked at even if the budget of that is spent
  int is_child;        ///< loops that it didn't execute are its parent's matter: they are left out
  struct reticle_file_rank rank;   ///< where has_rank
  int has_rank;                    ///< the process is a rank of a job
  struct reticle_file_epoch epoch; ///< number 0: none. A closed one: samples alone are written
};

/// Writes a new file and gives it the path's name, so that the path is whole at any moment; which
/// becomes another one where something else stands there (place.h). Needs the drain lock. Returns 0
/// or -errno; -EEXIST: there is a closed epoch by that name.
int rrt_writer_write(char path[RRT_PATH_BYTES], struct rrt_writer_input *input);

#endif
