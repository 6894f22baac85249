// unit_sample_perf.c - a ring as the kernel fills it: samples, mappings, losses, cut records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"

// The file under test, over a ring of ours instead of the kernel's.
static int with_copies;
#define RRT_SAMPLE_COPIES with_copies
#include "runtime/feature/sample/sample_perf.c"

enum { BYTES = 4096, PAGE = 4096 };
static char memory[PAGE + BYTES] __attribute__((aligned(4096)));
static struct perf_event_mmap_page *const page = (void *)memory;

struct rrt_session rrt_session = {.pid = 42};
struct rrt_options rrt_options;
struct reticle_file_sampling rrt_sampling;
static uint64_t now_ns, samples_taken, addresses, mapped_bytes;

static int wanted, asked_for; // registers
static uint64_t begun, pointers, fourth;

static int with_stacks; // asked for by the option
static int no_stacks;   // the kernel can't
static uint32_t asked_depth, asked_bytes, kernel_depth, cuts, updates;
static uint64_t stacks, stack_words, stack_sum, kernel_samples, kernel_stacks;
static int kernel_error; // where samples in the kernel are asked for

int rrt_sys_open_samples(uint32_t tid, uint32_t cpu, const struct rrt_sys_samples *samples) {
  (void)tid, (void)cpu;
  if (samples->with_kernel && kernel_error)
    return kernel_error;
  asked_for = samples->with_registers;
  asked_depth = samples->stack_depth;
  asked_bytes = samples->stack_bytes;
  if ((samples->stack_depth || samples->stack_bytes) && no_stacks)
    return -ENOMEM;
  return 7;
}
uint32_t rrt_sample_map_changes(void) { return 1; }
void rrt_unwind_update(void) { updates++; }
int rrt_sample_has_stacks(void) { return with_stacks; }
uint32_t rrt_sys_stack_depth(void) { return kernel_depth; }
void rrt_sample_stacks_add(const uint64_t *at, uint32_t count, int is_cut, int in_kernel,
                           uint64_t time_ns, uint64_t period_ns) {
  CHECK_EQUAL(time_ns, 10);
  CHECK_EQUAL(period_ns, rrt_sampling.period_ns);
  stacks++;
  kernel_stacks += in_kernel != 0;
  cuts += is_cut != 0;
  stack_words += count;
  for (uint32_t i = 0; i < count; i++)
    stack_sum += at[i];
}
int rrt_pointers_wanted(void) { return wanted; }
void rrt_pointers_begin(void) { begun++; }
void rrt_pointers_add(uint32_t file, uint64_t offset, const uint64_t *registers) {
  CHECK_EQUAL(file, 3);
  CHECK_EQUAL(offset, 77);
  pointers++;
  fourth += registers[4];
}
uint32_t rrt_sample_map_find(uint64_t address, uint64_t time_ns, uint64_t *offset) {
  (void)time_ns;
  *offset = 77;
  return address < 1000 ? 3 : RRT_SAMPLE_UNMAPPED;
}
int rrt_sys_join_samples(int fd, int first) { return fd - first; }
void *rrt_sys_map_samples(int fd, uint64_t bytes, int *error) {
  (void)fd, (void)bytes, (void)error;
  page->data_offset = PAGE;
  page->data_size = BYTES;
  return page;
}
uint32_t rrt_sys_online_cpus(uint32_t *out, uint32_t most) {
  (void)most;
  out[0] = 0;
  return 1;
}
void rrt_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
void rrt_sys_close(int fd) { (void)fd; }
void rrt_sys_unmap(void *at, size_t bytes) { (void)at, (void)bytes; }
uint64_t rrt_sys_monotonic_raw_ns(void) { return now_ns; }
void rrt_sample_add(uint64_t address, uint64_t time_ns, uint64_t period_ns) {
  (void)time_ns, (void)period_ns;
  samples_taken++;
  addresses += address;
}
void rrt_sample_add_kernel(uint64_t period_ns) {
  CHECK_EQUAL(period_ns, rrt_sampling.period_ns);
  kernel_samples++;
}
void rrt_sample_map_add(uint64_t low, uint64_t bytes, uint64_t offset, const char *path,
                        const unsigned char *build_id, uint32_t build_id_bytes, uint64_t time_ns) {
  (void)low, (void)offset, (void)build_id, (void)build_id_bytes, (void)time_ns;
  CHECK_TEXT(path, "/a");
  mapped_bytes += bytes;
}

/// As the kernel writes: over the ring's end to its start.
static void put(const void *record, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    memory[PAGE + (page->data_head + i) % BYTES] = ((const char *)record)[i];
  page->data_head += bytes;
}

static void put_sample(uint32_t pid, uint64_t address, uint64_t time_ns) {
  struct sample s = {{PERF_RECORD_SAMPLE, 0, sizeof s}, address, pid, pid, time_ns};
  put(&s, sizeof s);
}

static void put_lost(uint64_t count) {
  struct {
    struct perf_event_header header;
    uint64_t id, lost, sample_id[2];
  } r = {{PERF_RECORD_LOST, 0, sizeof r}, 1, count, {0, 0}};
  put(&r, sizeof r);
}

static void put_mapping(uint32_t pid, uint64_t bytes) {
  char record[sizeof(struct mapping) + 24] __attribute__((aligned(8))) = {0};
  struct mapping m = {.header = {PERF_RECORD_MMAP2, 0, sizeof record}, .pid = pid, .bytes = bytes};
  memcpy(record, &m, sizeof m);
  memcpy(record + sizeof m, "/a", 3); // then the thread, and the time
  put(record, sizeof record);
}

static void start(void) {
  const uint32_t thread = 42;
  memset(memory, 0, sizeof memory);
  memset(&rrt_sampling, 0, sizeof rrt_sampling);
  samples_taken = addresses = mapped_bytes = 0;
  CHECK_EQUAL(rrt_sample_perf_start(&thread, 1, 2004008), 0);
}

// What the kernel could not write is counted, from every record of loss, also of a ring that is
// full again.
static void test_lost(void) {
  start();
  now_ns = 1000;
  for (int i = 0; i < 100; i++)
    put_sample(42, 1, 10);
  put_lost(5);
  put_lost(1u << 20);
  CHECK(rrt_sample_perf_drain() > 700); // so full that the sideline comes sooner
  CHECK_EQUAL(samples_taken, 100);
  CHECK_EQUAL(rrt_sampling.lost, 5 + (1u << 20));
  put_sample(42, 1, 20);
  put_lost(2);
  rrt_sample_perf_drain();
  CHECK_EQUAL(samples_taken, 101);
  CHECK_EQUAL(rrt_sampling.lost, 7 + (1u << 20));
  CHECK_EQUAL(page->data_tail, page->data_head);
}

// Others' records aren't ours; younger ones wait; mappings behind them are known before.
static void test_chosen(void) {
  start();
  now_ns = 1000;
  put_sample(42, 3, 10);
  put_sample(43, 100, 11); // a child's
  put_mapping(42, 64);
  put_mapping(43, 128);
  put_sample(42, 5, 2000);
  rrt_sample_perf_drain();
  CHECK_EQUAL(samples_taken, 1);
  CHECK_EQUAL(mapped_bytes, 64);
  now_ns = 3000;
  rrt_sample_perf_drain();
  CHECK_EQUAL(samples_taken, 2);
  CHECK_EQUAL(addresses, 8);
}

// Records of all kinds around the ring's end, many times.
static void test_cut(void) {
  start();
  now_ns = UINT64_MAX;
  for (int i = 0; i < 5000; i++) {
    put_sample(42, 1, 10);
    put_mapping(42, 1);
    put_lost(1);
    rrt_sample_perf_drain();
  }
  CHECK_EQUAL(samples_taken, 5000);
  CHECK_EQUAL(rrt_sampling.lost, 5000);
  CHECK(mapped_bytes >= 5000);
}

// Registers come behind the sample, also where the ring's end cuts them; a sample without, of a
// thread that has none, or at no load file is a sample all the same.
static void test_registers(void) {
  wanted = 1;
  start();
  CHECK_EQUAL(asked_for, 1);
  now_ns = UINT64_MAX;
  for (uint64_t i = 0; i < 100; i++) {
    struct {
      struct sample sample;
      struct registers registers;
    } s = {{{PERF_RECORD_SAMPLE, 0, sizeof s}, i % 3 ? 1 : 5000, 42, 42, 10}, {.abi = i % 2}};
    s.registers.low[4] = i;
    put(&s, sizeof s);
    put_sample(42, 1, 10);
    rrt_sample_perf_drain();
  }
  CHECK_EQUAL(samples_taken, 200);
  CHECK_EQUAL(begun, 100);
  CHECK_EQUAL(pointers, 33);           // odd, and not a multiple of three
  CHECK_EQUAL(fourth, 2500 - 51 * 17); // odd numbers less odd multiples of three: 3 + 9 + ... + 99
  wanted = 0;
  start();
  CHECK_EQUAL(asked_for, 0);
}

// Stacks stand between the sample and its registers; the kernel's words are no addresses; one that
// is as deep as may be is cut; one that claims more words than its record has ends with it.
static void test_stacks(void) {
  struct {
    struct sample sample;
    uint64_t count, words[4];
    struct registers registers;
  } s = {{{PERF_RECORD_SAMPLE, 0, sizeof s}, 100, 42, 42, 10},
         4,
         {(uint64_t)-512, 100, 20, 3},
         {.abi = 1}};
  wanted = with_stacks = 1;
  kernel_depth = 3;
  start();
  CHECK_EQUAL(asked_depth, 3);
  now_ns = UINT64_MAX;
  pointers = 0;
  for (int i = 0; i < 100; i++) {
    put(&s, sizeof s);
    rrt_sample_perf_drain();
  }
  CHECK_EQUAL(samples_taken, 100);
  CHECK_EQUAL(stacks, 100);
  CHECK_EQUAL(cuts, 100);
  CHECK_EQUAL(stack_words, 300);
  CHECK_EQUAL(stack_sum, 12300);
  CHECK_EQUAL(pointers, 100);
  kernel_depth = 1000;
  start();
  CHECK_EQUAL(asked_depth, RRT_SAMPLE_DEPTH);
  stacks = cuts = stack_words = pointers = 0;
  s.count = UINT64_MAX;
  put(&s, sizeof s);
  rrt_sample_perf_drain();
  CHECK_EQUAL(stacks, 1);
  CHECK_EQUAL(cuts, 0);
  CHECK_EQUAL(stack_words, 3 + 18); // what was meant for registers, too
  CHECK_EQUAL(pointers, 0);
  // A record without.
  put_sample(42, 77, 10);
  stacks = stack_words = stack_sum = 0;
  rrt_sample_perf_drain();
  CHECK_EQUAL(stacks, 0);
  // Where there can be none, samples come without.
  no_stacks = 1;
  start();
  CHECK_EQUAL(asked_depth, 0);
  put_sample(42, 77, 10);
  rrt_sample_perf_drain();
  CHECK_EQUAL(samples_taken, 1);
  CHECK_EQUAL(stacks, 0);
  wanted = with_stacks = 0;
}

// Where the kernel copies the stack's upper end, frames are undone by rules; a copy that is too
// short for the next frame is cut.
static void test_copies(void) {
  enum { BYTES_COPIED = 64 };
  struct {
    struct sample sample;
    struct registers registers;
    uint64_t bytes, words[BYTES_COPIED / 8], there;
  } s = {{{PERF_RECORD_SAMPLE, 0, sizeof s}, 0x10010, 42, 42, 10},
         {.abi = 1},
         BYTES_COPIED,
         // 0x10010 has its frame of two words above sp, 0x10050 one by the frame pointer.
         {7, 7, 0x10050, 8, 0x9010, 0x10090, 9, 0},
         BYTES_COPIED};
  static const struct rrt_unwind_row rows[] = {{0, 24 * 4 + RRT_UNWIND_SP, RRT_UNWIND_SAME, -1},
                                               {0x40, 16 * 4 + RRT_UNWIND_FP, -2, -1},
                                               {0x80, 8 * 4 + RRT_UNWIND_SP, 0, RRT_UNWIND_OUTER}};
  static const struct rrt_unwind_module module = {0x10000, 0x11000, 0x10000, rows, 3};
  static const struct rrt_unwind_modules modules = {1, &module};
  rrt_unwind_publish(&modules);
  s.registers.low[7] = 0x9000; // sp
  s.registers.low[6] = 0x9020; // bp
  wanted = no_stacks = 0;
  with_copies = with_stacks = 1;
  start();
  CHECK_EQUAL(asked_bytes, COPY_BYTES);
  CHECK_EQUAL(asked_depth, 0);
  CHECK_EQUAL(asked_for, 1);
  now_ns = UINT64_MAX;
  stacks = cuts = stack_words = stack_sum = pointers = updates = 0;
  put(&s, sizeof s);
  rrt_sample_perf_drain();
  rrt_sample_perf_drain();
  CHECK_EQUAL(updates, 1); // modules are as they were
  CHECK_EQUAL(stacks, 1);
  CHECK_EQUAL(cuts, 0);
  CHECK_EQUAL(stack_words, 3);
  CHECK_EQUAL(stack_sum, 0x10010 + 0x10050 + 0x10090);
  CHECK_EQUAL(pointers, 0); // nobody asked for them
  s.there = 32;             // all that the stack has
  put(&s, sizeof s);
  rrt_sample_perf_drain();
  CHECK_EQUAL(stack_words, 3 + 2);
  CHECK_EQUAL(cuts, 1);
  // In the kernel, which was entered at 0x10050: no sample of the program's code.
  uint64_t before = samples_taken;
  struct sample user = s.sample;
  s.sample.header.misc = PERF_RECORD_MISC_KERNEL;
  s.sample.address = UINT64_MAX - 77;
  s.registers.pc = 0x10050;
  s.registers.low[7] = 0x9020; // sp
  s.there = BYTES_COPIED;
  stack_sum = kernel_stacks = kernel_samples = 0;
  put(&s, sizeof s);
  rrt_sample_perf_drain();
  CHECK_EQUAL(kernel_samples, 1);
  CHECK_EQUAL(kernel_stacks, 1);
  CHECK(stack_sum >= 0x10050);
  CHECK_EQUAL(samples_taken, before);
  stack_words = 3 + 2;
  s.sample = user;
  s.bytes = UINT64_MAX; // none
  put(&s, sizeof s);
  s.registers.abi = 0;
  put(&s, sizeof s);
  rrt_sample_perf_drain();
  CHECK_EQUAL(stack_words, 3 + 2 + 1 + 1);
  no_stacks = 1;
  start();
  CHECK_EQUAL(asked_bytes, 0);
  CHECK_EQUAL(asked_for, 0);
  with_copies = with_stacks = no_stacks = 0;
}

// Samples in the kernel are asked for first; a user who may not have them gets the others.
static void test_kernel_denied(void) {
  start();
  CHECK_EQUAL(rrt_sampling.kernel_errno, 0);
  kernel_error = -EACCES;
  start();
  CHECK_EQUAL(rrt_sampling.kernel_errno, EACCES);
  kernel_error = 0;
}

int main(void) {
  RUN(test_lost);
  RUN(test_kernel_denied);
  RUN(test_chosen);
  RUN(test_cut);
  RUN(test_registers);
  RUN(test_stacks);
  RUN(test_copies);
  return unit_status();
}
