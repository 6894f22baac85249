// machine.h - facts about machine, process and loaded modules for the profile's head.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_MACHINE_H
#define RETICLE_RUNTIME_SESSION_MACHINE_H

#include "include/reticle/abi.h"
#include "runtime/sys/cpu.h"

/// The cached floor of this machine; 0 if there is one, -1 if not.
/// folder  the cache folder, e.g. /home/u/.cache
int rrt_machine_floor(const struct rrt_cpu *cpu, const char *folder, struct reticle_file_env *out);

/// Modules mapped now, at most `max`; strings go to the string table (needs the drain lock). The
/// number of modules.
uint32_t rrt_machine_modules(struct reticle_file_module *out, uint32_t max);

#endif
