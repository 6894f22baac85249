// kill.c - runs one loop for ever and keeps a log, in a shared file, of how often it has run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kill.py kills it at a random moment and compares the executions in the profile with the log.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 1 << 16, SLOT_NS = 1000000 }; // 65 s in steps of 1 ms

struct log {
  uint64_t count;        // executions that have ended
  uint64_t last_ns;      // since the start
  uint64_t slots[SLOTS]; // executions when this millisecond began
};

static volatile unsigned sink;

__attribute__((noinline)) static void counted(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) { // the loop whose executions are counted
    sum = sum * 31 + i;
    sink = sum;
  }
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: kill LOGFILE\n");
    return 2;
  }
  int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ftruncate(file, sizeof(struct log)) != 0) {
    perror(argv[1]);
    return 3;
  }
  struct log *log = mmap(NULL, sizeof *log, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (log == MAP_FAILED) {
    perror("mmap");
    return 3;
  }
  close(file);
  uint64_t start = now_ns(), slot = 0;
  while (slot < SLOTS - 1) {
    counted(1000);
    log->count++;
    log->last_ns = now_ns() - start;
    while (slot < SLOTS - 1 && slot * SLOT_NS <= log->last_ns)
      log->slots[slot++] = log->count;
  }
  return 0;
}
