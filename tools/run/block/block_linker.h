// block_linker.h - where a traced program's dynamic linker says that libraries came or went.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_LINKER_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_LINKER_H

#include <stdint.h>
#include <sys/types.h>

/// A word of what the kernel told a process at its start (AT_ENTRY, ...); 0 if it didn't.
uint64_t block_linker_aux(pid_t pid, uint64_t type);

/// Address of the function that the dynamic linker calls whenever its list of libraries changes; 0
/// where the program has none. Known from the program's entry point on.
///
/// memory  descriptor of /proc/PID/mem
uint64_t block_linker_break(pid_t pid, int memory);

#endif
