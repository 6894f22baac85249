// Other allocators go on serving the program: one that is linked in as a library (jemalloc), an archive that comes
// whole, one of the program's own that is called before anything is initialised. What can't be told is said; global
// variables and mapped memory are.
// REQUIRES: plugin, runtime, tool, x86_64, jemalloc
// RUN: %reticle_cc -O2 -g -DJEMALLOC -fplugin-arg-reticle-features=shadow %s -o %t -ljemalloc && %env_reticle %t | %FileCheck --check-prefixes=JEMALLOC,SAME %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=FOREIGN %s
// RUN: %python %support/sites.py %reticle %t.prof -- table mapped made | %FileCheck --check-prefix=REST --implicit-check-not=made %s
// RUN: %reticle_cc -O2 -g -DJEMALLOC -fplugin-arg-reticle-features=shadow %s -o %t -Wl,--whole-archive -l:libjemalloc_pic.a -Wl,--no-whole-archive -lstdc++ -lm -lpthread -ldl && %env_reticle %t | %FileCheck --check-prefixes=JEMALLOC,SAME %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=OWN %s
// RUN: %reticle_cc -O2 -g -DJEMALLOC -fplugin-arg-reticle-features=shadow %s -o %t -ljemalloc && %env_reticle:shadow=0 %t | %FileCheck --check-prefixes=JEMALLOC,SAME %s
// RUN: %reticle_cc -O2 -g -DOWN -fplugin-arg-reticle-features=shadow %s -o %t && %env_reticle %t | %FileCheck --check-prefixes=MINE,SAME %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=OWN %s
// RUN: %python %support/sites.py %reticle %t.prof -- table mapped made | %FileCheck --check-prefix=REST --implicit-check-not=made %s
// JEMALLOC: allocator jemalloc
// MINE: allocator own, early calls some
// SAME-NEXT: sum 499500
// FOREIGN: malloc is not glibc's:
// OWN: no allocation came by
// REST-DAG: global table objects 1 live 1 touched 1 bytes 4096-4096 {{.*}} ever 6.2
// REST-DAG: mmap mapped objects 1 live 1 touched 1 bytes 8192-8192 {{.*}} ever 6.2
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Alignas(64) volatile int table[1024];
int mallctl(const char *, void *, size_t *, void *, size_t) __attribute__((weak)); // jemalloc's

#ifdef OWN
// From before main on, and for libc and its loader too. Blocks with their size in front.
static char pool[1 << 24] __attribute__((aligned(16)));
static size_t used;
static int early, in_main;
static void *take(size_t bytes, size_t alignment) {
  size_t at = (used + 16 + alignment - 1) & ~(alignment - 1);
  early += !in_main;
  used = (at + bytes + 15) & ~(size_t)15;
  if (used > sizeof pool)
    return NULL;
  *(size_t *)(pool + at - 16) = bytes;
  return pool + at;
}
void *malloc(size_t bytes) { return take(bytes, 16); }
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t bytes) { return take(n * bytes, 16); }
void *realloc(void *p, size_t bytes) {
  void *grown = take(bytes, 16);
  if (p && grown)
    memcpy(grown, p, *(size_t *)((char *)p - 16) < bytes ? *(size_t *)((char *)p - 16) : bytes);
  return grown;
}
void *memalign(size_t alignment, size_t bytes) { return take(bytes, alignment); }
void *aligned_alloc(size_t alignment, size_t bytes) { return take(bytes, alignment); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = take(bytes, alignment);
  return 0;
}
__attribute__((constructor(101))) static void first(void) { free(malloc(10)); }
#endif

__attribute__((noinline)) static int *made(void) {
  int *p = malloc(1000 * sizeof *p);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}
__attribute__((noinline)) static volatile int *mapped(void) {
  void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}

int main(void) {
#ifdef OWN
  in_main = 1;
  printf("allocator own, early calls %s\n", early ? "some" : "none");
#else
  // Only jemalloc's malloc moves its statistics.
  size_t before = 0, after = 0, bytes = sizeof before;
  uint64_t epoch = 1;
  if (mallctl) {
    mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    mallctl("stats.allocated", &before, &bytes, NULL, 0);
    char *volatile large = malloc(10 << 20);
    mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    mallctl("stats.allocated", &after, &bytes, NULL, 0);
    free(large);
  }
  printf("allocator %s\n", after >= before + (10 << 20) ? "jemalloc" : "another");
#endif
  int sum = 0, *values = made();
  volatile int *pages = mapped();
  for (int i = 0; i < 1000; i++)
    values[i] = i;
  for (int i = 0; i < 1000; i++)
    sum += values[i];
  for (int i = 0; i < 1024; i += 16)
    table[i] = 1;
  for (int i = 0; i < 2048; i += 16)
    pages[i] = 1;
  values = realloc(values, 100000);
  printf("sum %d\n", sum);
  free(values);
  return 0;
}
