// lock.c - mlockall as the program calls it: all that is mapped but the runtime's own memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's gives all mappings their memory, 32 TB of shadow memory too, and refuses a process
// that may not lock as much as it has mapped. So the current mappings are locked here one by one,
// and what the process may lock is compared with what is the program's. Weak, so that a program's
// own definition wins; what makes the system call itself gets the kernel's answer.
#include "runtime/support/maps.h"
#include "runtime/sys/sys.h"

#include <errno.h>
#include <sys/mman.h>

#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif
enum { FLAGS = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT };

struct walk {
  uint64_t bytes, own_bytes; // of the program's mappings, and of ours
  int locks, on_fault;
};

static void visit_part(struct walk *w, uint64_t begin, uint64_t end) {
  w->bytes += end - begin;
  if (w->locks) // the kernel's own mlockall passes over what can't be locked, too
    rrt_sys_mlock(begin, end - begin, w->on_fault);
}

// The kernel may have made one mapping of several of ours, and of the program's.
static int visit(const struct rrt_mapping *m, void *context) {
  struct walk *w = context;
  struct rrt_sys_range own;
  if (m->low >> 63) // [vsyscall], which is the kernel's
    return 0;
  for (uint64_t at = m->low; at < m->high;) {
    int has_own = rrt_sys_own_behind(at, &own) && own.begin < m->high;
    uint64_t end = !has_own ? m->high : own.begin > at ? own.begin : at;
    if (at < end)
      visit_part(w, at, end);
    at = !has_own || own.end > m->high ? m->high : own.end;
    w->own_bytes += at - end;
  }
  return 0;
}

// As the kernel decides, and in its order.
static int lock_current(int flags, const struct walk *all) {
  struct walk w = {.locks = 1, .on_fault = flags & MCL_ONFAULT};
  uint64_t limit = rrt_sys_lock_limit();
  int r = 0;
  if (all->bytes > limit && !rrt_sys_may_lock(limit + 1))
    return limit ? -ENOMEM : -EPERM;
  if (flags & MCL_FUTURE)
    r = rrt_sys_mlockall(flags & ~MCL_CURRENT);
  else if (rrt_sys_expects_locks()) // nothing else ends that; what was locked is locked again
    r = rrt_sys_munlockall();
  if (r == 0)
    rrt_maps_visit(visit, &w);
  return r;
}

static int lock_all(int flags) {
  struct walk all = {0};
  if (flags & ~FLAGS)
    return rrt_sys_mlockall(flags);
  if (flags & MCL_CURRENT)
    rrt_maps_visit(visit, &all);
  int r = all.own_bytes ? lock_current(flags, &all) : rrt_sys_mlockall(flags);
  if (r == 0)
    rrt_sys_expect_locks((flags & MCL_FUTURE) != 0);
  return r;
}

__attribute__((weak, visibility("default"))) int mlockall(int flags) {
  int r = lock_all(flags);
  if (r == 0)
    return 0;
  errno = -r;
  return -1;
}
