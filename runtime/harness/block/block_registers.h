// block_registers.h - initial values, and registers of a stopped child: for each processor its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_REGISTERS_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_REGISTERS_H

#include "runtime/harness/block/block_image.h"

/// Registers and vectors of the state, for the code that loads them.
void block_arch_load(const struct harness_state *state, struct block_control *control);
/// Makes a stopped child go on at the address, out of any interrupted system call.
long block_arch_jump(long pid, uint64_t address, const struct block_control *control);
/// All general registers of a stopped child, and back.
struct block_saved {
  uint64_t words[40];
};
long block_arch_save(long pid, struct block_saved *saved);
long block_arch_restore(long pid, struct block_saved *saved);
/// Where a stopped child is; or -errno.
long block_arch_where(long pid, uint64_t *address);
/// All that a step tells; or -errno. Sets it where `set`.
long block_arch_step(long pid, struct harness_step *step, bool set);

#if defined(__x86_64__)
/// A bit of block_x86_extended: upper halves of the ymm registers.
#define BLOCK_X86_UPPER 4
/// What the kernel has switched on of the extended state, as for XRSTOR; 0 without XSAVE.
uint64_t block_x86_extended(void);
#endif

#endif
