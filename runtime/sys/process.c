// process.c - the process: its ids, clocks, waiting and end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // RUSAGE_THREAD
#include "runtime/sys/sys.h"

#include "runtime/sys/scale.h"
#include "runtime/sys/syscall.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

uint32_t rrt_sys_pid(void) { return (uint32_t)rrt_syscall(SYS_getpid); }
int rrt_sys_is_gone(uint32_t pid) { return rrt_syscall(SYS_kill, pid, 0) == -ESRCH; }
uint32_t rrt_sys_tid(void) { return (uint32_t)rrt_syscall(SYS_gettid); }
uint32_t rrt_sys_parent_pid(void) { return (uint32_t)rrt_syscall(SYS_getppid); }

int rrt_sys_process_exists(uint32_t pid) { return rrt_syscall(SYS_kill, pid, 0) != -ESRCH; }

static uint64_t clock_ns(clockid_t clock) {
  struct timespec t = {0, 0};
  rrt_syscall(SYS_clock_gettime, clock, &t);
  // 64 busy processors pass 2^64 ns of CPU time in nine years.
  return rrt_add(rrt_multiply((uint64_t)t.tv_sec, 1000000000), (uint64_t)t.tv_nsec);
}

uint64_t rrt_sys_time_ns(void) { return clock_ns(CLOCK_REALTIME); }
uint64_t rrt_sys_time_s(void) { return clock_ns(CLOCK_REALTIME) / 1000000000u; }
uint64_t rrt_sys_boot_ns(void) { return clock_ns(CLOCK_BOOTTIME); }
uint64_t rrt_sys_monotonic_raw_ns(void) { return clock_ns(CLOCK_MONOTONIC_RAW); }
uint64_t rrt_sys_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

// As the kernel numbers CPU clocks: the complement of the thread, a bit for one thread's, and 2 for
// the scheduler's time.
uint64_t rrt_sys_thread_cpu_ns(uint32_t tid) { return clock_ns((clockid_t)(~tid << 3 | 4 | 2)); }

static uint64_t timeval_ns(const struct timeval *t) {
  return rrt_add(rrt_multiply((uint64_t)t->tv_sec, 1000000000), (uint64_t)t->tv_usec * 1000);
}

static int read_usage(int who, struct rrt_sys_usage *out) {
  struct rusage usage;
  rrt_zero(&usage, sizeof usage);
  int r = (int)rrt_syscall(SYS_getrusage, who, &usage);
  *out = (struct rrt_sys_usage){.user_ns = timeval_ns(&usage.ru_utime),
                                .system_ns = timeval_ns(&usage.ru_stime),
                                .minor_faults = (uint64_t)usage.ru_minflt,
                                .major_faults = (uint64_t)usage.ru_majflt,
                                .waits = (uint64_t)usage.ru_nvcsw,
                                .preemptions = (uint64_t)usage.ru_nivcsw};
  return r;
}

void rrt_sys_usage(struct rrt_sys_usage *out) { read_usage(RUSAGE_SELF, out); }
int rrt_sys_thread_usage(struct rrt_sys_usage *out) { return read_usage(RUSAGE_THREAD, out); }
uint64_t rrt_sys_own_cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

uint64_t rrt_sys_user_ns(void) {
  struct rrt_sys_usage usage;
  rrt_sys_usage(&usage);
  return usage.user_ns;
}

void rrt_sys_host(char *out, size_t bytes) {
  struct utsname names;
  out[0] = 0;
  if (rrt_syscall(SYS_uname, &names) < 0)
    return;
  size_t n = rrt_length(names.nodename);
  n = n < bytes ? n : bytes - 1;
  rrt_copy(out, names.nodename, n);
  out[n] = 0;
}

uint32_t rrt_sys_cpu_count(void) {
  uint64_t mask[16] = {0};
  uint32_t count = 0;
  if (rrt_syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) < 0)
    return 0;
  for (unsigned i = 0; i < 16; i++)
    for (uint64_t m = mask[i]; m; m &= m - 1)
      count++;
  return count;
}

void rrt_sys_exit_group(int status) {
  for (;;)
    rrt_syscall(SYS_exit_group, status);
}

void rrt_sys_exit_thread(void) {
  for (;;)
    rrt_syscall(SYS_exit, 0);
}

uint64_t rrt_sys_block_signals(void) {
  const uint64_t all = ~UINT64_C(0);
  uint64_t before = 0;
  rrt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof before);
  return before;
}

#define BIT(signal) (UINT64_C(1) << ((signal) - 1))

uint64_t rrt_sys_block_handled_signals(void) {
  static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  uint64_t blocked = ~UINT64_C(0), before = 0;
  for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
    uint64_t action[4] = {1}; // as the kernel lays it out: handler, flags, restorer, mask
    if (rrt_syscall(SYS_rt_sigaction, deadly[i], 0, action, sizeof blocked) >= 0 && !action[0])
      blocked &= ~BIT(deadly[i]);
  }
  rrt_syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, &before, sizeof before);
  return before;
}

uint64_t rrt_sys_block_write_signals(void) {
  const uint64_t blocked = BIT(SIGPIPE) | BIT(SIGXFSZ);
  uint64_t before = 0;
  rrt_syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, &before, sizeof before);
  return before;
}

void rrt_sys_restore_signals(uint64_t before) {
  const uint64_t ours = BIT(SIGXFSZ) | BIT(SIGCHLD) | BIT(SIGPIPE);
  const uint64_t taken = ours & ~before; // a program that has them blocked wants them pending
  const struct timespec now = {0, 0};
  while (taken && rrt_syscall(SYS_rt_sigtimedwait, &taken, 0, &now, sizeof taken) > 0)
    ;
  rrt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, 0, sizeof before);
}

void rrt_sys_abort(void) {
  const uint64_t abort_only = UINT64_C(1) << (SIGABRT - 1);
  // As the kernel lays it out: handler, flags, restorer, mask.
  const uint64_t by_default[4] = {0, 0, 0, 0};
  rrt_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &abort_only, 0, sizeof abort_only);
  long thread = rrt_syscall(SYS_gettid);
  for (int again = 0; again < 2; again++) {
    rrt_syscall(SYS_tgkill, rrt_sys_pid(), thread, SIGABRT);
    rrt_syscall(SYS_rt_sigaction, SIGABRT, by_default, 0, sizeof abort_only);
  }
  __builtin_trap();
}

void rrt_sys_wait(uint32_t *word, uint32_t value, uint64_t timeout_ns) {
  struct timespec t = {(time_t)(timeout_ns / 1000000000u), (long)(timeout_ns % 1000000000u)};
  rrt_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &t);
}

void rrt_sys_wake(uint32_t *word) { rrt_syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff); }

void rrt_sys_yield(void) { rrt_syscall(SYS_sched_yield); }

void rrt_sys_lock(uint32_t *word) {
  enum { SPINS = 64, YIELDS = 8, NAP_NS = 20000 };
  for (unsigned i = 0; __atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE); i++)
    if (i >= SPINS + YIELDS)
      rrt_sys_wait(word, 1, NAP_NS);
    else if (i >= SPINS)
      rrt_sys_yield();
}

int rrt_sys_exec(const char *path, char *const *argv, char *const *environment) {
  return (int)rrt_syscall(SYS_execve, path, argv, environment);
}

static int limit_of(int kind, const struct rlimit *wanted, struct rlimit *now) {
  return (int)rrt_syscall(SYS_prlimit64, 0, kind, wanted, now);
}

uint64_t rrt_sys_stack_limit(void) {
  struct rlimit limit;
  return limit_of(RLIMIT_STACK, NULL, &limit) < 0 ? 0 : limit.rlim_cur;
}

int rrt_sys_set_stack_limit(uint64_t bytes) {
  struct rlimit limit;
  int r = limit_of(RLIMIT_STACK, NULL, &limit);
  limit.rlim_cur = bytes;
  return r < 0 ? r : limit_of(RLIMIT_STACK, &limit, NULL);
}

uint64_t rrt_sys_lock_limit(void) {
  struct rlimit limit;
  return limit_of(RLIMIT_MEMLOCK, NULL, &limit) < 0 ? 0 : limit.rlim_cur;
}
