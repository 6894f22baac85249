// unit_loop_strides.c - strides of loops whose machine code is written out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/program/loop_strides.h"

#define STRIDES(...)                                                                               \
  strides_of((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static struct loop_strides strides_of(const uint8_t *code, uint32_t bytes) {
  struct block block = {.address = 0x1000, .code = code, .bytes = bytes};
  const struct block_list list = {.blocks = &block, .count = 1};
  size_t innermost = 0;
  struct block_loop loop = {.parent = BLOCK_LOOP_NONE, .depth = 1};
  const struct block_loops loops = {.loops = &loop, .count = 1, .innermost = &innermost};
  struct loop_strides out;
  loop_strides_read(&list, &loops, 0, &out);
  return out;
}

#define ADD_RDI(low, high) 0x48, 0x81, 0xc7, low, high, 0, 0 // add rdi, imm32
#define DEC_ECX 0xff, 0xc9
#define ADD_RAX_1 0x48, 0xff, 0xc0 // inc rax

static void test_columns(void) {
  // add [rdi], esi; add rdi, 16000
  struct loop_strides s = STRIDES(0x01, 0x37, ADD_RDI(0x80, 0x3e), DEC_ECX);
  CHECK_EQUAL(s.blocks, 1);
  CHECK_EQUAL(s.moved, 1);
  CHECK_EQUAL(s.wide, 1);
  CHECK_EQUAL(s.widest_bytes, 16000);
  CHECK_EQUAL(s.sets, 32);
  // mov eax, [rdi]; mov [rdi], edx; mov eax, [rdi + 2048]; add rdi, 4096: two iterations at once
  s = STRIDES(0x8b, 0x07, 0x89, 0x17, 0x8b, 0x87, 0x00, 0x08, 0, 0, ADD_RDI(0x00, 0x10), DEC_ECX);
  CHECK_EQUAL(s.widest_bytes, 2048);
  CHECK_EQUAL(s.sets, 2);
  // Two fields of two elements of 152 bytes: mov eax, [rdi]; mov edx, [rdi + 8]; the same + 152;
  // add rdi, 304
  s = STRIDES(0x8b, 0x07, 0x8b, 0x57, 0x08, 0x8b, 0x87, 0x98, 0, 0, 0, 0x8b, 0x97, 0xa0, 0, 0, 0,
              ADD_RDI(0x30, 0x01), DEC_ECX);
  CHECK_EQUAL(s.moved, 1);
  CHECK_EQUAL(s.wide, 1);
  CHECK_EQUAL(s.widest_bytes, 152);
}

static void test_rows(void) {
  // mov eax, [rdi + 8 * rax]; inc rax
  struct loop_strides s = STRIDES(0x8b, 0x04, 0xc7, ADD_RAX_1);
  CHECK_EQUAL(s.wide, 0); // eax is written: it doesn't step by a constant
  // mov edx, [rdi + 8 * rax]; inc rax
  s = STRIDES(0x8b, 0x14, 0xc7, ADD_RAX_1);
  CHECK_EQUAL(s.moved, 1);
  CHECK_EQUAL(s.wide, 0);
  CHECK_EQUAL(s.widest_bytes, 0);
  // vmovups zmm0, [rdi]; add rdi, 64: all of each line
  s = STRIDES(0x62, 0xf1, 0x7c, 0x48, 0x10, 0x07, ADD_RDI(0x40, 0), DEC_ECX);
  CHECK_EQUAL(s.moved, 1);
  CHECK_EQUAL(s.wide, 0);
  // mov eax, [rdi]; mov edx, [rdi + 60]; add rdi, 128: most of an element of 128 bytes isn't read,
  // but half is
  s = STRIDES(0x8b, 0x07, 0x8b, 0x57, 0x3c, ADD_RDI(0x80, 0), DEC_ECX);
  CHECK_EQUAL(s.moved, 1);
  CHECK_EQUAL(s.wide, 1);
  // mov eax, [rsp + 8]; add rdi, 4096: nothing moves
  s = STRIDES(0x8b, 0x44, 0x24, 0x08, ADD_RDI(0, 0x10), DEC_ECX);
  CHECK_EQUAL(s.moved, 0);
}

/// Rows whose length only the run knows.
static void test_by_value(void) {
  // mov eax, [rdi]; add rdi, rsi
  struct loop_strides s = STRIDES(0x8b, 0x07, 0x48, 0x01, 0xf7, DEC_ECX);
  CHECK_EQUAL(s.by_value, 1);
  CHECK_EQUAL(s.wide, 1);
  CHECK_EQUAL(s.widest_bytes, 0);
  CHECK_EQUAL(s.sets, 64);
  // A ring: mov eax, [rdi]; add rdi, -4; cmp rdi, rdx; jae +3; add rdi, rsi
  s = STRIDES(0x8b, 0x07, 0x48, 0x83, 0xc7, 0xfc, 0x48, 0x39, 0xd7, 0x73, 0x03, 0x48, 0x01, 0xf7,
              DEC_ECX);
  CHECK_EQUAL(s.wide, 0);
  // The length is in memory: mov eax, [rdi]; add rdi, [rsp + 8]
  s = STRIDES(0x8b, 0x07, 0x48, 0x03, 0x7c, 0x24, 0x08, DEC_ECX);
  CHECK_EQUAL(s.by_value, 1);
  // ... and read again: mov rsi, [rsp + 8]; mov eax, [rdi]; add rdi, rsi; mov rsi, rax
  s = STRIDES(0x48, 0x8b, 0x74, 0x24, 0x08, 0x8b, 0x07, 0x48, 0x01, 0xf7, 0x48, 0x89, 0xc6,
              DEC_ECX);
  CHECK_EQUAL(s.by_value, 1);
  // A pointer that is read again for each access: mov rsi, [rsp + 8]; mov edx, [rsi + 8 * rax]; inc
  // rax
  s = STRIDES(0x48, 0x8b, 0x74, 0x24, 0x08, 0x8b, 0x14, 0xc6, ADD_RAX_1);
  CHECK_EQUAL(s.moved, 1);
  CHECK_EQUAL(s.wide, 0);
  // What is added was read on the way: mov eax, [rdi]; add rdi, rax
  s = STRIDES(0x8b, 0x07, 0x48, 0x01, 0xc7, DEC_ECX);
  CHECK_EQUAL(s.moved, 0);
}

#define GATHER_XMM1_BY_XMM2                                                                        \
  0xc4, 0xe2, 0x79, 0x92, 0x0c, 0x17 // vgatherdps xmm1, [rdi + xmm2], xmm0

/// A vector whose elements lie apart, by indices that the code steps, and one by indices in memory.
static void test_gathers(void) {
  // vpaddd xmm2, xmm2, xmm3
  struct loop_strides s = STRIDES(GATHER_XMM1_BY_XMM2, 0xc5, 0xe9, 0xfe, 0xd3, DEC_ECX);
  CHECK_EQUAL(s.gathers, 1);
  CHECK_EQUAL(s.wide, 1);
  // vpmulld xmm2, xmm4, [rsp + 8]: the factor is a constant
  s = STRIDES(0xc4, 0xe2, 0x59, 0x40, 0x54, 0x24, 0x08, GATHER_XMM1_BY_XMM2, DEC_ECX);
  CHECK_EQUAL(s.gathers, 1);
  // vmovdqu xmm2, [rsi]; add rsi, 16
  s = STRIDES(0xc5, 0xfa, 0x6f, 0x16, GATHER_XMM1_BY_XMM2, 0x48, 0x83, 0xc6, 0x10, DEC_ECX);
  CHECK_EQUAL(s.gathers, 0);
}

/// What an execution walks over, at least.
static void test_least(void) {
  // mov [rdi], rax; add rdi, 8
  CHECK_EQUAL(STRIDES(0x48, 0x89, 0x07, ADD_RDI(8, 0), DEC_ECX).least_bytes, 8);
  // vmovups zmm0, [rdi]; add rdi, 64: elements of any size
  CHECK_EQUAL(STRIDES(0x62, 0xf1, 0x7c, 0x48, 0x10, 0x07, ADD_RDI(0x40, 0), DEC_ECX).least_bytes,
              1);
  CHECK_EQUAL(STRIDES(0x8b, 0x44, 0x24, 0x08, DEC_ECX).least_bytes, 0);
}

static void test_writes(void) {
  // mov [rdi], esi; mov [rsp + 8], esi; dec dword fs:[0]: the program's, put aside, a gate's
  struct loop_strides s = STRIDES(0x89, 0x37, 0x89, 0x74, 0x24, 0x08, 0x64, 0xff, 0x0c, 0x25, 0, 0,
                                  0, 0, ADD_RDI(0x40, 0));
  CHECK_EQUAL(s.writes, 1);
  // cmp [rdi], esi
  CHECK_EQUAL(STRIDES(0x39, 0x37, ADD_RDI(0x40, 0)).writes, 0);
}

static void test_carried(void) {
  // cmp [rcx + 4 * rax], edi; inc rax: a step is no sum
  CHECK_EQUAL(STRIDES(0x39, 0x3c, 0x81, ADD_RAX_1).carried, 0);
  // mov rdi, [rdi]: nor is the next of a list
  CHECK_EQUAL(STRIDES(0x48, 0x8b, 0x3f).carried, 0);
  // mov edx, [rcx + 4 * rax]; imul esi, edx; inc rax
  CHECK_EQUAL(STRIDES(0x8b, 0x14, 0x81, 0x0f, 0xaf, 0xf2, ADD_RAX_1).carried, 1);
  // mov edx, [rcx + 4 * rax]; mov esi, edx; inc rax: made anew each time
  CHECK_EQUAL(STRIDES(0x8b, 0x14, 0x81, 0x89, 0xd6, ADD_RAX_1).carried, 0);
}

int main(void) {
  RUN(test_columns);
  RUN(test_rows);
  RUN(test_by_value);
  RUN(test_gathers);
  RUN(test_least);
  RUN(test_writes);
  RUN(test_carried);
  return unit_status();
}
