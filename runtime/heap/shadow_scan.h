// shadow_scan.h - looks at all marks: what was touched since the last time, and what ever was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_SHADOW_SCAN_H
#define RETICLE_RUNTIME_HEAP_SHADOW_SCAN_H

#include <stdint.h>

/// A sample: words touched since the last one count, and are no longer new. All: also adds up
/// anew what living objects ever touched. One at a time. 0 or -errno.
int rrt_scan(int all);
/// Memory of the marks at the last scan.
uint64_t rrt_scan_plane_bytes(void);

/// Marks of one object that has no header, in parts: first enter, at last leave. Part of rrt_scan.
///
/// first  mark of its first word
/// words  that it has
/// is_touched  it was counted among the touched ones already
void rrt_scan_enter(uint32_t site, const uint8_t *first, uint64_t words, int all, int is_touched);
void rrt_scan_marks(uint8_t *marks, uint8_t *limit);
/// Whether it is among the touched ones.
int rrt_scan_leave(void);

/// A range that belongs to a site whole: a global variable. Part of rrt_scan.
void rrt_scan_range(uint32_t site, uintptr_t address, uint64_t bytes, int all);

#endif
