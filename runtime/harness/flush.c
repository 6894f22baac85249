// flush.c - the caches of this machine, and an array whose sweep takes their contents away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: the kernel's ABI/testing/sysfs-devices-system-cpu (cache); Intel SDM 2A, CPUID leaf 4;
// AMD64 Architecture Programmer's Manual 3, leaf 8000_001D, which has the same form.
#include "runtime/harness/flush.h"

#include "runtime/sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE_BYTES = 64, SWEEPS = 5 };

static void keep(struct harness_caches *out, unsigned level, uint64_t bytes) {
  uint64_t *place = level == 1 ? &out->l1d : level == 2 ? &out->l2 : level == 3 ? &out->l3 : NULL;
  if (place && !*place)
    *place = bytes;
}

static void read_from_kernel(struct harness_caches *out) {
  for (int i = 0; i < 8; i++) {
    static const char *const files[] = {"level", "type", "size"};
    char text[3][32];
    for (int f = 0; f < 3; f++) {
      char path[80];
      snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, files[f]);
      if (rrt_sys_read_file(path, text[f], sizeof(text[f])) <= 0)
        return;
    }
    char *unit;
    uint64_t size = strtoull(text[2], &unit, 10);
    size <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : *unit == 'G' ? 30 : 0;
    if (strncmp(text[1], "Instruction", 11) != 0)
      keep(out, (unsigned)atoi(text[0]), size);
  }
}

#if defined(__x86_64__)
static void cpuid(uint32_t leaf, uint32_t part, uint32_t r[4]) {
  __asm__ volatile("cpuid" : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3]) : "a"(leaf), "c"(part));
}

static void read_from_processor(struct harness_caches *out) {
  uint32_t r[4];
  cpuid(0, 0, r);
  uint32_t highest = r[0], leaf = 4;
  cpuid(0x80000000, 0, r);
  if (r[0] >= 0x8000001d) {
    cpuid(0x8000001d, 0, r);
    leaf = r[0] & 31 ? 0x8000001d : 4;
  }
  if (leaf == 4 && highest < 4)
    return;
  for (uint32_t part = 0; part < 8; part++) {
    cpuid(leaf, part, r);
    uint32_t type = r[0] & 31; // 0: no more; 2: instructions
    if (!type)
      return;
    if (type != 2)
      keep(out, r[0] >> 5 & 7,
           (uint64_t)((r[1] >> 22) + 1) * ((r[1] >> 12 & 1023) + 1) * ((r[1] & 4095) + 1) *
               ((uint64_t)r[2] + 1));
  }
}
#else
static void read_from_processor(struct harness_caches *out) { (void)out; }
#endif

void harness_caches_read(struct harness_caches *out) {
  *out = (struct harness_caches){0, 0, 0};
  read_from_kernel(out);
  read_from_processor(out);
}

static uint64_t free_bytes(void) {
  static char text[4096];
  if (rrt_sys_read_file("/proc/meminfo", text, sizeof(text)) <= 0)
    return UINT64_MAX;
  const char *line = strstr(text, "MemAvailable:");
  return line ? strtoull(line + strlen("MemAvailable:"), NULL, 10) << 10 : UINT64_MAX;
}

int harness_flush_open(size_t bytes, struct harness_flush *out) {
  *out = (struct harness_flush){NULL, bytes, 0};
  if (!bytes)
    return 0;
  if (bytes > free_bytes() / 2)
    return -1;
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return -1;
  madvise(memory, bytes, MADV_HUGEPAGE); // else most of the time goes into the first touch
  out->array = memory;
  harness_flush_sweep(out); // the first touch maps the pages
  uint64_t fastest = UINT64_MAX;
  for (int i = 0; i < SWEEPS; i++) {
    uint64_t start = rrt_sys_monotonic_raw_ns();
    harness_flush_sweep(out);
    uint64_t taken = rrt_sys_monotonic_raw_ns() - start;
    fastest = taken < fastest ? taken : fastest;
    if (taken > 20000000) // 20 ms: once is enough
      break;
  }
  out->sweep_ns = (double)fastest;
  return 0;
}

void harness_flush_close(struct harness_flush *flush) {
  if (flush->array)
    munmap(flush->array, flush->bytes);
  flush->array = NULL;
}

void harness_flush_sweep(const struct harness_flush *flush) {
  volatile unsigned char *array = flush->array;
  for (size_t i = 0; array && i < flush->bytes; i += LINE_BYTES)
    array[i]++;
}
