// Two threads on data that they only read: once its marks are set, no mark is stored. Counted: the marks' pages are made
// read-only, so each store to them is a fault that the program counts. Stores and first looks are counted, too.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in -O0 -O1 -O2 "-O3 -march=native" "-O2 -fplugin-arg-reticle-shadow=detail"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=shadow %s -o %t -lpthread && %env_reticle:shadow_hz=1 %t || exit 1; done | %FileCheck %s
// CHECK-COUNT-5: reading again: no stores to marks; reading for the first time: stores; writing: stores
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNMARKED __attribute__((noinline, no_instrument_function))
enum { NODES = 1 << 14, ITERATIONS = 20, PAGE = 4096 };
struct node {
  struct node *next;
  int key, unused;
  double weight;
  char text[8];
};

static struct node *nodes;
static volatile int faults;

// docs/decisions/0017: one byte for each word. Whole pages of marks of the nodes.
UNMARKED static char *first_page(void) {
  return (char *)((((uintptr_t)nodes >> 2) + 0x7fff8000 + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
}
UNMARKED static char *limit_page(void) {
  return (char *)((((uintptr_t)(nodes + NODES) >> 2) + 0x7fff8000) & ~(uintptr_t)(PAGE - 1));
}
UNMARKED static void protect(int how) {
  if (mprotect(first_page(), limit_page() - first_page(), how))
    abort();
}
UNMARKED static void on_fault(int signal, siginfo_t *info, void *context) {
  char *at = info->si_addr;
  if (at < first_page() || at >= limit_page())
    abort();
  __atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
  mprotect((char *)((uintptr_t)at & ~(uintptr_t)(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
}

// Single words, looks at several words, ranges, and a walk.
__attribute__((noinline)) static double read_all(const struct node *n) {
  double sum = 0;
  char copy[24];
  for (; n; n = n->next) {
    sum += n->key + n->weight;
    memcpy(copy, n, n->key % 8 + 16);
    sum += copy[8] + n->text[3] + strlen(n->text) + memchr(copy, 0, sizeof copy - 8) - (void *)copy;
  }
  return sum;
}
static void *reader(void *iterations) {
  volatile double sum = 0;
  for (long i = 0; i < (long)iterations; i++)
    sum += read_all(nodes);
  return 0;
}
UNMARKED static int read_by_two(long iterations) {
  pthread_t thread;
  faults = 0;
  if (pthread_create(&thread, 0, reader, (void *)iterations))
    abort();
  reader((void *)iterations);
  pthread_join(thread, 0);
  return faults;
}
__attribute__((noinline)) static void write_one(struct node *n) { n->unused++; }

UNMARKED static const char *what(int count) { return count ? "stores" : "no stores to marks"; }

int main(void) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  // Not by mmap: samples leave the marks of memory alone that has no site.
  nodes = (void *)syscall(SYS_mmap, 0, NODES * sizeof *nodes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i + 1 < NODES; i++) {
    nodes[i].next = &nodes[i + 1];
    nodes[i].key = i;
  }
  memset(first_page(), 0, limit_page() - first_page());
  sigaction(SIGSEGV, &action, 0);
  protect(PROT_READ);
  int first = read_by_two(1);
  read_by_two(1);
  protect(PROT_READ);
  int again = read_by_two(ITERATIONS);
  protect(PROT_READ);
  faults = 0;
  write_one(&nodes[NODES / 2]);
  printf("reading again: %s; reading for the first time: %s; writing: %s\n", what(again), what(first), what(faults));
  return 0;
}
