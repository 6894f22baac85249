// pointers.c - a table of places, registers and sites, and the samples that met there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/sample/pointers.h"

#include "runtime/feature/sample/sample_parts.h"
#include "runtime/heap/heap.h"
#include "runtime/probe/shadow.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

enum {
  SLOTS = 16384,   // 512 KB, mapped at the first sample
  EACH_DRAIN = 32, // samples looked at: about 1 ms where every register needs a look at the kernel
};

struct slot {
  uint64_t offset, samples; // samples 0: free
  uint32_t file, site;
  uint32_t reg;
};

static struct slot *slots; // [SLOTS]
static struct {
  uint32_t used, left;
} process RRT_PER_PROCESS;

#if defined(__x86_64__)
// Numbers that instructions have for the kernel's ax bx cx dx si di bp sp.
static uint32_t number_of(uint32_t i) {
  static const uint8_t first[8] = {0, 3, 1, 2, 6, 7, 5, 4};
  return i < 8 ? first[i] : i;
}
int rrt_pointers_wanted(void) { return rrt_shadow.on != 0; }
#else
static uint32_t number_of(uint32_t i) { return i; }
int rrt_pointers_wanted(void) { return 0; }
#endif

void rrt_pointers_begin(void) {
  process.left = EACH_DRAIN;
  rrt_heap_owner_begin();
}

// Where the table is full nothing more is counted, not even samples: shares stay what they were.
static struct slot *find(uint32_t file, uint64_t offset, uint32_t reg, uint32_t site) {
  uint64_t hash = (offset + ((uint64_t)file << 48) + ((uint64_t)reg << 40)) ^ (uint64_t)site << 20;
  uint32_t at = (uint32_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SLOTS;
  for (;; at = (at + 1) % SLOTS) {
    struct slot *s = &slots[at];
    if (!s->samples) {
      process.used++;
      *s = (struct slot){.offset = offset, .file = file, .site = site, .reg = reg};
      return s;
    }
    if (s->offset == offset && s->file == file && s->reg == reg && s->site == site)
      return s;
  }
}

void rrt_pointers_add(uint32_t file, uint64_t offset, const uint64_t *registers) {
  if (!process.left || process.used > SLOTS - SLOTS / 4)
    return;
  process.left--;
  if (!slots && !(slots = rrt_sys_map(SLOTS * sizeof *slots)))
    return;
  find(file, offset, RETICLE_POINTER_ALL, 0)->samples++;
  for (uint32_t i = 0; i < RRT_POINTER_REGISTERS; i++) {
    uint32_t site = number_of(i) == 4 ? 0 : rrt_heap_owner(registers[i]); // not the stack pointer
    if (site)
      find(file, offset, number_of(i), site)->samples++;
  }
}

void rrt_pointers_clear(void) {
  if (slots)
    rrt_zero(slots, SLOTS * sizeof *slots);
  process.used = 0;
}

int rrt_pointers_any(void) { return process.used != 0; }

void rrt_pointers_visit(void (*write)(const struct reticle_file_pointer *record)) {
  uint32_t count;
  const struct reticle_file_loadfile *files = rrt_sample_files(&count);
  for (uint32_t i = 0; slots && i < SLOTS; i++) {
    const struct slot *s = &slots[i];
    if (!s->samples || s->file >= count)
      continue;
    struct reticle_file_pointer record = {.module = files[s->file].path,
                                          .build_id = files[s->file].build_id,
                                          .offset = s->offset,
                                          .samples = s->samples,
                                          .reg = s->reg};
    if (s->site)
      record.site = rrt_heap_site_id(s->site);
    write(&record);
  }
}
