// freestanding.c - what the runtime takes from libc, for programs linked without one (-nostdlib).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An archive of its own, libreticle_rt_free.a, which the wrapper puts behind all the user's
// arguments: what the program or its libraries define is taken from there. The ends of threads
// and forks are not seen. docs/decisions/0002-runtime-without-libc.md
#include "runtime/sys/sys.h"

#include <elf.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>

int *__errno_location(void);
extern char **environ;

__attribute__((weak)) char **environ;
static int error_number;

__attribute__((weak)) void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  rrt_copy(to, from, bytes);
  return to;
}

__attribute__((weak)) void *memset(void *to, int value, size_t bytes) {
  volatile char *p = to;
  while (bytes--)
    *p++ = (char)value;
  return to;
}

__attribute__((weak)) int *__errno_location(void) { return &error_number; }

__attribute__((weak)) unsigned long getauxval(unsigned long type) {
  static Elf64_auxv_t values[64];
  static long count = -1;
  if (count < 0) {
    int fd = rrt_sys_open_read("/proc/self/auxv");
    long got = fd < 0 ? 0 : rrt_sys_read(fd, values, sizeof values);
    if (fd >= 0)
      rrt_sys_close(fd);
    count = got > 0 ? got / (long)sizeof values[0] : 0;
  }
  for (long i = 0; i < count; i++)
    if (values[i].a_type == type)
      return values[i].a_un.a_val;
  return 0;
}

__attribute__((weak)) int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  (void)destructor;
  *key = 0;
  return 0;
}

__attribute__((weak)) int pthread_key_delete(pthread_key_t key) {
  (void)key;
  return 0;
}

__attribute__((weak)) int pthread_setspecific(pthread_key_t key, const void *value) {
  (void)key, (void)value;
  return 0;
}

__attribute__((weak)) int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                                         void (*child)(void)) {
  (void)prepare, (void)parent, (void)child;
  return 0;
}
