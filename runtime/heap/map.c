// map.c - mmap, munmap and mremap as the program calls them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumented code calls what is here in their place (pass/shadow/ShadowHeap.cpp); what is called
// in turn is what the linker would have taken there: the program's own, or libc's. It isn't looked
// for at run time, as allocators map while they hold their locks, and looking allocates. Without
// libc the kernel is asked.
#define _GNU_SOURCE
#include "runtime/heap/mapped.h"
#include "runtime/heap/site.h"
#include "runtime/probe/shadow.h"
#include "runtime/sys/sys.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((const uintptr_t *)__builtin_frame_address(0))

#pragma weak mmap
#pragma weak mmap64
#pragma weak munmap
#pragma weak mremap

typedef void *map_function(void *, size_t, int, int, int, off_t);

static int hits_plane(uintptr_t address, size_t bytes) {
  return rrt_shadow.on && address < RETICLE_SHADOW_BASE + RETICLE_SHADOW_BYTES &&
         address + bytes > RETICLE_SHADOW_BASE - RETICLE_SHADOW_NEAR_WORDS;
}

static void *refuse(void) {
  errno = ENOMEM;
  return MAP_FAILED;
}

// Of the call's result, as libc has it.
static void *answer(long r) {
  if (r >= 0 || r < -4095)
    return (void *)r;
  errno = (int)-r;
  return MAP_FAILED;
}

static uint32_t site_of(const uintptr_t *frame) {
  uintptr_t addresses[RRT_SITE_FRAMES];
  if (!__atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED))
    return 0;
  uint64_t key;
  uint32_t depth = rrt_site_walk(frame, addresses, &key);
  return rrt_sites_find(key, addresses, depth);
}

// The kernel puts a hint that isn't free elsewhere, and refuses MAP_FIXED_NOREPLACE there.
static void *map(map_function *function, void *address, size_t bytes, int protection, int flags,
                 int fd, size_t offset, const uintptr_t *frame) {
  if (flags & MAP_FIXED && hits_plane((uintptr_t)address, bytes))
    return refuse();
  void *memory;
  if (function)
    memory = function(address, bytes, protection, flags, fd, (off_t)offset);
  else
    memory = answer(rrt_sys_mmap(address, bytes, protection, flags, fd, offset));
  uint32_t site = memory == MAP_FAILED ? 0 : site_of(frame);
  if (site) {
    int kept = errno;
    rrt_mapped_born(memory, bytes, site);
    errno = kept;
  }
  return memory;
}

EXPORTED void *__reticle_heap_mmap(void *address, size_t bytes, int protection, int flags, int fd,
                                   size_t offset) {
  return map(mmap, address, bytes, protection, flags, fd, offset, CALLER);
}

EXPORTED void *__reticle_heap_mmap64(void *address, size_t bytes, int protection, int flags, int fd,
                                     size_t offset) {
  return map(mmap64, address, bytes, protection, flags, fd, offset, CALLER);
}

EXPORTED int __reticle_heap_munmap(void *address, size_t bytes) {
  if (hits_plane((uintptr_t)address, bytes)) {
    errno = EINVAL;
    return -1;
  }
  if (__atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED))
    rrt_mapped_died(address, bytes); // now: another thread may have the addresses right after
  if (munmap)
    return munmap(address, bytes);
  return answer(rrt_sys_munmap(address, bytes)) == MAP_FAILED ? -1 : 0;
}

EXPORTED void *__reticle_heap_mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...) {
  void *wanted = NULL;
  if (flags & MREMAP_FIXED) {
    va_list rest;
    va_start(rest, flags);
    wanted = va_arg(rest, void *);
    va_end(rest);
    if (hits_plane((uintptr_t)wanted, bytes))
      return refuse();
  }
  void *memory;
  if (mremap)
    memory = mremap(old, old_bytes, bytes, flags, wanted);
  else
    memory = answer(rrt_sys_mremap(old, old_bytes, bytes, flags, wanted));
  if (memory != MAP_FAILED && __atomic_load_n(&rrt_shadow.on, __ATOMIC_RELAXED)) {
    int kept = errno;
    rrt_mapped_moved(old, old_bytes, memory, bytes, site_of(CALLER));
    errno = kept;
  }
  return memory;
}
