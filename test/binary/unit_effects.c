// unit_effects.c - registers and units of instructions whose encoding is written out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/binary/code/decode_effects.h"

#define EFFECTS(...)                                                                               \
  effects_of((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

enum { RAX = 1 << 0, RCX = 1 << 1, RDX = 1 << 2, RSP = 1 << 4, RDI = 1 << 7 };
#define FLAGS (UINT64_C(1) << EFFECT_FLAGS)
#define XMM(n) (UINT64_C(1) << (EFFECT_VECTOR + (n)))

static struct instruction_effects effects_of(const uint8_t *code, size_t bytes) {
  struct instruction_effects out = {0};
  CHECK(decode_effects(code, bytes, &out));
  CHECK(!decode_effects(code, bytes - 1, &out)); // cut short, it is none
  return out;
}

static void check(struct instruction_effects found, uint64_t writes, uint64_t reads,
                  enum instruction_unit unit, int64_t step) {
  CHECK_EQUAL(found.writes, writes);
  CHECK_EQUAL(found.reads, reads);
  CHECK_EQUAL(found.unit, unit);
  CHECK_EQUAL(found.step, step);
}

static void test_integers(void) {
  // imul rax, rcx
  check(EFFECTS(0x48, 0x0f, 0xaf, 0xc1), RAX | FLAGS, RAX | RCX, INSTRUCTION_UNIT_MULTIPLY, 0);
  // xor eax, eax
  check(EFFECTS(0x31, 0xc0), RAX | FLAGS, 0, INSTRUCTION_UNIT_PLAIN, 0);
  // add rdi, 64; lea rdi, [rdi - 8]; lea rax, [rdi - 8]
  check(EFFECTS(0x48, 0x83, 0xc7, 0x40), RDI | FLAGS, RDI, INSTRUCTION_UNIT_PLAIN, 64);
  check(EFFECTS(0x48, 0x8d, 0x7f, 0xf8), RDI, RDI, INSTRUCTION_UNIT_PLAIN, -8);
  check(EFFECTS(0x48, 0x8d, 0x47, 0xf8), RAX, RDI, INSTRUCTION_UNIT_PLAIN, 0);
  // div rcx
  check(EFFECTS(0x48, 0xf7, 0xf1), RAX | RDX | FLAGS, RAX | RCX | RDX, INSTRUCTION_UNIT_DIVIDE, 0);
  // cmovne rax, rcx keeps rax otherwise
  check(EFFECTS(0x48, 0x0f, 0x45, 0xc1), RAX, RAX | RCX | FLAGS, INSTRUCTION_UNIT_PLAIN, 0);
  // mov ah, al is of rax alone
  check(EFFECTS(0x88, 0xc4), RAX, RAX, INSTRUCTION_UNIT_PLAIN, 0);
  // add rdi, rcx; lea rdi, [rdi + rcx]; lea rdi, [rcx + rdi]; add rdi, [rsp + 8]; lea rdi, [rax +
  // rcx]
  CHECK_EQUAL(EFFECTS(0x48, 0x01, 0xcf).step_by, RCX);
  CHECK_EQUAL(EFFECTS(0x48, 0x8d, 0x3c, 0x0f).step_by, RCX);
  CHECK_EQUAL(EFFECTS(0x48, 0x8d, 0x3c, 0x39).step_by, RCX);
  CHECK_EQUAL(EFFECTS(0x48, 0x03, 0x7c, 0x24, 0x08).step_by, UINT64_C(1) << EFFECT_MEMORY);
  CHECK_EQUAL(EFFECTS(0x48, 0x8d, 0x3c, 0x08).step_by, 0);
  CHECK_EQUAL(EFFECTS(0x48, 0x83, 0xc7, 0x40).step_by, 0);
  CHECK(EFFECTS(0x48, 0x39, 0xc8).sets_condition);  // cmp rax, rcx
  CHECK(!EFFECTS(0x48, 0x09, 0xc8).sets_condition); // or rax, rcx
}

static void test_memory(void) {
  // add rax, [rdi + 8 * rcx]
  check(EFFECTS(0x48, 0x03, 0x04, 0xcf), RAX | FLAGS, RAX | RCX | RDI, INSTRUCTION_UNIT_PLAIN, 0);
  // push rax: the core moves rsp aside
  CHECK_EQUAL(EFFECTS(0x50).writes & RSP, 0);
  // lock add [rdi], eax; xchg [rdi], eax
  CHECK_EQUAL(EFFECTS(0xf0, 0x01, 0x07).unit, INSTRUCTION_UNIT_SYNCHRONISED);
  CHECK_EQUAL(EFFECTS(0x87, 0x07).unit, INSTRUCTION_UNIT_SYNCHRONISED);
  CHECK_EQUAL(EFFECTS(0xf3, 0x90).unit, INSTRUCTION_UNIT_SYNCHRONISED); // pause
  CHECK_EQUAL(EFFECTS(0xf3, 0xa4).unit, INSTRUCTION_UNIT_LONG);         // rep movsb
}

static void test_vectors(void) {
  // vdivsd xmm0, xmm0, xmm1; subsd xmm0, xmm1; pxor xmm2, xmm2
  check(EFFECTS(0xc5, 0xfb, 0x5e, 0xc1), XMM(0), XMM(0) | XMM(1), INSTRUCTION_UNIT_FLOAT_DIVIDE, 0);
  check(EFFECTS(0xf2, 0x0f, 0x5c, 0xc1), XMM(0), XMM(0) | XMM(1), INSTRUCTION_UNIT_FLOAT, 0);
  check(EFFECTS(0x66, 0x0f, 0xef, 0xd2), XMM(2), 0, INSTRUCTION_UNIT_PLAIN, 0);
  // vfmadd231pd ymm0, ymm1, ymm2
  check(EFFECTS(0xc4, 0xe2, 0xf5, 0xb8, 0xc2), XMM(0), XMM(0) | XMM(1) | XMM(2),
        INSTRUCTION_UNIT_FLOAT_MULTIPLY, 0);
}

int main(void) {
  RUN(test_integers);
  RUN(test_memory);
  RUN(test_vectors);
  return unit_status();
}
