// nap.c - a sleep that tells when the process was stopped meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No handler is told of SIGSTOP, and a thread that sleeps when it comes goes on sleeping behind
// SIGCONT as if nothing had been. But poll (raw, as the kernel has it) writes into its timeout what
// was left of it when it was interrupted, before the thread is stopped; behind the stop the kernel
// starts the call again, and reads its arguments anew. So the timeout lies where the second of the
// descriptors is:
//
//   area  | timer: fd, events, revents | left.tv_sec            | left.tv_nsec |
//                                      | after.fd   after.events |
//
// It starts at 2^31 s: a negative descriptor, which poll skips. A moment later what is left has a
// second less, 2^31 - 1: a descriptor that isn't open, at which poll returns at once. So the call
// ends at the nap's end by the timer, or at the end of a stop, with its begin in `left`. A debugger
// that stops all threads, the freezer of a cgroup and suspend interrupt in the same way.
//
// Source: select(2) and signal(7) of Linux; fs/select.c, poll_select_finish, since Linux 2.6.16.
#include "runtime/sys/sys.h"

#include "runtime/sys/syscall.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>

#define START_S (INT64_C(1) << 31)
enum { SECOND_NS = 1000000000 };

int rrt_sys_nap_open(struct rrt_sys_nap *nap) {
  rrt_sys_nap_done(nap);
  long fd = rrt_syscall(SYS_timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC);
  nap->timer.fd = (int)fd;
  return fd < 0 ? (int)fd : 0;
}

int rrt_sys_nap(struct rrt_sys_nap *nap, uint64_t ns, uint64_t *slept_ns) {
  const struct itimerspec at = {.it_value = {(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)}};
  long r = rrt_syscall(SYS_timerfd_settime, nap->timer.fd, 0, &at, 0); // one that has come is over
  if (r < 0)
    return (int)r;
  nap->timer.events = POLLIN;
  nap->timer.revents = 0;
  rrt_sys_nap_done(nap);
  r = rrt_syscall(SYS_ppoll, &nap->timer, 2, &nap->left, 0, sizeof(uint64_t));
  if (r < 0 && r != -EINTR)
    return (int)r;
  if (r != -EINTR && r == (nap->timer.revents != 0))
    return 0;
  *slept_ns = (uint64_t)(START_S - nap->left.tv_sec) * SECOND_NS - (uint64_t)nap->left.tv_nsec;
  return 1;
}

void rrt_sys_nap_done(struct rrt_sys_nap *nap) {
  nap->left.tv_nsec = 0;
  __atomic_store_n(&nap->left.tv_sec, START_S, __ATOMIC_RELEASE);
}

int rrt_sys_nap_is_cut(const struct rrt_sys_nap *nap) {
  return __atomic_load_n(&nap->left.tv_sec, __ATOMIC_ACQUIRE) != START_S;
}
