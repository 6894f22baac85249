// skid.c - where a sample lies: on the instruction that held the processor up, or on the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sideline divides, and samples itself. A division takes most of such a loop's time, so nearly
// all samples lie where samples of a slow instruction lie on this processor.
#include "runtime/session/skid.h"

#include "runtime/session/session.h"
#include "runtime/sys/sampler.h"
#include "runtime/sys/sys.h"

#include <linux/perf_event.h>

#if defined(__x86_64__)

enum {
  PERIOD_NS = 25000, // 40 kHz: 64 samples in about 2 ms
  ENOUGH = 64,       // of 0.9, a standard error of 0.04
  CHUNK = 2000,      // divisions, about 10 us
  MOST_NS = 6000000, // of a throttled or stopped virtual machine
  RING_BYTES = 8192,
};

struct sample {
  struct perf_event_header header;
  uint64_t address;
};

// Each division takes the quotient of the one before, so they don't overlap.
static void divide(uint64_t turns, uint64_t *at, uint64_t *behind) {
  uint64_t value = ~UINT64_C(0), sum = 0;
  __asm__ volatile("lea 2f(%%rip), %1\n\t"
                   "lea 3f(%%rip), %2\n"
                   "1:\n\t"
                   "or %6, %%rax\n\t"
                   "xor %%edx, %%edx\n"
                   "2:\n\t"
                   "divq %5\n"
                   "3:\n\t"
                   "add $1, %3\n\t"
                   "add $1, %3\n\t"
                   "add $1, %3\n\t"
                   "add $1, %3\n\t"
                   "dec %4\n\t"
                   "jnz 1b"
                   : "+a"(value), "=&r"(*at), "=&r"(*behind), "+r"(sum), "+r"(turns)
                   : "r"(UINT64_C(7)), "r"(UINT64_C(1) << 63)
                   : "rdx", "cc");
}

void rrt_skid_measure(uint64_t *samples, uint64_t *behind) {
  uint64_t at = 0, next = 0, start_ns = rrt_sys_monotonic_raw_ns();
  uint64_t bytes = sizeof(struct sample);
  int error = 0, fd = rrt_sys_open_samples(rrt_sys_tid(), rrt_sys_this_cpu(), PERIOD_NS);
  *samples = *behind = 0;
  if (fd < 0)
    return;
  struct perf_event_mmap_page *page = rrt_sys_map_samples(fd, RING_BYTES, &error);
  while (page && *samples < ENOUGH && rrt_sys_monotonic_raw_ns() - start_ns < MOST_NS) {
    divide(CHUNK, &at, &next);
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    const char *data = (const char *)page + page->data_offset;
    uint64_t from = page->data_tail;
    while (from < head) { // records are multiples of 8 bytes, and ours divide the ring
      const struct sample *s = (const void *)(data + (from & (page->data_size - 1)));
      if (!s->header.size)
        break;
      if (s->header.type == PERF_RECORD_SAMPLE &&
          (from & (page->data_size - 1)) + bytes <= page->data_size && s->address >= at &&
          s->address - at < 64) {
        ++*samples;
        *behind += s->address == next;
      }
      from += s->header.size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
  }
  if (page)
    rrt_sys_unmap(page, page->data_offset + page->data_size);
  rrt_sys_close(fd);
}

#else

void rrt_skid_measure(uint64_t *samples, uint64_t *behind) { *samples = *behind = 0; }

#endif
