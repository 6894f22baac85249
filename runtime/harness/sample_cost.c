// sample_cost.c - times a loop with and without samples, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "runtime/harness/sample_cost.h"

#include "runtime/harness/chain.h"
#include "runtime/sys/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
  PAIRS = 40,
  PERIOD_NS = 50000,  ///< 20 kHz: many samples in a chunk
  BLOCKS = 10000,     ///< of 256 additions: about a millisecond
  DATA_BYTES = 65536, ///< room for a few chunks' samples
  RECORD_BYTES = 32,  ///< header, address, thread, time
};

static double run_ns(void) {
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC_RAW, &before);
  harness_chain_run(BLOCKS, 0);
  clock_gettime(CLOCK_MONOTONIC_RAW, &after);
  return 1e9 * (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Empties the ring. Returns how many samples were in it.
static double take_samples(struct perf_event_mmap_page *page) {
  uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
  __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
  return (double)(head - tail) / RECORD_BYTES;
}

static int measure(int fd, struct perf_event_mmap_page *page, struct harness_sample_cost *out) {
  double costs[PAIRS];
  int count = 0;
  for (int i = 0; i < PAIRS; i++) {
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    double without = run_ns();
    take_samples(page);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    double with = run_ns();
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    double samples = take_samples(page);
    if (samples >= 1)
      costs[count++] = (with - without) / samples;
  }
  if (count < PAIRS / 2)
    return EAGAIN;
  qsort(costs, (size_t)count, sizeof costs[0], compare);
  int half = (int)ceil(0.98 * sqrt(count)); // of the median's 95 % interval, in positions
  *out = (struct harness_sample_cost){fmax(0, costs[count / 2]), fmax(0, costs[count / 2 - half]),
                                      fmax(0, costs[count / 2 + half])};
  return 0;
}

int harness_sample_cost(struct harness_sample_cost *out) {
  cpu_set_t before, one;
  int cpu = sched_getcpu(), error = 0;
  if (cpu < 0 || sched_getaffinity(0, sizeof before, &before) < 0)
    return errno;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (sched_setaffinity(0, sizeof one, &one) < 0)
    return errno;
  const struct rrt_sys_samples samples = {.period_ns = PERIOD_NS};
  int fd = rrt_sys_open_samples((uint32_t)gettid(), (uint32_t)cpu, &samples);
  if (fd < 0) {
    error = -fd;
  } else {
    int mapped = 0;
    void *ring = rrt_sys_map_samples(fd, DATA_BYTES, &mapped);
    error = ring ? measure(fd, ring, out) : -mapped;
    if (ring)
      munmap(ring, DATA_BYTES + 4096);
    close(fd);
  }
  sched_setaffinity(0, sizeof before, &before);
  return error;
}
