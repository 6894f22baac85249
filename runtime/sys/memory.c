// memory.c - anonymous memory and the few memory functions that libc has, without its vector code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/sys.h"

#include "runtime/sys/syscall.h"

#include <errno.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/uio.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void *rrt_sys_map(size_t bytes) {
  long r = rrt_syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return r < 0 && r > -4096 ? NULL : (void *)r;
}

void *rrt_sys_map_family(size_t bytes) {
  long r = rrt_syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return r < 0 && r > -4096 ? NULL : (void *)r;
}

void rrt_sys_unmap(void *memory, size_t bytes) { rrt_syscall(SYS_munmap, memory, bytes); }

int rrt_sys_wipe_on_fork(void *memory, size_t bytes) {
  return (int)rrt_syscall(SYS_madvise, memory, bytes, MADV_WIPEONFORK);
}

void rrt_sys_populate(void *memory, size_t bytes) {
  rrt_syscall(SYS_madvise, memory, bytes, MADV_POPULATE_WRITE);
}

void *rrt_sys_grow(void *memory, size_t old_bytes, size_t new_bytes) {
  long r = rrt_syscall(SYS_mremap, memory, old_bytes, new_bytes, MREMAP_MAYMOVE);
  return r < 0 && r > -4096 ? NULL : (void *)r;
}

int rrt_sys_map_at(uint64_t address, uint64_t bytes) {
  long r = rrt_syscall(SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (r < 0 && r > -4096)
    return (int)r;
  if ((uint64_t)r != address) { // kernels before 4.17 take the address for a hint
    rrt_syscall(SYS_munmap, r, bytes);
    return -EEXIST;
  }
  rrt_syscall(SYS_madvise, address, bytes, MADV_NOHUGEPAGE);
  rrt_syscall(SYS_madvise, address, bytes, MADV_DONTDUMP);
  return 0;
}

long rrt_sys_mmap(void *address, size_t bytes, int protection, int flags, int fd, size_t offset) {
  return rrt_syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

long rrt_sys_munmap(void *address, size_t bytes) { return rrt_syscall(SYS_munmap, address, bytes); }

long rrt_sys_mremap(void *old, size_t old_bytes, size_t bytes, int flags, void *wanted) {
  return rrt_syscall(SYS_mremap, old, old_bytes, bytes, flags, wanted);
}

int rrt_sys_discard(void *memory, size_t bytes) {
  return (int)rrt_syscall(SYS_madvise, memory, bytes, MADV_DONTNEED);
}

int rrt_sys_peek(const void *address, void *out, size_t bytes) {
  struct iovec to = {out, bytes}, from = {(void *)address, bytes};
  long r = rrt_syscall(SYS_process_vm_readv, rrt_sys_pid(), &to, 1, &from, 1, 0);
  return r == (long)bytes ? 0 : -1;
}

// Long enough for the start of a string instruction to pay; it moves whole lines without a vector
// register.
enum { STRING_MIN_BYTES = 256 };

// The empty asm keeps the compiler from turning these loops into calls of libc's functions.

void rrt_copy(void *to, const void *from, size_t bytes) {
  char *t = to;
  const char *f = from;
#if defined(__x86_64__)
  if (bytes >= STRING_MIN_BYTES) {
    __asm__ volatile("rep movsb" : "+D"(t), "+S"(f), "+c"(bytes)::"memory");
    return;
  }
#endif
  for (; bytes >= 8; bytes -= 8, t += 8, f += 8) {
    uint64_t word;
    __builtin_memcpy(&word, f, 8);
    __builtin_memcpy(t, &word, 8);
    __asm__ volatile("" ::: "memory");
  }
  while (bytes--) {
    *t++ = *f++;
    __asm__ volatile("" ::: "memory");
  }
}

void rrt_zero(void *memory, size_t bytes) {
  char *m = memory;
  for (; bytes >= 8; bytes -= 8, m += 8) {
    __builtin_memset(m, 0, 8);
    __asm__ volatile("" ::: "memory");
  }
  while (bytes--) {
    *m++ = 0;
    __asm__ volatile("" ::: "memory");
  }
}

size_t rrt_length(const char *text) {
  size_t n = 0;
  while (text[n]) {
    n++;
    __asm__ volatile("" ::: "memory");
  }
  return n;
}

int rrt_equal(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}
