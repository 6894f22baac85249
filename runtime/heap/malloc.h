// malloc.h - what is behind the program's malloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_MALLOC_H
#define RETICLE_RUNTIME_HEAP_MALLOC_H

#include <stdint.h>

/// Looks for the next malloc in line; objects have sites from then on, if there is shadow memory
/// and the blocks are glibc's.
void rrt_malloc_open(void);
/// enum reticle_sites_state
uint32_t rrt_malloc_state(void);
/// Allocations without a place in the table of sites; blocks that no wrapper had seen.
uint64_t rrt_malloc_no_room(void);
uint64_t rrt_malloc_foreign(void);

#endif
