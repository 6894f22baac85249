// writer.h - the profile file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_WRITER_H
#define RETICLE_RUNTIME_SESSION_WRITER_H

#include "include/reticle/abi.h"

/// What a checkpoint needs besides store and registry. Strings are offsets into the string table.
struct rrt_writer_input {
  struct reticle_file_env env;
  struct reticle_file_health health;
  const struct reticle_file_module *modules; ///< [module_count]
  uint32_t module_count;
  int is_asked; ///< living heap objects are looked at even if the budget of that is spent
  int is_child; ///< loops that it didn't execute are its parent's matter: they are left out
  struct reticle_file_epoch epoch; ///< number 0: none. A closed one: samples alone are written
};

/// Writes PATH.part and renames it to PATH, so that PATH is whole at any moment; writes into what
/// is no regular file (/dev/null, a link). Needs the drain lock. Returns 0 or -errno.
int rrt_writer_write(const char *path, struct rrt_writer_input *input);

#endif
