// syscall.h - raw system calls: no errno, no libc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rrt_syscall(number, ...) returns the kernel's value: >= 0, or -errno. Async-signal-safe; touches
// no thread-local variable, so it also works in the sideline, which has none of its own.
#ifndef RETICLE_RUNTIME_SYS_SYSCALL_H
#define RETICLE_RUNTIME_SYS_SYSCALL_H

#include <sys/syscall.h>

#if defined(__x86_64__)
static inline long rrt_syscall6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
static inline long rrt_syscall6(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
#error "reticle's runtime knows x86-64 and AArch64"
#endif

#define rrt_syscall(number, ...) RRT_SYSCALL_PAD(number, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define RRT_SYSCALL_PAD(number, a, b, c, d, e, f, ...)                                             \
  rrt_syscall6((number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
