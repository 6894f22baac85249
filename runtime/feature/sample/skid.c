// skid.c - where a sample lies: on the instruction that held the processor up, or on the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sideline divides, and samples itself. A division takes most of such a loop's time, so nearly
// all samples lie where samples of a slow instruction lie on this processor.
#include "runtime/feature/sample/skid.h"

#include "runtime/session/session.h"
#include "runtime/sys/sampler.h"
#include "runtime/sys/sys.h"

#include <linux/perf_event.h>

#if defined(__x86_64__)

enum {
  PERIOD_NS = 25000, // 40 kHz: 64 samples in about 2 ms
  ENOUGH = 64,       // of 0.9, a standard error of 0.04
  CHUNK = 1000,      // divisions, about 5 us
  CHUNKS_MOST = 800, // 8 ms, where the kernel throttles samples
  MOVES_MOST = 16,   // of the thread, to another CPU
  LOOP_BYTES = 40,   // from the division to the loop's end
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

struct count {
  uint64_t at, next; ///< addresses of the division and of what is behind it
  uint64_t samples, behind;
  uint32_t chunks;
};

// Empties the ring. Records are multiples of 8 bytes; one that its end cuts isn't looked at.
static void take(struct perf_event_mmap_page *page, struct count *c) {
  uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), from = page->data_tail;
  const char *data = (const char *)page + page->data_offset;
  while (from < head) {
    uint64_t in_ring = from & (page->data_size - 1);
    const struct sample *s = (const void *)(data + in_ring);
    if (!s->header.size)
      break;
    if (s->header.type == PERF_RECORD_SAMPLE && in_ring + sizeof *s <= page->data_size &&
        s->address >= c->at && s->address - c->at < LOOP_BYTES) {
      c->samples++;
      c->behind += s->address == c->next;
    }
    from += s->header.size;
  }
  __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

// Samples are those of one CPU: up to the thread's next move.
static int measure_here(struct count *c) {
  uint32_t cpu = rrt_sys_this_cpu();
  const struct rrt_sys_samples samples = {.period_ns = PERIOD_NS};
  int error = 0, fd = rrt_sys_open_samples(rrt_sys_tid(), cpu, &samples);
  if (fd < 0)
    return fd;
  struct perf_event_mmap_page *page = rrt_sys_map_samples(fd, RING_BYTES, &error);
  while (page && c->samples < ENOUGH && c->chunks < CHUNKS_MOST && rrt_sys_this_cpu() == cpu) {
    divide(CHUNK, &c->at, &c->next);
    c->chunks++;
    take(page, c);
  }
  if (page)
    rrt_sys_unmap(page, page->data_offset + page->data_size);
  rrt_sys_close(fd);
  return error;
}

void rrt_skid_measure(uint64_t *samples, uint64_t *behind) {
  struct count c = {0};
  for (int moves = 0; moves < MOVES_MOST && c.samples < ENOUGH && c.chunks < CHUNKS_MOST; moves++)
    if (measure_here(&c) < 0)
      break;
  *samples = c.samples;
  *behind = c.behind;
}

#else

void rrt_skid_measure(uint64_t *samples, uint64_t *behind) { *samples = *behind = 0; }

#endif
