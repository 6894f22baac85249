// block_code.h - the code that a child runs: for each processor its own (block_code_x86_64.c).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_CODE_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_CODE_H

#include "runtime/harness/block/block_image.h"

struct block_plan {
  const uint8_t *code; ///< [bytes]
  size_t bytes;
  size_t copies; ///< in a loop: in a row, in each turn
  bool loop;
  size_t places; ///< loops, each in another offset in a cache line than the one before
  int loop_register;
  uint64_t address;
  bool has_upper_halves;
};

/// False where this processor isn't known: nothing can be measured.
bool block_arch_supported(void);
/// Writes the code. The plan's copies fit.
void block_arch_emit(const struct block_plan *plan, struct block_image *image);
/// Makes a slot run the block so often, in that place. While the child is stopped.
void block_arch_set_slot(const struct block_image *image, struct block_control *control,
                         size_t slot, size_t place, size_t executions);
/// Makes a slot run from the address in the child on.
void block_arch_set_entry(const struct block_image *image, struct block_control *control,
                          size_t slot, uint64_t entry);
uint64_t block_arch_chain_entry(const struct block_image *image, size_t adds);
uint64_t block_arch_canary_entry(const struct block_image *image, size_t turns);
/// In the child: goes to the address for good.
_Noreturn void block_arch_go(uint64_t address);

#endif
