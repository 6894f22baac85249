// unwind.h - reads of each module of the process how its frames are undone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_SAMPLE_UNWIND_H
#define RETICLE_RUNTIME_FEATURE_SAMPLE_UNWIND_H

#include "runtime/probe/unwind.h"

struct rrt_unwind_rows {
  struct rrt_unwind_row *list; ///< [room], ascending; of rrt_sys_map
  uint32_t count, room;
};

/// Rules of a module from its .eh_frame_hdr and .eh_frame (Linux Standard Base 5, 10.6). Hostile
/// bytes lead to missing rules, not to reads outside of the image. x86-64's registers.
///
/// image    [bytes] what is at `address`: from the header to the end of its segment
/// header   address of .eh_frame_hdr
/// base     that rows count from, at most 4 GB in front of the code
/// returns  0; -1: not in a form that is known, or no memory. Free list in either case
int rrt_unwind_rows_read(const unsigned char *image, uint64_t bytes, uint64_t address,
                         uint64_t header, uint64_t base, struct rrt_unwind_rows *out);

/// Publishes the rules of the modules that are mapped now. By the sideline, with the drain's lock.
/// What was read of a module stays for when it comes again.
void rrt_unwind_update(void);

#endif
