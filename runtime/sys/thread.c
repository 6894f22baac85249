// thread.c - a thread that libc doesn't know, and a child program without SIGCHLD.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/sys.h"

#include "runtime/sys/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// clone with a new stack, then run(): the child must not return into this frame.
static long clone_run(unsigned long flags, void *stack_top, void (*run)(void), uint32_t *alive) {
  long result;
#if defined(__x86_64__)
  register long r10 __asm__("r10") = (long)alive;
  register long r8 __asm__("r8") = 0;
  register void (*r9)(void) __asm__("r9") = run;
  __asm__ volatile("syscall\n\t"
                   "testq %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "xorl %%ebp, %%ebp\n\t"
                   "callq *%%r9\n\t"
                   "ud2\n"
                   "1:"
                   : "=a"(result)
                   : "a"(SYS_clone), "D"(flags), "S"(stack_top), "d"(0), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = SYS_clone;
  register long x0 __asm__("x0") = (long)flags;
  register long x1 __asm__("x1") = (long)stack_top;
  register long x2 __asm__("x2") = 0;
  register long x3 __asm__("x3") = 0;
  register long x4 __asm__("x4") = (long)alive;
  register void (*x9)(void) __asm__("x9") = run;
  __asm__ volatile("svc 0\n\t"
                   "cbnz x0, 1f\n\t"
                   "mov x29, #0\n\t"
                   "blr x9\n\t"
                   "brk #1\n"
                   "1:"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x9)
                   : "memory", "x30");
  result = x0;
#endif
  return result;
}

#if defined(__x86_64__)
// Valgrind's client request RUNNING_ON_VALGRIND: a sequence that does nothing on a processor.
int rrt_sys_is_emulated(void) {
  const uint64_t request[6] = {0x1001};
  uint64_t answer = 0;
  __asm__ volatile("rolq $3, %%rdi\n\t"
                   "rolq $13, %%rdi\n\t"
                   "rolq $61, %%rdi\n\t"
                   "rolq $51, %%rdi\n\t"
                   "xchgq %%rbx, %%rbx"
                   : "+d"(answer)
                   : "a"(request)
                   : "rdi", "cc", "memory");
  return answer != 0;
}
#else
int rrt_sys_is_emulated(void) { return 0; }
#endif

// A raw clone passes no argument: what the sideline and the child of rrt_sys_run are to do is here.
static struct {
  void (*body)(void);
  struct {
    const char *path;
    const char *const *argv;
    char *const *environment;
    int fd;
    uint64_t signals; // mask to restore
    char stack[16384] __attribute__((aligned(16)));
  } child; // runs in the parent's memory until execve
} handed;

static void close_from_zero(void) {
  if (rrt_syscall(SYS_close_range, 0, ~0u, 0) >= 0)
    return;
  for (int fd = 0; fd < 65536; fd++) // kernels before 5.9
    rrt_sys_close(fd);
}

static void thread_entry(void) {
  // The copied descriptors would keep the program's pipes and sockets open.
  close_from_zero();
  handed.body();
  rrt_sys_exit_thread();
}

int rrt_sys_start_thread(void (*run)(void), void *stack, size_t stack_bytes, uint32_t *alive) {
  if (rrt_sys_is_emulated())
    return -ENOSYS;
  handed.body = run;
  *alive = 1;
  uint64_t before = rrt_sys_block_signals();
  // No CLONE_FILES: a descriptor that the sideline opens must never take the number which the
  // program expects from its next open.
  // No CLONE_FS: it still reaches the profile's folder when the program has called chroot.
  long r = clone_run(CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID,
                     (char *)stack + stack_bytes, thread_entry, alive);
  rrt_sys_restore_signals(before);
  if (r < 0)
    *alive = 0;
  return r < 0 ? (int)r : 0;
}

int rrt_sys_join_thread(uint32_t *alive, uint64_t timeout_ns) {
  struct timespec tenth = {0, 100000000};
  uint64_t start = rrt_sys_monotonic_raw_ns();
  while (
      __atomic_load_n(alive, __ATOMIC_ACQUIRE)) { // the kernel clears it and wakes, not privately
    if (rrt_sys_monotonic_raw_ns() - start >= timeout_ns)
      return -ETIMEDOUT;
    rrt_syscall(SYS_futex, alive, FUTEX_WAIT, 1, &tenth);
  }
  return 0;
}

static void child_entry(void) {
  int null = (int)rrt_syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
  if (null >= 0)
    rrt_syscall(SYS_dup3, null, 0, 0);
  int out = handed.child.fd < 0 ? null : handed.child.fd;
  rrt_syscall(SYS_dup3, out, 1, 0); // EINVAL when it is 1 already: fine
  rrt_syscall(SYS_dup3, out, 2, 0);
  // Who ends the program doesn't want a report of it, either.
  rrt_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  rrt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &handed.child.signals, 0,
              sizeof handed.child.signals);
  rrt_syscall(SYS_execve, handed.child.path, handed.child.argv, handed.child.environment);
  rrt_syscall(SYS_exit, 127);
}

// Until the child has ended, or something happened; not for long. The time that counts: not that
// of a stop.
static uint64_t wait_for_child(int pidfd, uint64_t left_ns) {
  const uint64_t most = pidfd < 0 ? 2000000 : 100000000; // kernels before 5.3
  uint64_t ns = left_ns < most ? left_ns : most, start = rrt_sys_monotonic_raw_ns();
  struct timespec wait = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  struct pollfd wanted = {.fd = pidfd, .events = POLLIN};
  rrt_syscall(SYS_ppoll, &wanted, pidfd < 0 ? 0 : 1, &wait, 0, 0);
  uint64_t passed = rrt_sys_monotonic_raw_ns() - start;
  return passed < 2 * most ? passed : most;
}

static long wait_or_kill(long pid, int *status, uint64_t timeout_ns) {
  enum { AFTER_KILL_NS = 100000000 }; // a process deep in the kernel may not end at once
  int pidfd = (int)rrt_syscall(SYS_pidfd_open, pid, 0), is_killed = 0;
  uint64_t left = timeout_ns;
  long r;
  while ((r = rrt_syscall(SYS_wait4, pid, status, __WALL | WNOHANG, 0)) == 0 || r == -EINTR) {
    if (!left && is_killed)
      break;
    if (!left) {
      rrt_syscall(SYS_kill, pid, SIGKILL);
      is_killed = 1;
      left = AFTER_KILL_NS;
    }
    uint64_t passed = wait_for_child(pidfd, left);
    left -= passed < left ? passed : left;
  }
  if (pidfd >= 0)
    rrt_sys_close(pidfd);
  return is_killed ? -ETIMEDOUT : r;
}

int rrt_sys_run(const char *path, const char *const *argv, char *const *environment, int fd,
                uint64_t timeout_ns) {
  int status = 0;
  if (rrt_sys_is_emulated())
    return -ENOSYS;
  handed.child.path = path;
  handed.child.argv = argv;
  handed.child.environment = environment;
  handed.child.fd = fd;
  handed.child.signals = rrt_sys_block_signals();
  // That of the child's end, where it can't be had without one, is taken back below.
  const uint64_t waiting = handed.child.signals | UINT64_C(1) << (SIGCHLD - 1);
  long pid = clone_run(CLONE_VM | CLONE_VFORK, handed.child.stack + sizeof handed.child.stack,
                       child_entry, NULL);
  if (pid == -EINVAL) // qemu-user: no child without SIGCHLD, which is taken back below
    pid = clone_run(CLONE_VM | CLONE_VFORK | SIGCHLD,
                    handed.child.stack + sizeof handed.child.stack, child_entry, NULL);
  long r = pid;
  if (pid > 0) {
    rrt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &waiting, 0, sizeof waiting);
    r = wait_or_kill(pid, &status, timeout_ns);
  }
  rrt_sys_restore_signals(handed.child.signals);
  if (r == -ECHILD) // the program ignores SIGCHLD: the kernel has told nobody how it ended
    return 0;
  if (r < 0)
    return (int)r;
  return (status & 0x7f) ? 256 + (status & 0x7f) : (status >> 8) & 0xff;
}

int rrt_sys_set_segment(uint64_t base) {
#if defined(__x86_64__)
  enum { SET_GS = 0x1001 }; // ARCH_SET_GS of asm/prctl.h
  return (int)rrt_syscall(SYS_arch_prctl, SET_GS, base);
#else
  (void)base;
  return -ENOSYS;
#endif
}
