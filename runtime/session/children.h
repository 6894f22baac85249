// children.h - the files that forked children of a run leave, within keep and keep_bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table in memory that all processes of the run share has the files that these wrote, and no
// others: so none of another program, or of another run of this one, is ever removed.
// docs/decisions/0026.
#ifndef RETICLE_RUNTIME_SESSION_CHILDREN_H
#define RETICLE_RUNTIME_SESSION_CHILDREN_H

#include <stdint.h>

/// In the parent, before a fork: makes the table, at the first call.
void rrt_children_begin(void);

/// 1 if children are measured (option children).
int rrt_children_are_measured(void);

/// After each checkpoint. In the first process its file counts; in a child: takes its file into the
/// table, and removes the oldest files of children that have ended as far as they are beyond the
/// limits. is_last  this one has ended
void rrt_children_wrote(const char *path, int is_last);

/// The process's closed epochs have this many bytes now, which count, too.
void rrt_children_add_epochs(uint64_t bytes);
/// Bytes of the files of children in the table.
uint64_t rrt_children_bytes(void);

#endif
