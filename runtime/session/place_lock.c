// place_lock.c - one process at a time replaces what another one has left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/place_lock.h"

#include "runtime/sys/sys.h"

#include <errno.h>

enum { YIELDS = 1000 };

int rrt_place_lock(int folder, const char *name, const struct rrt_sys_facts *seen) {
  struct rrt_sys_facts facts;
  int fd = rrt_sys_open_read_at(folder, name);
  if (fd < 0)
    return fd == -ENOENT ? -EAGAIN : fd;
  int r = rrt_sys_lock_file(fd);
  for (unsigned i = 0; i < YIELDS && r == -EWOULDBLOCK; i++) {
    rrt_sys_yield();
    r = rrt_sys_lock_file(fd);
  }
  if (r == -EWOULDBLOCK)
    r = -EBUSY;
  else if (rrt_sys_facts_at(folder, name, &facts) < 0 || !rrt_sys_is_same_file(&facts, seen))
    r = -EAGAIN; // also where there are no locks
  if (r == 0)
    return fd;
  rrt_place_unlock(fd);
  return r;
}

void rrt_place_unlock(int lock) {
  if (lock < 0)
    return;
  rrt_sys_unlock_file(lock);
  rrt_sys_close(lock);
}
