// sample_perf.c - samples by perf_event_open: for each CPU a ring that the kernel fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping made on one CPU may matter to samples of another one. So a drain first takes the
// mappings of all rings, then the samples, and leaves samples that are younger than its start.
//
// Call stacks: x86-64's code mostly has no frame pointers, so the kernel copies the stack's upper
// end, and the drain undoes its frames. Elsewhere the kernel follows frame pointers.
#include "runtime/feature/sample/sample_parts.h"

#include "runtime/feature/sample/pointers.h"
#include "runtime/feature/sample/unwind.h"
#include "runtime/session/session.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/sys/sampler.h"
#include "runtime/sys/sys.h"

#include <errno.h>
#include <linux/perf_event.h>

enum {
  CPUS_MAX = 1024,
  RECORD_MAX = 16384, // a mapping's path has 4096 bytes, a stack's copy COPY_BYTES
  SAMPLE_BYTES = 32,  // header, address, process and thread, time
  REGISTERS_BYTES = 8 + 8 * (RRT_POINTER_REGISTERS + 1),
  CHAIN_BYTES = 8 + 8 * 40, // of a stack as most are
  COPY_BYTES = 8192,        // most stacks' frames, from main inwards; of fast samples less
  FAST_NS = 2000000,
  CONTEXTS_FROM = -4095,   // PERF_CONTEXT_MAX: words of a stack from here on are no addresses
  RING_MIN_BYTES = 16384,  // a page less would do at the default rate; mappings come in bursts
  RING_MAX_BYTES = 524288, // what users have without a privilege, for each CPU
  RINGS_BYTES = 32 << 20,  // of a machine with many CPUs
};

struct ring {
  struct perf_event_mmap_page *page;
  uint64_t head; // what this drain takes ends here
};

static struct {
  struct ring rings[CPUS_MAX];
  uint32_t cpus[CPUS_MAX];
  char copy[RECORD_MAX] __attribute__((aligned(8))); // of a record that the end of a ring cuts
  uint64_t stack[RRT_SAMPLE_DEPTH];
} state;
static struct {
  uint32_t cpu_count;
  uint32_t ring_count; // the kernel doesn't copy rings at a fork
  int with_pointers;   // registers are wanted by themselves
  uint32_t mappings;   // as of the last look at how frames are undone
  struct rrt_sys_samples samples;
} process RRT_PER_PROCESS;

struct sample {
  struct perf_event_header header;
  uint64_t address;
  uint32_t pid, tid;
  uint64_t time_ns;
};
_Static_assert(sizeof(struct sample) == SAMPLE_BYTES, "as asked for in sampler.c");

enum { LOW_REGISTERS = 8, HIGH_REGISTERS = RRT_POINTER_REGISTERS - LOW_REGISTERS };
struct registers {
  uint64_t abi; // 0: the thread had none
  uint64_t low[LOW_REGISTERS], pc, high[HIGH_REGISTERS];
};
_Static_assert(sizeof(struct registers) == REGISTERS_BYTES, "the same");

struct mapping {
  struct perf_event_header header;
  uint32_t pid, tid;
  uint64_t address, bytes, offset;
  unsigned char build_id_bytes, reserved[3], build_id[20]; // or device and inode
  uint32_t protection, flags;
  char path[];
};
_Static_assert(sizeof(struct mapping) == 72, "PERF_RECORD_MMAP2");

// Room for twice the longest nap of the sideline.
static uint64_t ring_bytes(uint32_t cpus) {
  const struct rrt_sys_samples *samples = &process.samples;
  uint64_t each = SAMPLE_BYTES + (samples->with_registers ? REGISTERS_BYTES : 0) +
                  (samples->stack_depth ? CHAIN_BYTES : 0) +
                  (samples->stack_bytes ? 16 + samples->stack_bytes : 0);
  uint64_t wanted = 400000000 / samples->period_ns * each, bytes = RING_MIN_BYTES;
  while (bytes < wanted && bytes < RING_MAX_BYTES && 2 * bytes * cpus <= RINGS_BYTES)
    bytes *= 2;
  return bytes;
}

static void close_rings(void) {
  for (uint32_t i = 0; i < process.ring_count; i++)
    rrt_sys_unmap(state.rings[i].page,
                  state.rings[i].page->data_offset + state.rings[i].page->data_size);
  process.ring_count = 0;
}

// All threads on one CPU, into one ring.
static int open_cpu(uint32_t cpu, const uint32_t *threads, uint32_t count) {
  int first = -1, error = -ESRCH;
  for (uint32_t i = 0; i < count; i++) {
    int fd = rrt_sys_open_samples(threads[i], cpu, &process.samples);
    if (fd < 0) {
      error = fd == -ESRCH ? error : fd; // a thread may have ended meanwhile
      continue;
    }
    if (first >= 0) {
      if (rrt_sys_join_samples(fd, first) < 0)
        rrt_sampling.threads_missed += cpu == 0;
      continue;
    }
    struct perf_event_mmap_page *page =
        rrt_sys_map_samples(fd, ring_bytes(process.cpu_count), &error);
    if (!page) {
      rrt_sys_close(fd);
      return error;
    }
    first = fd;
    state.rings[process.ring_count++].page = page;
  }
  return first >= 0 ? 0 : error;
}

static int open_cpus(const uint32_t *threads, uint32_t count) {
  uint32_t online = rrt_sys_online_cpus(state.cpus, CPUS_MAX);
  int error = -ENODEV;
  process.cpu_count = online;
  for (uint32_t i = 0; i < online && i < CPUS_MAX; i++) {
    error = open_cpu(state.cpus[i], threads, count);
    if (error < 0 && error != -ENODEV) {
      close_rings();
      return error;
    }
  }
  return process.ring_count ? 0 : error;
}

// With the kernel's part where the user may have it.
static int open_all(const uint32_t *threads, uint32_t count) {
  process.samples.with_kernel = 1;
  int error = open_cpus(threads, count);
  if (error != -EACCES && error != -EPERM)
    return error;
  rrt_sampling.kernel_errno = (uint32_t)-error;
  process.samples.with_kernel = 0;
  return open_cpus(threads, count);
}

static uint32_t chain_depth(void) {
  uint32_t depth = rrt_sys_stack_depth();
  return depth < RRT_SAMPLE_DEPTH ? depth : RRT_SAMPLE_DEPTH;
}

// Rings hold what comes in some naps.
static uint32_t copy_bytes(uint64_t period_ns) {
  return period_ns >= FAST_NS       ? COPY_BYTES
         : period_ns >= FAST_NS / 2 ? COPY_BYTES / 2
                                    : COPY_BYTES / 4;
}

int rrt_sample_perf_start(const uint32_t *threads, uint32_t count, uint64_t period_ns) {
  process.ring_count = process.mappings = 0;
  process.with_pointers = rrt_pointers_wanted();
  process.samples =
      (struct rrt_sys_samples){.period_ns = period_ns, .with_registers = process.with_pointers};
  if (!rrt_sample_has_stacks())
    return open_all(threads, count);
  if (RRT_SAMPLE_COPIES) {
    process.samples.with_registers = 1;
    process.samples.stack_bytes = copy_bytes(period_ns);
  } else {
    process.samples.stack_depth = chain_depth();
  }
  int error = open_all(threads, count);
  if (error == 0)
    return 0;
  process.samples.with_registers = process.with_pointers; // the kernel may lack memory for stacks
  process.samples.stack_bytes = process.samples.stack_depth = 0;
  return open_all(threads, count);
}

// The record at a position; where the ring's end cuts it, a copy.
static const struct perf_event_header *record_at(const struct ring *r, uint64_t at) {
  const char *data = (const char *)r->page + r->page->data_offset;
  uint64_t size = r->page->data_size, from = at & (size - 1);
  const struct perf_event_header *header = (const void *)(data + from);
  uint64_t bytes = header->size; // records are multiples of 8 bytes: the header is never cut
  if (from + bytes <= size)
    return header;
  uint64_t part = size - from, whole = bytes < RECORD_MAX ? bytes : RECORD_MAX;
  rrt_copy(state.copy, data + from, part);
  rrt_copy(state.copy + part, data, whole - part);
  return (const void *)state.copy;
}

static void take_mapping(const struct mapping *m) {
  // Thread and time are appended to it.
  uint64_t time_ns;
  rrt_copy(&time_ns, (const char *)m + m->header.size - sizeof time_ns, sizeof time_ns);
  uint32_t id_bytes = m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID ? m->build_id_bytes : 0;
  if (m->pid == rrt_session.pid)
    rrt_sample_map_add(m->address, m->bytes, m->offset, m->path, m->build_id, id_bytes, time_ns);
}

static void take_mappings(struct ring *r) {
  for (uint64_t at = r->page->data_tail; at < r->head;) {
    const struct perf_event_header *header = record_at(r, at);
    if (header->type == PERF_RECORD_MMAP2 && header->size > sizeof(struct mapping))
      take_mapping((const struct mapping *)header);
    if (!header->size)
      return;
    at += header->size;
  }
}

static void take_registers(const struct sample *s, const struct registers *r) {
  uint64_t offset, values[RRT_POINTER_REGISTERS];
  uint32_t file = rrt_sample_map_find(s->address, s->time_ns, &offset);
  if (file == RRT_SAMPLE_UNMAPPED)
    return;
  rrt_copy(values, r->low, sizeof r->low);
  rrt_copy(values + LOW_REGISTERS, r->high, sizeof r->high);
  rrt_pointers_add(file, offset, values);
}

static int is_in_kernel(const struct sample *s) {
  return (s->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static void add_stack(const struct sample *s, uint32_t depth, int is_cut) {
  if (!depth && is_in_kernel(s))
    return;
  if (!depth) // the kernel had none: the sample has its place all the same
    state.stack[depth++] = s->address;
  rrt_sample_stacks_add(state.stack, depth, is_cut, is_in_kernel(s), s->time_ns,
                        rrt_sampling.period_ns);
}

// words: [count] of the stack, of which the kernel's own are left out
static void take_chain(const struct sample *s, const uint64_t *words, uint64_t count) {
  uint32_t depth = 0;
  for (uint64_t i = 0; i < count && depth < RRT_SAMPLE_DEPTH; i++)
    if (words[i] < (uint64_t)CONTEXTS_FROM)
      state.stack[depth++] = words[i];
  add_stack(s, depth, depth == process.samples.stack_depth);
}

struct copy {
  const char *data;
  uint64_t low, bytes;
};

static int read_copy(void *context, uint64_t address, uint64_t *out) {
  const struct copy *c = context;
  if (address < c->low || address - c->low > c->bytes ||
      c->bytes - (address - c->low) < sizeof *out)
    return -1;
  rrt_copy(out, c->data + (address - c->low), sizeof *out);
  return 0;
}

// Reading modules takes milliseconds, so not before there is a sample: the program's start is over.
static void update_modules(void) {
  uint32_t mappings = rrt_sample_map_changes();
  if (mappings == process.mappings)
    return;
  rrt_unwind_update();
  process.mappings = mappings;
}

static void take_copy(const struct sample *s, const struct registers *r, const char *data,
                      uint64_t bytes) {
  enum { BP = 6, SP = 7 }; // the kernel's numbers
  // In the kernel: where it was entered, and on return goes on.
  struct copy copy = {data, r->low[SP], bytes};
  struct rrt_unwind_frame frame = {is_in_kernel(s) ? r->pc : s->address, r->low[SP], r->low[BP]};
  uint32_t depth = 0;
  int more = 1;
  update_modules();
  state.stack[depth++] = frame.pc;
  while (depth < RRT_SAMPLE_DEPTH &&
         (more = rrt_unwind_step(&frame, depth > 1, read_copy, &copy)) > 0)
    state.stack[depth++] = frame.pc;
  add_stack(s, depth, more != 0);
}

// A number, so many bytes, and how many of them there are.
static void take_copied(const struct sample *s, const struct registers *r, const uint64_t *at,
                        uint64_t words) {
  uint64_t copied = words ? at[0] / sizeof *at : 0, bytes = 0;
  if (copied && copied + 1 < words)
    bytes = at[1 + copied] < at[0] ? at[1 + copied] : at[0];
  take_copy(s, r, (const char *)(at + 1), bytes);
}

static void take_sample(const struct sample *s) {
  const uint64_t *at = (const uint64_t *)(s + 1);
  uint64_t words = (s->header.size < RECORD_MAX ? s->header.size : RECORD_MAX) / sizeof *at;
  const uint64_t *end = (const uint64_t *)s + words;
  const struct rrt_sys_samples *samples = &process.samples;
  if (is_in_kernel(s))
    rrt_sample_add_kernel(rrt_sampling.period_ns);
  else
    rrt_sample_add(s->address, s->time_ns, rrt_sampling.period_ns);
  if (samples->stack_depth && at < end) {
    uint64_t left = (uint64_t)(end - at) - 1, count = *at < left ? *at : left;
    take_chain(s, at + 1, count);
    at += 1 + count;
  }
  const struct registers *r = (const struct registers *)at;
  int has_registers = samples->with_registers &&
                      (uint64_t)(end - at) >= REGISTERS_BYTES / sizeof *at && r->abi != 0;
  if (has_registers && process.with_pointers && !is_in_kernel(s))
    take_registers(s, r);
  if (!samples->stack_bytes)
    return;
  if (has_registers)
    take_copied(s, r, at + REGISTERS_BYTES / sizeof *at,
                (uint64_t)(end - at) - REGISTERS_BYTES / sizeof *at);
  else
    add_stack(s, 0, 0);
}

// Up to the first sample that is younger than `until_ns`.
static void take_samples(struct ring *r, uint64_t until_ns) {
  uint64_t at = r->page->data_tail;
  while (at < r->head) {
    const struct perf_event_header *header = record_at(r, at);
    if (header->type == PERF_RECORD_SAMPLE) {
      const struct sample *s = (const struct sample *)header;
      if (s->time_ns > until_ns)
        break;
      if (s->pid == rrt_session.pid)
        take_sample(s);
    } else if (header->type == PERF_RECORD_LOST) {
      rrt_sampling.lost += ((const uint64_t *)(header + 1))[1];
    }
    if (!header->size)
      break;
    at += header->size;
  }
  __atomic_store_n(&r->page->data_tail, at, __ATOMIC_RELEASE);
}

uint32_t rrt_sample_perf_drain(void) {
  uint64_t fullest = 0, until_ns = rrt_sys_monotonic_raw_ns();
  for (uint32_t i = 0; i < process.ring_count; i++) {
    struct ring *r = &state.rings[i];
    r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE); // pairs with the kernel's
    uint64_t permille = (r->head - r->page->data_tail) * 1000 / r->page->data_size;
    fullest = fullest < permille ? permille : fullest;
  }
  for (uint32_t i = 0; i < process.ring_count; i++)
    take_mappings(&state.rings[i]);
  if (process.with_pointers)
    rrt_pointers_begin();
  for (uint32_t i = 0; i < process.ring_count; i++)
    take_samples(&state.rings[i], until_ns);
  return (uint32_t)fullest;
}
