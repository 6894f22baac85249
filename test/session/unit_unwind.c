// unit_unwind.c - rules of this program's own frames lead to the callers that libgcc finds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // dl_iterate_phdr
#include "runtime/feature/sample/unwind.h"
#include "runtime/sys/sys.h"
#include "test/unit.h"

#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, CUTS = 2000 };

// Of the program's own module.
static uint64_t base, high, header, header_high;

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  base = UINT64_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uint64_t low = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_GNU_EH_FRAME)
      header = low;
    if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
      base = low < base ? low : base;
      high = low + p->p_memsz;
    }
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uint64_t low = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_LOAD && low <= header && header < low + p->p_filesz)
      header_high = low + p->p_filesz;
  }
  return 1;
}

static int read_rows(struct rrt_unwind_rows *rows) {
  return rrt_unwind_rows_read((const unsigned char *)header, header_high - header, header, header,
                              base, rows);
}

static int read_word(void *context, uint64_t address, uint64_t *out) {
  (void)context;
  memcpy(out, (const void *)address, sizeof *out);
  return 0;
}

static uint64_t found[DEPTH_MAX];
static void *expected[DEPTH_MAX];
static int found_count, expected_count;

__attribute__((noinline)) static void look(void) {
#if defined(__x86_64__)
  struct rrt_unwind_frame f;
  __asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2"
                   : "=r"(f.pc), "=r"(f.sp), "=r"(f.fp));
  found_count = 0;
  found[found_count++] = f.pc;
  while (found_count < DEPTH_MAX && rrt_unwind_step(&f, found_count > 1, read_word, NULL) > 0)
    found[found_count++] = f.pc;
  expected_count = backtrace(expected, DEPTH_MAX);
#endif
}

// Frames of many sizes, none the last thing of its function.
__attribute__((noinline)) static int descend(int n, int bytes) {
  volatile char room[bytes + 1];
  room[bytes] = (char)n;
  if (n)
    descend(n - 1, 3 * bytes % 700 + 1);
  else
    look();
  return room[bytes];
}

static void test_own(void) {
#if defined(__x86_64__)
  struct rrt_unwind_rows rows;
  CHECK_EQUAL(read_rows(&rows), 0);
  CHECK(rows.count > 100);
  for (uint32_t i = 1; i < rows.count; i++)
    CHECK(rows.list[i - 1].at < rows.list[i].at);
  struct rrt_unwind_module module = {base, high, base, rows.list, rows.count};
  struct rrt_unwind_modules modules = {1, &module};
  rrt_unwind_publish(&modules);
  descend(20, 40);
  // look, descend 21 times, this function and those up to main: all of this module. In front of
  // them may be a sanitizer's frame.
  int in_front = 0;
  while (in_front < expected_count && (uint64_t)expected[in_front] - (uint64_t)look > 1000)
    in_front++;
  CHECK(found_count >= 24);
  CHECK(expected_count - in_front >= 24);
  for (int i = 1; i < 24; i++)
    CHECK_EQUAL(found[i], (uint64_t)expected[in_front + i]);
  rrt_unwind_publish(NULL);
#endif
}

// What another program wrote may be cut or wrong anywhere.
static void test_hostile(void) {
#if defined(__x86_64__)
  uint64_t bytes = header_high - header;
  unsigned char *copy = malloc(bytes);
  unsigned random = 1;
  for (int i = 0; i < CUTS; i++) {
    struct rrt_unwind_rows rows;
    random = random * 1664525u + 1013904223u;
    uint64_t cut = i % 2 ? bytes : random % bytes;
    memcpy(copy, (const void *)header, bytes);
    for (int k = 0; i % 2 && k < 40; k++) {
      random = random * 1664525u + 1013904223u;
      copy[12 + random % (bytes - 12)] = (unsigned char)(random >> 24);
    }
    unsigned char *exact = malloc(cut ? cut : 1);
    memcpy(exact, copy, cut);
    rrt_unwind_rows_read(exact, cut, header, header, base, &rows);
    for (uint32_t k = 1; k < rows.count; k++)
      CHECK(rows.list[k - 1].at < rows.list[k].at);
    if (rows.list)
      rrt_sys_unmap(rows.list, rows.room * sizeof *rows.list);
    free(exact);
  }
  free(copy);
#endif
}

static const struct rrt_unwind_row rules[] = {
    {0, RRT_UNWIND_NONE, 0, 0},             // as the frame pointer says
    {0x10, 8 * 4 + RRT_UNWIND_SP, 0, -1},   // at a function's begin
    {0x11, 16 * 4 + RRT_UNWIND_SP, -2, -1}, // behind the push
    {0x14, 16 * 4 + RRT_UNWIND_FP, -2, -1}, // with a frame pointer
    {0x20, 11 * 4 + RRT_UNWIND_PLT, 0, -1}, // a stub
    {0x30, 8 * 4 + RRT_UNWIND_SP, RRT_UNWIND_LOST, -1},
    {0x40, 8 * 4 + RRT_UNWIND_SP, 0, RRT_UNWIND_OUTER},
    {0x50, -8 * 4 + RRT_UNWIND_SP, 0, -1}, // below the stack pointer: never true
};

static int step(uint64_t pc, struct rrt_unwind_frame *f, uint64_t *words) {
  *f = (struct rrt_unwind_frame){pc, (uint64_t)words, (uint64_t)(words + 4)};
  return rrt_unwind_step(f, 0, read_word, NULL);
}

static void test_rules(void) {
  const struct rrt_unwind_module module = {0x100000, 0x100060, 0x100000, rules,
                                           sizeof rules / sizeof *rules};
  const struct rrt_unwind_modules modules = {1, &module};
  uint64_t words[8] = {0x5000, 0x6000, 0x7000, 0x8000, 0x9000, 0xa000, 0xb000, 0xc000};
  struct rrt_unwind_frame f;
  rrt_unwind_publish(&modules);
  words[4] = (uint64_t)(words + 6);
  CHECK(step(0x100010, &f, words) == 1 && f.pc == 0x5000 && f.sp == (uint64_t)(words + 1) &&
        f.fp == (uint64_t)(words + 4));
  CHECK(step(0x100013, &f, words) == 1 && f.pc == 0x6000 && f.fp == 0x5000);
  CHECK(step(0x100014, &f, words) == 1 && f.pc == 0xa000 && f.fp == (uint64_t)(words + 6));
  CHECK(step(0x100020, &f, words) == 1 && f.pc == 0x5000);
  CHECK(step(0x10002b, &f, words) == 1 && f.pc == 0x6000);
  CHECK(step(0x100030, &f, words) == 1 && f.pc == 0x5000 && f.fp == 0);
  CHECK(step(0x100040, &f, words) == 0 && f.pc == 0x100040);
  CHECK(step(0x100050, &f, words) == 0);
  CHECK(step(0x100005, &f, words) == 1 && f.pc == 0xa000); // no rule
  CHECK(step(0x100060, &f, words) == 1 && f.pc == 0xa000); // no module
  // A return address is behind its call, which may be a function's last instruction.
  f = (struct rrt_unwind_frame){0x100011, (uint64_t)words, 0};
  CHECK(rrt_unwind_step(&f, 1, read_word, NULL) == 1 && f.pc == 0x5000);
  rrt_unwind_publish(NULL);
  CHECK(step(0x100010, &f, words) == 1 && f.pc == 0xa000);
}

int main(void) {
  dl_iterate_phdr(visit, NULL);
  RUN(test_rules);
  RUN(test_own);
  RUN(test_hostile);
  return unit_status();
}
