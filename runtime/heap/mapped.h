// mapped.h - what the program maps by itself (mmap), as objects of the place that mapped it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_MAPPED_H
#define RETICLE_RUNTIME_HEAP_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/// The program has mapped it and not seen it yet; what of others was there is gone.
void rrt_mapped_born(void *address, size_t bytes, uint32_t site);
/// The range is about to be unmapped: what of objects lies in it is counted and gone.
void rrt_mapped_died(const void *address, size_t bytes);
/// mremap has moved, shortened or lengthened it; the marks go along. site: of its new place, where
/// the old one isn't known.
void rrt_mapped_moved(const void *old, size_t old_bytes, void *address, size_t bytes,
                      uint32_t site);
/// Site of the object that the address lies in, and where that begins and ends; 0: in none.
uint32_t rrt_mapped_find(uintptr_t address, uintptr_t *begin, uintptr_t *end);
/// A part of rrt_scan.
void rrt_mapped_scan(int all);

#endif
