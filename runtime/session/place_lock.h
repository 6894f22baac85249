// place_lock.h - one process at a time replaces what another one has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those that come later see then that it has been replaced. The lock is on the file itself, which
// no program locks, and goes with the process that holds it.
#ifndef RETICLE_RUNTIME_SESSION_PLACE_LOCK_H
#define RETICLE_RUNTIME_SESSION_PLACE_LOCK_H

#include "runtime/sys/folder.h"

/// For rrt_place_unlock. -EAGAIN: something else is there by that name; -EBUSY: another process has
/// the lock; others: the file can't be locked.
int rrt_place_lock(int folder, const char *name, const struct rrt_sys_facts *seen);
void rrt_place_unlock(int lock);

#endif
