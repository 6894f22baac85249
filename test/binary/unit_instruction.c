// unit_instruction.c - what the decoder says of instructions whose encoding is written out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/binary/code/decode.h"

#define DECODE(...)                                                                                \
  decode_bytes((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static struct instruction decode_bytes(const uint8_t *code, size_t bytes) {
  struct instruction out = {0};
  CHECK(decode_instruction(code, bytes, 0x1000, &out));
  CHECK_EQUAL(out.bytes, bytes);
  // Cut short, it is none.
  CHECK(!decode_instruction(code, bytes - 1, 0x1000, &out));
  return out;
}

static void check_memory(const struct memory_operand *memory, int base, int index, int scale,
                         long long displacement, int bytes, const char *access) {
  CHECK_EQUAL(memory->base, base);
  CHECK_EQUAL(memory->index, index);
  CHECK_EQUAL(memory->scale, scale);
  CHECK_EQUAL(memory->displacement, displacement);
  CHECK_EQUAL(memory->bytes, bytes);
  CHECK_EQUAL(memory->read, strchr(access, 'r') != NULL);
  CHECK_EQUAL(memory->written, strchr(access, 'w') != NULL);
}

static void test_kinds(void) {
  struct instruction jump = DECODE(0xeb, 0xfe); // jmp to itself
  CHECK_EQUAL(jump.kind, INSTRUCTION_JUMP);
  CHECK_EQUAL(jump.target, 0x1000);
  struct instruction branch = DECODE(0x0f, 0x84, 0, 1, 0, 0); // je +0x100
  CHECK_EQUAL(branch.kind, INSTRUCTION_BRANCH);
  CHECK_EQUAL(branch.target, 0x1106);
  CHECK_EQUAL(DECODE(0xe2, 0x10).kind, INSTRUCTION_BRANCH); // loop
  CHECK_EQUAL(DECODE(0xe8, 0, 0, 0, 0).kind, INSTRUCTION_CALL);
  CHECK_EQUAL(DECODE(0xff, 0xd0).kind, INSTRUCTION_CALL_AWAY);       // call rax
  CHECK_EQUAL(DECODE(0xff, 0xe0).kind, INSTRUCTION_JUMP_AWAY);       // jmp rax
  CHECK_EQUAL(DECODE(0x3e, 0xff, 0xe0).kind, INSTRUCTION_JUMP_AWAY); // notrack jmp rax
  CHECK_EQUAL(DECODE(0xc3).kind, INSTRUCTION_RETURN);
  CHECK_EQUAL(DECODE(0x0f, 0x05).kind, INSTRUCTION_SYSTEM_CALL);
  CHECK_EQUAL(DECODE(0xcd, 0x80).kind, INSTRUCTION_SYSTEM_CALL);
  CHECK_EQUAL(DECODE(0x0f, 0x0b).kind, INSTRUCTION_TRAP);
  CHECK_EQUAL(DECODE(0x48, 0x01, 0xd8).kind, INSTRUCTION_PLAIN); // add rax, rbx
}

static void test_memory(void) {
  // mov eax, [rbx + r9*4 + 0x10]
  struct instruction load = DECODE(0x42, 0x8b, 0x44, 0x8b, 0x10);
  CHECK_EQUAL(load.memory_count, 1);
  check_memory(&load.memory[0], 3, 9, 4, 16, 4, "r");
  // add [r13 - 8], rax
  struct instruction both = DECODE(0x49, 0x01, 0x45, 0xf8);
  check_memory(&both.memory[0], 13, REGISTER_NONE, 0, -8, 8, "rw");
  // vmovups ymm0, [rip + 0x20]
  struct instruction vector = DECODE(0xc5, 0xfc, 0x10, 0x05, 0x20, 0, 0, 0);
  check_memory(&vector.memory[0], REGISTER_RIP, REGISTER_NONE, 0, 32, 32, "r");
  // mov rax, fs:[0x28]
  struct instruction thread = DECODE(0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0);
  check_memory(&thread.memory[0], REGISTER_NONE, REGISTER_NONE, 0, 40, 8, "r");
  CHECK_EQUAL(thread.memory[0].segment, SEGMENT_FS);
  // mov eax, [ebx]: the address is cut to 32 bits
  struct instruction narrow = DECODE(0x67, 0x8b, 0x03);
  CHECK(narrow.memory[0].wraps_at_32);
  CHECK_EQUAL(narrow.memory[0].base, 3);
}

static void test_no_memory(void) {
  CHECK_EQUAL(DECODE(0x48, 0x8d, 0x04, 0x8b).memory_count, 0); // lea
  CHECK_EQUAL(DECODE(0x0f, 0x1f, 0x44, 0, 0).memory_count, 0); // nop [rax + rax]
  CHECK_EQUAL(DECODE(0x0f, 0x18, 0x0b).memory_count, 0);       // prefetcht0 [rbx]
}

static void test_stack(void) {
  struct instruction push = DECODE(0x50); // push rax
  CHECK_EQUAL(push.memory_count, 1);
  check_memory(&push.memory[0], 4, REGISTER_NONE, 0, -8, 8, "w");
  struct instruction pop = DECODE(0x58);
  check_memory(&pop.memory[0], 4, REGISTER_NONE, 0, 0, 8, "r");
  struct instruction call = DECODE(0xe8, 0, 0, 0, 0);
  check_memory(&call.memory[0], 4, REGISTER_NONE, 0, -8, 8, "w");
  struct instruction ret = DECODE(0xc3);
  check_memory(&ret.memory[0], 4, REGISTER_NONE, 0, 0, 8, "r");
  struct instruction both = DECODE(0xff, 0x73, 0x08); // push [rbx + 8]
  CHECK_EQUAL(both.memory_count, 2);
  check_memory(&both.memory[0], 3, REGISTER_NONE, 0, 8, 8, "r");
  check_memory(&both.memory[1], 4, REGISTER_NONE, 0, -8, 8, "w");
  struct instruction shifted = DECODE(0x8f, 0x44, 0x24, 0x10); // pop [rsp + 0x10]
  CHECK_EQUAL(shifted.memory[0].displacement, 0x18);
}

static void test_strings(void) {
  struct instruction move = DECODE(0xf3, 0x48, 0xa5); // rep movsq
  CHECK(move.repeats);
  CHECK_EQUAL(move.memory_count, 2);
  bool from = false, to = false;
  for (int i = 0; i < move.memory_count; i++) {
    CHECK_EQUAL(move.memory[i].bytes, 8);
    from |= move.memory[i].base == 6 && move.memory[i].read;  // rsi
    to |= move.memory[i].base == 7 && move.memory[i].written; // rdi
  }
  CHECK(from && to);
}

static void test_vectors(void) {
  // vpgatherdd ymm0, [rax + ymm1*4], ymm2
  struct instruction gather = DECODE(0xc4, 0xe2, 0x6d, 0x90, 0x04, 0x88);
  CHECK_EQUAL(gather.memory_count, 1);
  check_memory(&gather.memory[0], 0, REGISTER_VECTOR, 4, 0, 4, "r");
  CHECK_EQUAL(gather.memory[0].vector_index, 1);
  // vmovups zmm0 {k1}, [rax]
  struct instruction masked = DECODE(0x62, 0xf1, 0x7c, 0x49, 0x10, 0x00);
  CHECK(masked.memory[0].conditional);
  CHECK_EQUAL(masked.memory[0].bytes, 64);
}

static void test_text(void) {
  static const uint8_t code[] = {0x74, 0x10};
  char text[64];
  CHECK_EQUAL(decode_text(code, sizeof(code), 0x1000, text, sizeof(text)), 2);
  CHECK_TEXT(text, "jz 0x1012");
  CHECK_EQUAL(decode_text(code, 1, 0x1000, text, sizeof(text)), 0);
  CHECK_TEXT(text, "(bad)");
  CHECK_EQUAL(decode_text(code, sizeof(code), 0x1000, text, 4), 2); // too small a place
  CHECK(strlen(text) < 4);
  CHECK_TEXT(decode_register_name(5), "rbp");
  CHECK_TEXT(decode_register_name(REGISTER_NONE), "");
}

/// Registers that are neither general nor vector ones.
static void test_other_registers(void) {
  CHECK(DECODE(0xd9, 0xe8).x87_or_mmx);                    // fld1
  CHECK(DECODE(0x0f, 0x6f, 0xc1).x87_or_mmx);              // movq mm0, mm1
  CHECK(DECODE(0xc5, 0xf8, 0x90, 0xca).mask);              // kmovw k1, k2
  CHECK(DECODE(0x62, 0xf1, 0x7c, 0x49, 0x58, 0xc2).mask);  // vaddps zmm0 {k1}, zmm0, zmm2
  CHECK(!DECODE(0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc2).mask); // vaddps zmm0, zmm0, zmm2
  struct instruction plain = DECODE(0x48, 0x01, 0xc0);     // add rax, rax
  CHECK(!plain.mask && !plain.x87_or_mmx);
}

int main(void) {
  RUN(test_other_registers);
  RUN(test_kinds);
  RUN(test_memory);
  RUN(test_no_memory);
  RUN(test_stack);
  RUN(test_strings);
  RUN(test_vectors);
  RUN(test_text);
  return unit_status();
}
