// 32 MB, of which each line has one touched word, on the heap, mapped and as a global variable: exactly those lines and
// words count, touched once or three times, freed or living, sampled in between or not; so do 32 MB with a touch in each page.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t
// RUN: for o in shadow_hz=1 shadow_hz=200:shadow_budget=100 shadow_hz=20:shadow_scan=0; do %env_reticle:$o %t && %python %support/sites.py --bytes %reticle %t.prof -- freed_once freed_thrice living_once living_thrice mapped sparse variable || exit 1; done | sort | %FileCheck %s
// 33554432 / 64 lines with a word of 4 bytes each; 33554432 / 4096 lines of 64 bytes with one.
// CHECK-COUNT-3: global variable ever 2097152 of 33554432{{$}}
// CHECK-COUNT-3: heap freed_once ever 2097152 of 33554432{{$}}
// CHECK-COUNT-3: heap freed_thrice ever 2097152 of 33554432{{$}}
// CHECK-COUNT-3: heap living_once ever 2097152 of 33554432{{$}}
// CHECK-COUNT-3: heap living_thrice ever 2097152 of 33554432{{$}}
// CHECK-COUNT-3: heap sparse ever 32768 of 524288{{$}}
// CHECK-COUNT-3: mmap mapped ever 2097152 of 33554432{{$}}
#include <stdlib.h>
#include <sys/mman.h>

enum { BYTES = 32 << 20, LINE = 64, PAGE = 4096 };
static volatile char *kept[3];
_Alignas(64) volatile int variable[BYTES / 4];

static void touch(volatile int *p, int stride, int times) {
  for (; times; times--)
    for (long i = 0; i < BYTES; i += stride)
      p[i / 4]++;
}
__attribute__((noinline)) static volatile int *checked(void *p) {
  if (!p || p == MAP_FAILED)
    abort();
  return p;
}
#define SITE(name, call, stride, times, end)                                                       \
  __attribute__((noinline)) static void name(void) {                                               \
    volatile int *p = checked(call);                                                               \
    touch(p, stride, times);                                                                       \
    end;                                                                                           \
  }
SITE(freed_once, aligned_alloc(LINE, BYTES), LINE, 1, free((void *)p))
SITE(freed_thrice, aligned_alloc(LINE, BYTES), LINE, 3, free((void *)p))
SITE(living_once, aligned_alloc(LINE, BYTES), LINE, 1, kept[0] = (volatile char *)p)
SITE(living_thrice, aligned_alloc(LINE, BYTES), LINE, 3, kept[1] = (volatile char *)p)
SITE(sparse, aligned_alloc(LINE, BYTES), PAGE, 2, kept[2] = (volatile char *)p)
SITE(mapped, mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), LINE, 2,
     munmap((void *)p, BYTES))

int main(void) {
  freed_once();
  freed_thrice();
  living_once();
  living_thrice();
  sparse();
  mapped();
  touch(variable, LINE, 2);
  return 0;
}
