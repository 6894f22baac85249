// Memory that the program maps has sites: holes, growth, moves and what is mapped over it are followed, a gigabyte of
// which little is touched costs little, and it works as well where the kernel can't list touched pages.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in "" -static; do %reticle_cc -O2 -g $o -fplugin-arg-reticle-features=shadow %s -o %t || exit 1; for s in 1 0; do %env_reticle:shadow_hz=5:shadow_scan=$s %t || exit 1; %python %support/sites.py --types %reticle %t.prof -- whole > %t.type; %python %support/sites.py %reticle %t.prof -- whole hole grown moved over large; done; done > %t.out; %FileCheck %s < %t.out && grep -c '^mmap' %t.out | %FileCheck --check-prefix=LINES %s
// RUN: %FileCheck --check-prefix=TYPE %s < %t.type
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=TABLE %s
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=CARD %s
// CHECK-DAG: mmap whole objects 10 live 0 touched 10 bytes 16384-16384 {{.*}} ever 6.2 words 0 64 128 192 256 320 384 448
// CHECK-DAG: mmap hole objects 1 live 1 touched 1 bytes 12288-12288 {{.*}} ever 100.0
// CHECK-DAG: mmap grown objects 1 live 0 touched 1 bytes 4096-8192 {{.*}} ever 100.0
// CHECK-DAG: mmap moved objects 1 live 1 touched 1 {{.*}} ever 6.2
// CHECK-DAG: mmap over objects 2 live 1 touched 2 bytes 4096-8192 {{.*}} ever 100.0
// CHECK-DAG: mmap large objects 1 live 1 touched 1 bytes 1073741824-1073741824 {{.*}} ever 6.2
// LINES: {{^}}28{{$}}
// TYPE: whole type struct line[]
// CARD: MMAP A1 large
// CARD: stride 4 of each 64 bytes are touched, in the first 512
// TABLE: mmap {{whole|large|hole|moved|over|grown}}
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define KEEP __attribute__((noinline)) static
#define STOP(p) __asm__ volatile("" : "+r"(p)::"memory")
enum { PAGE = 4096, FLAGS = MAP_PRIVATE | MAP_ANONYMOUS, RW = PROT_READ | PROT_WRITE };
struct line {
  volatile int word[16];
};

static void touch(volatile void *p, long bytes, int stride) {
  for (long i = 0; i < bytes; i += stride)
    ((volatile int *)p)[i / 4] = 1;
}
KEEP void whole(void) {
  struct line *p = mmap(NULL, 256 * sizeof *p, RW, FLAGS, -1, 0);
  STOP(p);
  touch(p, 4 * PAGE, 64);
  munmap(p, 4 * PAGE);
}
KEEP void hole(void) {
  char *p = mmap(NULL, 3 * PAGE, RW, FLAGS, -1, 0);
  STOP(p);
  touch(p, 3 * PAGE, 4);
  munmap(p + PAGE, PAGE);
}
KEEP void grown(void) {
  char *p = mmap(NULL, PAGE, RW, FLAGS, -1, 0);
  STOP(p);
  touch(p, PAGE, 4);
  p = mremap(p, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
  STOP(p);
  if (p == MAP_FAILED)
    abort();
  touch(p + PAGE, PAGE, 4);
  munmap(p, 2 * PAGE);
}
KEEP void moved(void) {
  char *p = mmap(NULL, 2 * PAGE, RW, FLAGS, -1, 0), *to = mmap(NULL, 2 * PAGE, PROT_NONE, FLAGS, -1, 0);
  STOP(p);
  touch(p, 2 * PAGE, 64);
  munmap(to, 2 * PAGE);
  if (mremap(p, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
    abort();
}
KEEP void over(void) {
  char *p = NULL;
  for (volatile int again = 0; again < 2; again++) {
    p = mmap(p, again ? PAGE : 2 * PAGE, RW, FLAGS | (again ? MAP_FIXED : 0), -1, 0);
    STOP(p);
    touch(p, again ? PAGE : 2 * PAGE, 4);
  }
  munmap(p + PAGE, PAGE); // what is left of the first one
}
KEEP void large(void) {
  char *p = mmap(NULL, 1 << 30, RW, FLAGS | MAP_NORESERVE, -1, 0);
  STOP(p);
  touch(p, 1 << 20, 64);
  touch(p + (1 << 29), 1 << 20, 64);
}

int main(void) {
  for (volatile int i = 0; i < 10; i++) // volatile: one call
    whole();
  hole();
  grown();
  moved();
  over();
  large();
  return 0;
}
