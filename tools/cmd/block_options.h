// block_options.h - what reticle block is asked for on its command line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_BLOCK_OPTIONS_H
#define RETICLE_TOOLS_CMD_BLOCK_OPTIONS_H

#include "runtime/harness/block/block_measure.h"
#include "tools/ui/options.h"

struct block_options {
  const char *hex, *csv, *assembly, *assembly_file, *out, *values_file, *address, *elf, *function;
  bool loop, decode, json, verbose, resume, map, adapt, save, at_exit;
  unsigned values;
  uint64_t hottest, frames, attempts, copies, rounds, cpu, hit;
  char *const *command; ///< behind "--"; null: none
};

/// Where nothing else is asked for.
extern const struct block_options block_options_default;

/// EXIT_FINE, or EXIT_USAGE after saying which options are wrong, or don't go together.
int block_options_check(const struct command *command, const struct block_options *options);
/// What `reticle block --save --hottest N FILE` does. Returns its exit status.
int block_save_hottest(const char *path, uint64_t most);
struct harness_settings block_options_settings(const struct block_options *options);

#endif
