// The account of time sums to what the threads lived, CPU time is the kernel's, and what is planted is told.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread
// RUN: cd %t && %python %support/account.py %reticle ./app | %FileCheck %s
// CHECK: fine
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void work(int n) {
  for (int i = 0; i < n; i++)
    sink = sink * 3 + (unsigned)i;
}

static void *run(void *unused) {
  for (int i = 0; i < 1500; i++)
    work(100000);
  return unused;
}

// THREADS MILLISECONDS PAGES: what all threads work, then a pause, then pages touched for the first
// time.
int main(int count, char **arguments) {
  pthread_t others[16];
  int threads = count > 1 ? atoi(arguments[1]) : 1;
  for (int i = 1; i < threads; i++)
    pthread_create(&others[i], 0, run, 0);
  run(0);
  for (int i = 1; i < threads; i++)
    pthread_join(others[i], 0);
  if (count > 2)
    usleep(1000u * (unsigned)atoi(arguments[2]));
  size_t bytes = 4096u * (size_t)(count > 3 ? atoi(arguments[3]) : 0);
  char *pages =
      bytes ? mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : 0;
  if (pages)
    madvise(pages, bytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < bytes; at += 4096)
    pages[at] = 1;
  return 0;
}
