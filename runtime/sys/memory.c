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
#ifndef MLOCK_ONFAULT
#define MLOCK_ONFAULT 1
#endif

// --- what is ours --------------------------------------------------------------------------------

// RANGES: some 1,000 threads'. What has no place is locked as the program's own. PIECE_BYTES: whole
// pages on all machines.
enum { RANGES = 4096, PIECE_BYTES = 1 << 16 };

static struct {
  struct rrt_sys_range own[RANGES]; // [limit], in no order; begin 0: free, end 0: not yet known
  uint32_t limit;
  uint32_t locks_future; // what is mapped gets its memory at once, and keeps it
} state;

void rrt_sys_own_add(const void *memory, size_t bytes) {
  for (uint32_t i = 0; i < RANGES; i++) {
    uint64_t none = 0, begin = (uintptr_t)memory;
    if (!__atomic_compare_exchange_n(&state.own[i].begin, &none, begin, 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
      continue;
    __atomic_store_n(&state.own[i].end, begin + bytes, __ATOMIC_RELEASE);
    uint32_t limit = __atomic_load_n(&state.limit, __ATOMIC_RELAXED);
    while (limit <= i && !__atomic_compare_exchange_n(&state.limit, &limit, i + 1, 0,
                                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      ;
    return;
  }
}

// By whoever has the memory, while it has it: nobody else's begins there.
void rrt_sys_own_forget(const void *memory) {
  for (uint32_t i = 0; i < __atomic_load_n(&state.limit, __ATOMIC_ACQUIRE); i++) {
    if (__atomic_load_n(&state.own[i].begin, __ATOMIC_RELAXED) != (uintptr_t)memory)
      continue;
    __atomic_store_n(&state.own[i].end, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&state.own[i].begin, 0, __ATOMIC_RELEASE);
    return;
  }
}

int rrt_sys_own_behind(uint64_t address, struct rrt_sys_range *out) {
  *out = (struct rrt_sys_range){UINT64_MAX, 0};
  for (uint32_t i = 0; i < __atomic_load_n(&state.limit, __ATOMIC_ACQUIRE); i++) {
    uint64_t end = __atomic_load_n(&state.own[i].end, __ATOMIC_ACQUIRE);
    uint64_t begin = __atomic_load_n(&state.own[i].begin, __ATOMIC_RELAXED);
    if (begin && end > address && begin < out->begin)
      *out = (struct rrt_sys_range){begin, end};
  }
  return out->end != 0;
}

// --- memory that isn't locked --------------------------------------------------------------------

void rrt_sys_expect_locks(int are_expected) {
  __atomic_store_n(&state.locks_future, (uint32_t)are_expected, __ATOMIC_RELAXED);
}

int rrt_sys_expects_locks(void) {
  return (int)__atomic_load_n(&state.locks_future, __ATOMIC_RELAXED);
}

static long map_plain(uint64_t address, size_t bytes, int flags) {
  return rrt_syscall(SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
                     flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// The program may have called mlockall before a library brought the runtime.
static void look_for_locks(void) {
  unsigned char has_memory = 0;
  long page = map_plain(0, PIECE_BYTES, MAP_PRIVATE);
  if (page < 0 && page > -4096)
    return;
  if (rrt_syscall(SYS_mincore, page, 1, &has_memory) == 0 && has_memory & 1)
    rrt_sys_expect_locks(1);
  rrt_syscall(SYS_munmap, page, PIECE_BYTES);
}

// A mapping that isn't locked stays so when it grows: it takes no memory, nor any of what the
// process may lock. What is shared can't grow.
static long map(uint64_t address, size_t bytes, int flags) {
  if (!rrt_sys_expects_locks())
    return map_plain(address, bytes, flags);
  size_t first = bytes < PIECE_BYTES || flags & MAP_SHARED ? bytes : PIECE_BYTES;
  long at = map_plain(address, first, flags), r = at;
  if (at < 0 && at > -4096)
    return at;
  rrt_syscall(SYS_munlock, at, first);
  if (bytes > first)
    r = rrt_syscall(SYS_mremap, at, first, bytes, address ? 0 : MREMAP_MAYMOVE);
  if (r < 0 && r > -4096)
    rrt_syscall(SYS_munmap, at, first);
  return r;
}

static void *map_own(size_t bytes, int flags) {
  long r = map(0, bytes, flags);
  if (r < 0 && r > -4096)
    return NULL;
  rrt_sys_own_add((void *)r, bytes);
  return (void *)r;
}

void *rrt_sys_map(size_t bytes) { return map_own(bytes, MAP_PRIVATE); }

void *rrt_sys_map_family(size_t bytes) { return map_own(bytes, MAP_SHARED); }

void rrt_sys_unmap(void *memory, size_t bytes) {
  rrt_sys_own_forget(memory);
  rrt_syscall(SYS_munmap, memory, bytes);
}

void rrt_sys_unmap_own(void) {
  struct rrt_sys_range own;
  while (rrt_sys_own_behind(0, &own))
    rrt_sys_unmap((void *)own.begin, own.end - own.begin);
}

int rrt_sys_wipe_on_fork(void *memory, size_t bytes) {
  return (int)rrt_syscall(SYS_madvise, memory, bytes, MADV_WIPEONFORK);
}

void rrt_sys_populate(void *memory, size_t bytes) {
  rrt_syscall(SYS_madvise, memory, bytes, MADV_POPULATE_WRITE);
}

void *rrt_sys_grow(void *memory, size_t old_bytes, size_t new_bytes) {
  rrt_sys_own_forget(memory);
  long r = rrt_syscall(SYS_mremap, memory, old_bytes, new_bytes, MREMAP_MAYMOVE);
  int has_failed = r < 0 && r > -4096;
  rrt_sys_own_add(has_failed ? memory : (void *)r, has_failed ? old_bytes : new_bytes);
  return has_failed ? NULL : (void *)r;
}

int rrt_sys_map_at(uint64_t address, uint64_t bytes) {
  look_for_locks();
  long r = map(address, bytes, MAP_PRIVATE | MAP_FIXED_NOREPLACE);
  if (r < 0 && r > -4096)
    return (int)r;
  if ((uint64_t)r != address) { // kernels before 4.17 take the address for a hint
    rrt_syscall(SYS_munmap, r, bytes);
    return -EEXIST;
  }
  rrt_sys_own_add((void *)address, bytes);
  rrt_syscall(SYS_madvise, address, bytes, MADV_NOHUGEPAGE);
  rrt_syscall(SYS_madvise, address, bytes, MADV_DONTDUMP);
  return 0;
}

long rrt_sys_mmap(void *address, size_t bytes, int protection, int flags, int fd, size_t offset) {
  return rrt_syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

int rrt_sys_mlockall(int flags) { return (int)rrt_syscall(SYS_mlockall, flags); }

int rrt_sys_munlockall(void) { return (int)rrt_syscall(SYS_munlockall); }

int rrt_sys_mlock(uint64_t address, uint64_t bytes, int on_fault) {
  return (int)rrt_syscall(SYS_mlock2, address, bytes, on_fault ? MLOCK_ONFAULT : 0);
}

// By a mapping that is as large, and has no memory.
int rrt_sys_may_lock(uint64_t bytes) {
  long at = rrt_syscall(SYS_mmap, 0, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1, 0);
  if (at < 0 && at > -4096)
    return 0;
  long r = rrt_syscall(SYS_mlock2, at, bytes, MLOCK_ONFAULT);
  rrt_syscall(SYS_munmap, at, bytes);
  return r == 0;
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
