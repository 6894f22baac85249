// globals.h - modules with marks: their masks, global variables and object files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_GLOBALS_H
#define RETICLE_RUNTIME_HEAP_GLOBALS_H

#include "include/reticle/abi.h"

/// Takes up the module's variables and object files; once. Needs the drain lock.
void rrt_globals_add(const struct reticle_shadow_module_desc *module);
/// The module is about to go: its variables are looked at a last time. Needs the drain lock.
void rrt_globals_remove(const struct reticle_shadow_module_desc *module);
void rrt_globals_scan(int all);
/// Site of the variable that the address lies in, and where that begins and ends; 0: in none.
uint32_t rrt_globals_find(uintptr_t address, uintptr_t *begin, uintptr_t *end);
/// [*count] what became of the object files' accesses.
const struct reticle_file_shadowunit *rrt_globals_units(uint32_t *count);

#endif
