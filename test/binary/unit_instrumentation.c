// unit_instrumentation.c - counters, gates and marks by their bytes, and what only looks like them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/binary/block/block_probe.h"
#include "tools/binary/block/instrumentation.h"

#include <string.h>

// What the linker gives a program with Reticle: a mask of marks, a counter's word, a cell.
uint64_t __reticle_shadow_mask_test, program_word;
_Thread_local int before = 1, __reticle_cells_test[4], program_cell = 1;
void __reticle_loop_test(void);
__attribute__((noinline)) void __reticle_loop_test(void) { __asm__ volatile(""); }
void __reticle_of_test(void);
__attribute__((noinline)) void __reticle_of_test(void) { __asm__ volatile(""); }

#define FIND(...) find((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
/// The linker's: where addresses in the file start from.
extern const char __executable_start[];
#define LINK_TIME(address) ((int64_t)(address) - (int64_t)__executable_start)
/// Where the code is said to lie.
#define CODE 0x1000

static struct instrumentation *own;

/// Bit i: the instruction that starts at byte i is instrumentation.
static uint64_t find(const uint8_t *code, size_t bytes) {
  bool found[64];
  uint64_t bits = 0;
  size_t count = instrumentation_find(own, code, bytes, CODE, found);
  for (size_t i = 0; i < bytes; i++)
    bits |= (uint64_t)found[i] << i;
  CHECK_EQUAL(count, __builtin_popcountll(bits));
  return bits;
}

static void put(uint8_t *to, int64_t value) { memcpy(to, &(int32_t){(int32_t)value}, 4); }

static void test_names(void) {
  CHECK(instrumentation_has_function("__reticle_loop_begin"));
  CHECK(instrumentation_has_function("rrt_object_fold"));
  CHECK(!instrumentation_has_function("reticle_main"));
  CHECK(!instrumentation_has_function("my_rrt_fold"));
}

static void test_counters(void) {
  // inc qword gs:[rip + 16]; inc qword gs:[0x32ee0]; inc qword [rip + 16]
  CHECK_EQUAL(FIND(0x65, 0x48, 0xff, 0x05, 16, 0, 0, 0), 1);
  CHECK_EQUAL(FIND(0x65, 0x48, 0xff, 0x04, 0x25, 0xe0, 0x2e, 0x03, 0), 1);
  CHECK_EQUAL(FIND(0x48, 0xff, 0x05, 16, 0, 0, 0), 0);
  // add gs:[rip + 16], rax; jne: nothing of the program's asks for these flags
  CHECK_EQUAL(FIND(0x65, 0x48, 0x01, 0x05, 16, 0, 0, 0, 0x75, 0x10), 1 | 1 << 8);
  // mov rax, gs:[rip + 16]; jne: that keeps the flags, which may be the program's
  CHECK_EQUAL(FIND(0x65, 0x48, 0x8b, 0x05, 16, 0, 0, 0, 0x75, 0x10), 1);
}

static void test_gates(void) {
  uint8_t gate[] = {0x64, 0xff, 0x0c, 0x25, 0, 0, 0, 0, 0x78, 0x10}; // dec dword fs:[disp]; js
  int64_t thread;
  __asm__("movq %%fs:0, %0" : "=r"(thread));
  put(gate + 4, (int64_t)&__reticle_cells_test[3] - thread);
  CHECK_EQUAL(find(gate, sizeof(gate)), 1 | 1 << 8);
  put(gate + 4, (int64_t)&program_cell - thread);
  CHECK_EQUAL(find(gate, sizeof(gate)), 0);
  put(gate + 4, (int64_t)&before - thread);
  CHECK_EQUAL(find(gate, sizeof(gate)), 0);
  // mov rax, fs:[0x28]; mov rax, fs:[0]; mov rax, fs:[rax]
  CHECK_EQUAL(FIND(0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0), 0);
  CHECK_EQUAL(FIND(0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0), 0);
  CHECK_EQUAL(FIND(0x64, 0x48, 0x8b, 0x00), 0);
}

static void test_cold_call(void) {
  // lea rsp, [rsp - 128]; push 0; call [rip]; lfence; lea rsp, [rsp + 176]; ret
  CHECK_EQUAL(FIND(0x48, 0x8d, 0x64, 0x24, 0x80, 0x6a, 0, 0xff, 0x15, 0, 0, 0, 0, 0x0f, 0xae, 0xe8,
                   0x48, 0x8d, 0xa4, 0x24, 0xb0, 0, 0, 0, 0xc3),
              1 | 1 << 5 | 1 << 7 | 1 << 13 | 1 << 16);
  // the same without the way back
  CHECK_EQUAL(FIND(0x48, 0x8d, 0x64, 0x24, 0x80, 0x6a, 0, 0xff, 0x15, 0, 0, 0, 0, 0xc3), 0);
}

static void test_cold_call_with_site(void) {
  // add rsp, -128; push -1; call; test al, 3; test eax, unit; test eax, cells; lfence; ret
  CHECK_EQUAL(FIND(0x48, 0x83, 0xc4, 0x80, 0x6a, 0xff, 0xe8, 0, 0, 0, 0, 0xa8, 3, 0xa9, 1, 2, 3, 4,
                   0xa9, 0, 0, 0, 0, 0x0f, 0xae, 0xe8, 0xc3),
              1 | 1 << 4 | 1 << 6 | 1 << 11 | 1 << 13 | 1 << 18 | 1 << 23);
  // frame and work in registers; a long number; no cells; lea rsp, [rsp + 8]
  CHECK_EQUAL(FIND(0x48, 0x83, 0xc4, 0x80, 0x55, 0x41, 0x57, 0xff, 0x15, 0, 0, 0, 0, 0xa9, 40, 0, 0,
                   0x10, 0xa9, 1, 2, 3, 4, 0x48, 0x8d, 0x64, 0x24, 8, 0x0f, 0xae, 0xe8),
              1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 13 | 1 << 18 | 1 << 23 | 1 << 28);
  // The unit is far: jmp over 8 bytes, which decode as two instructions.
  CHECK_EQUAL(FIND(0x48, 0x83, 0xc4, 0x80, 0x50, 0xff, 0x10, 0xa9, 0, 0, 0, 0x80, 0xeb, 8, 0xa9, 0,
                   0, 0, 0, 0x66, 0x90, 0x90, 0x0f, 0xae, 0xe8),
              1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 12 | 1 << 14 | 1 << 19 | 1 << 21 | 1 << 22);
  // of ABI 6
  CHECK_EQUAL(FIND(0x48, 0x8d, 0x64, 0x24, 0x80, 0x6a, 0, 0x6a, 0xff, 0xe8, 0, 0, 0, 0, 0xa9, 0, 0,
                   0, 0, 0x48, 0xa9, 0, 0, 0, 0, 0x0f, 0xae, 0xe8),
              1 | 1 << 5 | 1 << 7 | 1 << 9 | 1 << 14 | 1 << 19 | 1 << 25);
  // A compiler's frame of 128 bytes, and a call of the program's: neither a push nor a site.
  CHECK_EQUAL(FIND(0x48, 0x83, 0xc4, 0x80, 0x90, 0xe8, 0, 0, 0, 0, 0xa8, 3, 0x0f, 0xae, 0xe8), 0);
  CHECK_EQUAL(FIND(0x48, 0x83, 0xc4, 0x80, 0xe8, 0, 0, 0, 0, 0x0f, 0xae, 0xe8), 0);
  CHECK_EQUAL(FIND(0x48, 0x83, 0xc4, 0x80, 0xe8, 0, 0, 0, 0, 0xa8), 0);
}

static void test_block_is_probe(void) {
  const uint8_t probe[] = {0x90, 0x48, 0x83, 0xc4, 0x80, 0x6a, 0xff, 0xe8, 0,    0,    0,
                           0,    0xa8, 3,    0xa9, 1,    2,    3,    4,    0x0f, 0xae, 0xe8};
  const uint8_t calls[] = {0x48, 0x83, 0xc4, 0x80, 0xe8, 0, 0, 0, 0, 0xa8, 3};
  const uint8_t both[] = {0x48, 0x83, 0xc4, 0x80, 0x6a, 0xff, 0xe8, 0,    0,    0, 0, 0xa8, 3,
                          0xa9, 1,    2,    3,    4,    0x0f, 0xae, 0xe8, 0xe8, 0, 0, 0,    0};
  struct block block = {
      .address = CODE, .flags = BLOCK_HAS_CALL, .code = probe, .bytes = sizeof(probe)};
  CHECK(block_is_probe(&block));
  block.flags = 0;
  CHECK(!block_is_probe(&block));
  block = (struct block){
      .address = CODE, .flags = BLOCK_HAS_CALL, .code = calls, .bytes = sizeof(calls)};
  CHECK(!block_is_probe(&block));
  block =
      (struct block){.address = CODE, .flags = BLOCK_HAS_CALL, .code = both, .bytes = sizeof(both)};
  CHECK(!block_is_probe(&block));
}

static void test_marks(void) {
  // mov rdx, rcx; shr rdx, 2; and rdx, rdi; cmp byte [rdx + 0x7fff8000], 1; jne
  CHECK_EQUAL(FIND(0x48, 0x89, 0xca, 0x48, 0xc1, 0xea, 0x02, 0x48, 0x21, 0xfa, 0x80, 0xba, 0, 0x80,
                   0xff, 0x7f, 0x01, 0x75, 0x10),
              1 | 1 << 3 | 1 << 7 | 1 << 10 | 1 << 17);
  // mov rax, rcx; shr rdx, 2; and rdx, rdi; mov byte [rdx + 0x7fff8010], 1; jne
  CHECK_EQUAL(FIND(0x48, 0x89, 0xc8, 0x48, 0xc1, 0xea, 0x02, 0x48, 0x21, 0xfa, 0xc6, 0x82, 0x10,
                   0x80, 0xff, 0x7f, 0x01, 0x75, 0x10),
              1 << 3 | 1 << 7 | 1 << 10);
  // movzx ecx, byte [rdx + 0x7fff8000]; and ecx, 0x39; cmp ecx, 1; jne; cmp ecx, 1
  CHECK_EQUAL(FIND(0x0f, 0xb6, 0x8a, 0, 0x80, 0xff, 0x7f, 0x83, 0xe1, 0x39, 0x83, 0xf9, 0x01, 0x75,
                   0x10, 0x83, 0xf9, 0x01),
              1 | 1 << 7 | 1 << 10 | 1 << 13);
  // shr rdx, 2; and rdx, rdi; inc qword gs:[rip]; mov byte [rdx + 0x7fff8000], 1
  CHECK_EQUAL(FIND(0x48, 0xc1, 0xea, 0x02, 0x48, 0x21, 0xfa, 0x65, 0x48, 0xff, 0x05, 0, 0, 0, 0,
                   0xc6, 0x82, 0, 0x80, 0xff, 0x7f, 0x01),
              1 | 1 << 4 | 1 << 7 | 1 << 15);
  // shr rdx, 2; and rdx, rdi; cmp byte [rdx + 0x7ffe0000], 1: far from all marks
  CHECK_EQUAL(FIND(0x48, 0xc1, 0xea, 0x02, 0x48, 0x21, 0xfa, 0x80, 0xba, 0, 0, 0xfe, 0x7f, 0x01),
              0);
}

static void test_variables_and_calls(void) {
  uint8_t mask[] = {0x48, 0xc1, 0xea, 0x02, 0x48, 0x23, 0x14, 0x25, 0, 0, 0, 0};
  uint8_t call[] = {0xe8, 0, 0, 0, 0};
  // shr rdx, 2; and rdx, [mask]
  put(mask + 8, LINK_TIME(&__reticle_shadow_mask_test));
  CHECK_EQUAL(find(mask, sizeof(mask)), 1 | 1 << 4);
  put(mask + 8, LINK_TIME(&program_word));
  CHECK_EQUAL(find(mask, sizeof(mask)), 0);
  put(call + 1, LINK_TIME(__reticle_loop_test) - CODE - 5);
  CHECK_EQUAL(find(call, sizeof(call)), 1);
  CHECK(instrumentation_is_called(own, call, sizeof(call), CODE));
  // The program's own call of an allocator.
  put(call + 1, LINK_TIME(__reticle_of_test) - CODE - 5);
  CHECK_EQUAL(find(call, sizeof(call)), 0);
}

static void test_without_symbols(void) {
  const uint8_t mark[] = {0x80, 0xba, 0, 0x80, 0xff, 0x7f, 0x01}; // of AddressSanitizer, as well
  const uint8_t count[] = {0x65, 0x48, 0xff, 0x05, 16, 0, 0, 0};
  bool found[sizeof(count)];
  CHECK_EQUAL(instrumentation_find(NULL, mark, sizeof(mark), CODE, found), 0);
  CHECK_EQUAL(instrumentation_find(NULL, count, sizeof(count), CODE, found), 1);
  CHECK(!instrumentation_marks(own, count, sizeof(count), CODE));
  CHECK(!instrumentation_marks(NULL, mark, sizeof(mark), CODE));
  CHECK(instrumentation_marks(own, mark, sizeof(mark), CODE));
}

int main(void) {
  struct elf_file *file;
  CHECK_EQUAL(elf_file_open("/proc/self/exe", &file), ELF_FILE_OK);
  own = instrumentation_open(file);
  CHECK(own);
  RUN(test_names);
  RUN(test_counters);
  RUN(test_gates);
  RUN(test_cold_call);
  RUN(test_cold_call_with_site);
  RUN(test_block_is_probe);
  RUN(test_marks);
  RUN(test_variables_and_calls);
  RUN(test_without_symbols);
  instrumentation_close(own);
  elf_file_close(file);
  return unit_status();
}
