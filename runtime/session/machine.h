// machine.h - facts about machine, process and loaded modules for the profile's head.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_MACHINE_H
#define RETICLE_RUNTIME_SESSION_MACHINE_H

#include "include/reticle/abi.h"
#include "runtime/sys/cpu.h"

#include <stddef.h>

/// The cached floor of this machine; 0 if there is one, -1 if not.
/// folder  the cache folder, e.g. /home/u/.cache
int rrt_machine_floor(const struct rrt_cpu *cpu, const char *folder, struct reticle_file_env *out);

/// 1 if this copy of the runtime is the executable's own, so that only the end of the process can
/// take it away; 0 if it is in a library.
int rrt_machine_in_executable(void);

/// File name of the module that this copy of the runtime is in, without its folder; "" if unknown.
void rrt_machine_own_module(char *out, size_t bytes);

/// Modules mapped now, at most `max`; strings go to the string table (needs the drain lock). The
/// number of modules.
uint32_t rrt_machine_modules(struct reticle_file_module *out, uint32_t max);

#endif
