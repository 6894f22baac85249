// registry.h - the instrumented modules of the process and their descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded by the drain lock. Descriptors are copied when a module registers, so that it may be
// unloaded at any time.
#ifndef RETICLE_RUNTIME_SESSION_REGISTRY_H
#define RETICLE_RUNTIME_SESSION_REGISTRY_H

#include "include/reticle/abi.h"

int rrt_registry_open(void);
/// Copies the descriptors of a module and gives its loops their numbers. Ends the process where
/// objects were compiled with different layouts of a struct (-fplugin-arg-reticle-layout).
void rrt_registry_add(const struct reticle_module_desc *module);
void rrt_registry_remove(const struct reticle_module_desc *module);

/// Objects registered so far.
const struct reticle_file_object *rrt_registry_objects(uint32_t *count);
/// Numbers of loops that are in use, 0 included.
uint32_t rrt_registry_numbers(void);
/// Loops that found no number (option max_loops).
uint64_t rrt_registry_full(void);
/// Where the program `reticle` lies, as a descriptor says; "" if unknown.
const char *rrt_registry_tool(void);
/// Short hash of the layout that all objects were compiled with; 0: as written, or none has the
/// struct.
uint32_t rrt_registry_layout(void);
/// At the end: says so if a layout was asked for and none of the objects has the struct.
void rrt_registry_finish(void);
/// 1 if some address of the range belongs to a registered module's descriptors.
int rrt_registry_covers(uint64_t low, uint64_t high);
/// Grows by one whenever a module registers.
uint32_t rrt_registry_generation(void);

#endif
