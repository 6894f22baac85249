// block_code_x86_64.c - the code around the copies of a block, on x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that a child runs, besides the breakpoint at which it first stops:
//
//   call    for each entry of control.calls: load six arguments, SYSCALL; then a breakpoint
//   end     the time; DF, AC, TF off; store the time; all timed: a breakpoint
//   start   choose the slot; fill the pages; vectors, segment bases, a delay that moves the start
//           against the timer's steps; jump to the slot's gate
//   gates   one for each slot: flags, registers; the time; a direct jump to the slot's entry. An
//           indirect one behind the time was mispredicted in a third of the runs: 28 cycles on
//           Intel's Golden Cove, and values off by up to 1 %
//   chain   dependent adds, then `end`
//   canary  turns of two independent adds and four nops, then `end`
//   body    copies of the block, then `end`
//
// Source: Intel SDM volume 2.
#include "runtime/harness/block/block_code.h"

#include "runtime/harness/block/block_registers.h"
#include "runtime/sys/sys.h"

#if defined(__x86_64__)
#include <stddef.h>
#include <sys/auxv.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R13 };
enum { CANARY_BYTES = 10 };                               // of a turn
enum { OFFSET_BYTES = BLOCK_LINE_BYTES / BLOCK_OFFSETS }; // from one place to the next
#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE 2
#endif

bool block_arch_supported(void) { return true; }

// --- emitting
// -------------------------------------------------------------------------------------

static void put(struct block_image *image, const void *bytes, size_t count) {
  if (image->used + count <= BLOCK_CODE_BYTES)
    rrt_copy(image->code + image->used, bytes, count);
  image->used += count;
}

#define PUT(image, ...)                                                                            \
  do {                                                                                             \
    const uint8_t put_bytes[] = {__VA_ARGS__};                                                     \
    put(image, put_bytes, sizeof(put_bytes));                                                      \
  } while (0)

static void put32(struct block_image *image, int64_t value) {
  int32_t cut = (int32_t)value;
  put(image, &cut, sizeof(cut));
}

/// The rest of an instruction that names a field of the control block: ModRM, displacement.
static void put_field(struct block_image *image, unsigned reg, size_t field) {
  PUT(image, (uint8_t)(5 | (reg & 7) << 3));
  int64_t next = (int64_t)(BLOCK_CODE_AT + image->used + 4);
  put32(image, (int64_t)(BLOCK_CONTROL_AT + field) - next);
}

#define FIELD(name) offsetof(struct block_control, name)

static void load(struct block_image *image, unsigned reg, size_t field) {
  PUT(image, reg < 8 ? 0x48 : 0x4c, 0x8b);
  put_field(image, reg, field);
}

static void store(struct block_image *image, unsigned reg, size_t field) {
  PUT(image, reg < 8 ? 0x48 : 0x4c, 0x89);
  put_field(image, reg, field);
}

static void address_of(struct block_image *image, unsigned reg, size_t field) {
  PUT(image, reg < 8 ? 0x48 : 0x4c, 0x8d);
  put_field(image, reg, field);
}

static void align(struct block_image *image) {
  while (image->used % 64)
    PUT(image, 0x90);
}

/// A jump or branch to what was emitted before. opcode: of the 8-bit form.
static void back(struct block_image *image, uint8_t opcode, size_t target) {
  int64_t distance = (int64_t)target - (int64_t)(image->used + 2);
  if (distance >= -128) {
    PUT(image, opcode, (uint8_t)distance);
    return;
  }
  if (opcode == 0xeb)
    PUT(image, 0xe9);
  else
    PUT(image, 0x0f, opcode + 0x10);
  put32(image, (int64_t)target - (int64_t)(image->used + 4));
}

/// A branch forward by 8 bits; its distance is set by land().
static size_t ahead(struct block_image *image, uint8_t opcode) {
  PUT(image, opcode, 0);
  return image->used;
}

static void land(struct block_image *image, size_t from) {
  image->code[from - 1] = (uint8_t)(image->used - from);
}

static void emit_calls(struct block_image *image) {
  image->call = image->used;
  address_of(image, R12, FIELD(calls));
  load(image, R13, FIELD(call_count));
  size_t next = image->used;
  PUT(image, 0x49, 0x8b, 0x04, 0x24);       // mov rax, [r12]
  PUT(image, 0x49, 0x8b, 0x7c, 0x24, 0x08); // mov rdi, [r12 + 8], and so on
  PUT(image, 0x49, 0x8b, 0x74, 0x24, 0x10); // rsi
  PUT(image, 0x49, 0x8b, 0x54, 0x24, 0x18); // rdx
  PUT(image, 0x4d, 0x8b, 0x54, 0x24, 0x20); // r10
  PUT(image, 0x4d, 0x8b, 0x44, 0x24, 0x28); // r8
  PUT(image, 0x4d, 0x8b, 0x4c, 0x24, 0x30); // r9
  PUT(image, 0x0f, 0x05);                   // syscall
  image->call_end = image->used;
  PUT(image, 0x49, 0x89, 0x44, 0x24, 0x38);                // mov [r12 + 56], rax
  PUT(image, 0x49, 0x83, 0xc4, sizeof(struct block_call)); // add r12, 64
  PUT(image, 0x49, 0xff, 0xcd);                            // dec r13
  back(image, 0x75, next);                                 // jnz
  image->ready = image->used;
  PUT(image, 0xcc);
}

/// Behind each run: the time, and on to `end`. The run's stores are a part of it: up to a hundred
/// wait for the cache when its last instruction is done, and a short run leaves others than a long
/// one.
static void emit_time(struct block_image *image, size_t end) {
  PUT(image, 0x0f, 0xae, 0xf0); // mfence
  PUT(image, 0x0f, 0xae, 0xe8); // lfence
  PUT(image, 0x0f, 0x01, 0xf9); // rdtscp
  PUT(image, 0x89);             // mov [end_ticks], eax
  put_field(image, RAX, FIELD(end_ticks));
  PUT(image, 0x89);
  put_field(image, RDX, FIELD(end_ticks) + 4);
  back(image, 0xeb, end);
}

static void own_stack(struct block_image *image) {
  address_of(image, RSP, FIELD(stack) + sizeof(((struct block_control *)0)->stack));
}

static void emit_end(struct block_image *image) {
  own_stack(image);
  PUT(image, 0x68);
  put32(image, 0x202); // push: all flags off but IF
  PUT(image, 0x9d);    // popfq
  load(image, RBX, FIELD(end_ticks));
  PUT(image, 0x48, 0x2b); // sub rbx, [start_ticks]
  put_field(image, RBX, FIELD(start_ticks));
  load(image, RCX, FIELD(index));
  address_of(image, RDX, FIELD(times));
  PUT(image, 0x48, 0x89, 0x1c, 0xca); // mov [rdx + rcx * 8], rbx
  PUT(image, 0x48, 0xff, 0xc1);       // inc rcx
  store(image, RCX, FIELD(index));
  PUT(image, 0x48, 0x3b); // cmp rcx, [count]
  put_field(image, RCX, FIELD(count));
  size_t more = ahead(image, 0x72); // jb
  PUT(image, 0xcc);
  image->stop = image->used;
  land(image, more);
}

static void emit_slot(struct block_image *image) {
  load(image, RAX, FIELD(index));
  load(image, RCX, FIELD(slot_shift));
  PUT(image, 0x48, 0xd3, 0xe8);            // shr rax, cl
  PUT(image, 0x83, 0xe0, BLOCK_SLOTS - 1); // and eax, 7
  PUT(image, 0xc1, 0xe0, 4);               // shl eax, 4: sizeof(struct block_slot)
  address_of(image, RDX, FIELD(slots));
  PUT(image, 0x48, 0x8b, 0x0c, 0x02); // mov rcx, [rdx + rax]
  store(image, RCX, FIELD(now.gate));
  PUT(image, 0x48, 0x8b, 0x4c, 0x02, 0x08); // mov rcx, [rdx + rax + 8]
  store(image, RCX, FIELD(now.loops));
  store(image, RCX, FIELD(counter));
}

static void emit_fill(struct block_image *image) {
  PUT(image, 0xf3, 0x0f, 0x7e); // movq xmm0, [fill]
  put_field(image, 0, FIELD(fill));
  PUT(image, 0x66, 0x0f, 0x6c, 0xc0); // punpcklqdq xmm0, xmm0
  address_of(image, RSI, FIELD(fill_pages));
  load(image, R8, FIELD(fill_count));
  PUT(image, 0x4d, 0x85, 0xc0); // test r8, r8
  size_t none = ahead(image, 0x74);
  size_t page = image->used;
  PUT(image, 0x48, 0x8b, 0x3e, 0x48, 0x83, 0xc6, 0x08); // mov rdi, [rsi]; add rsi, 8
  PUT(image, 0xb9);
  put32(image, BLOCK_PAGE_BYTES / 64); // mov ecx, 64
  size_t line = image->used;
  PUT(image, 0x0f, 0x29, 0x07, 0x0f, 0x29, 0x47, 0x10);       // movaps [rdi], [rdi + 16]
  PUT(image, 0x0f, 0x29, 0x47, 0x20, 0x0f, 0x29, 0x47, 0x30); // movaps [rdi + 32], [rdi + 48]
  PUT(image, 0x48, 0x83, 0xc7, 0x40, 0xff, 0xc9);             // add rdi, 64; dec ecx
  back(image, 0x75, line);
  PUT(image, 0x49, 0xff, 0xc8); // dec r8
  back(image, 0x75, page);
  land(image, none);
}

/// Pages with contents of their own. The originals drive the first copies out of the first cache
/// where there are many, so all copies are read once more.
static void emit_copies(struct block_image *image) {
  load(image, R8, FIELD(copy_count));
  PUT(image, 0x4d, 0x85, 0xc0); // test r8, r8
  size_t none = ahead(image, 0x74);
  address_of(image, RSI, FIELD(originals));
  address_of(image, RDX, FIELD(copy_pages));
  size_t page = image->used;
  PUT(image, 0x48, 0x8b, 0x3a, 0x48, 0x83, 0xc2, 0x08); // mov rdi, [rdx]; add rdx, 8
  PUT(image, 0xb9);
  put32(image, BLOCK_PAGE_BYTES / 8);             // mov ecx, 512
  PUT(image, 0xf3, 0x48, 0xa5, 0x49, 0xff, 0xc8); // rep movsq; dec r8
  back(image, 0x75, page);
  load(image, R8, FIELD(copy_count));
  address_of(image, RDX, FIELD(copy_pages));
  page = image->used;
  PUT(image, 0x48, 0x8b, 0x3a, 0x48, 0x83, 0xc2, 0x08); // mov rdi, [rdx]; add rdx, 8
  PUT(image, 0xb9);
  put32(image, BLOCK_PAGE_BYTES / 64); // mov ecx, 64
  size_t line = image->used;
  PUT(image, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x40, 0xff,
      0xc9); // mov eax, [rdi]; add rdi, 64; dec ecx
  back(image, 0x75, line);
  PUT(image, 0x49, 0xff, 0xc8); // dec r8
  back(image, 0x75, page);
  land(image, none);
}

static void emit_vectors(struct block_image *image, bool keep_upper) {
  uint64_t features = block_x86_extended();
  if (!features) {
    PUT(image, 0x48, 0x0f, 0xae); // fxrstor64
    put_field(image, 1, FIELD(vectors));
    return;
  }
  PUT(image, 0xb8);
  put32(image, (int64_t)features); // mov eax, features
  PUT(image, 0x31, 0xd2);          // xor edx, edx
  PUT(image, 0x48, 0x0f, 0xae);    // xrstor64
  put_field(image, 5, FIELD(vectors));
  if (features & BLOCK_X86_UPPER && !keep_upper)
    PUT(image, 0xc5, 0xf8, 0x77); // vzeroupper: else SSE code would pay for the upper halves
}

static void emit_segments(struct block_image *image) {
  if (!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE))
    return;
  load(image, RAX, FIELD(fs_base));
  PUT(image, 0xf3, 0x48, 0x0f, 0xae, 0xd0); // wrfsbase rax
  load(image, RAX, FIELD(gs_base));
  PUT(image, 0xf3, 0x48, 0x0f, 0xae, 0xd8); // wrgsbase rax
}

/// 1 to 64 turns of a loop, another number for each timing of a slot.
static void emit_dither(struct block_image *image) {
  load(image, RAX, FIELD(index));
  PUT(image, 0x6b, 0xc8, 13);   // imul ecx, eax, 13
  PUT(image, 0x83, 0xe1, 0x3f); // and ecx, 63
  PUT(image, 0xff, 0xc1);       // inc ecx
  size_t turn = image->used;
  PUT(image, 0xff, 0xc9); // dec ecx
  back(image, 0x75, turn);
}

/// What comes last before the slot's entry, which block_arch_set_slot() sets.
static void emit_gate(struct block_image *image, size_t slot, int loop_register) {
  align(image);
  image->gates[slot] = image->used;
  own_stack(image);
  load(image, RAX, FIELD(flags));
  PUT(image, 0x50, 0x9d); // push rax; popfq
  for (unsigned reg = 0; reg < HARNESS_REGISTERS; reg++)
    if (reg != RAX && reg != RDX && reg != RSP)
      load(image, reg, (int)reg == loop_register ? FIELD(now.loops) : FIELD(registers) + 8 * reg);
  load(image, RSP, FIELD(registers) + 8 * RSP);
  PUT(image, 0x0f, 0xae, 0xf0);             // mfence: the pages' stores are done
  PUT(image, 0x0f, 0xae, 0xe8, 0x0f, 0x31); // lfence; rdtsc
  PUT(image, 0x89);                         // mov [start_ticks], eax: without touching the flags
  put_field(image, RAX, FIELD(start_ticks));
  PUT(image, 0x89);
  put_field(image, RDX, FIELD(start_ticks) + 4);
  load(image, RAX, loop_register == RAX ? FIELD(now.loops) : FIELD(registers) + 8 * RAX);
  load(image, RDX, loop_register == RDX ? FIELD(now.loops) : FIELD(registers) + 8 * RDX);
  PUT(image, 0x0f, 0xae, 0xe8); // lfence
  PUT(image, 0xe9);             // jmp
  put32(image, 0);
  image->gate_ends[slot] = image->used;
}

static void emit_place(struct block_image *image, const struct block_plan *plan, size_t end) {
  size_t start = image->used;
  for (size_t i = 0; i < plan->copies; i++)
    put(image, plan->code, plan->bytes);
  if (plan->loop) {
    unsigned reg = (unsigned)plan->loop_register;
    if (plan->loop_register >= 0) {
      PUT(image, reg < 8 ? 0x48 : 0x49, 0xff, (uint8_t)(0xc8 | (reg & 7))); // dec reg
    } else {
      PUT(image, 0x48, 0xff); // dec qword [counter]
      put_field(image, 1, FIELD(counter));
    }
    back(image, 0x75, start); // jnz
  }
  image->place_bytes = image->used - start;
  image->body_end = image->used;
  emit_time(image, end);
}

static void emit_body(struct block_image *image, const struct block_plan *plan, size_t end) {
  align(image);
  image->copy_bytes = plan->bytes;
  image->row = plan->loop ? plan->copies : 0;
  image->places = plan->places;
  for (size_t place = 0; place < plan->places; place++) {
    while (image->used % 64 != (plan->address + OFFSET_BYTES * place) % 64)
      PUT(image, 0x90);
    if (place == 0)
      image->body = image->used;
    if (place == 1)
      image->place_stride = image->used - image->body;
    emit_place(image, plan, end);
  }
  if (plan->places == 1)
    image->place_stride = image->place_bytes;
}

void block_arch_emit(const struct block_plan *plan, struct block_image *image) {
  image->used = 0;
  emit_calls(image);
  align(image);
  size_t end = image->used;
  emit_end(image);
  image->start = image->used;
  emit_slot(image);
  emit_fill(image);
  emit_copies(image);
  emit_vectors(image, plan->has_upper_halves);
  emit_segments(image);
  emit_dither(image);
  PUT(image, 0xff); // jmp [now.gate]
  put_field(image, 4, FIELD(now.gate));
  for (size_t slot = 0; slot < BLOCK_SLOTS; slot++)
    emit_gate(image, slot, plan->loop ? plan->loop_register : -1);
  align(image);
  for (int i = 0; i < BLOCK_CHAIN_LONG; i++)
    PUT(image, 0x48, 0x01, 0xc0); // add rax, rax
  image->chain_end = image->used;
  emit_time(image, end);
  align(image);
  for (int i = 0; i < BLOCK_CANARY_LONG; i++) // add rax, rax; add rbx, rbx; nop four times
    PUT(image, 0x48, 0x01, 0xc0, 0x48, 0x01, 0xdb, 0x90, 0x90, 0x90, 0x90);
  image->canary_end = image->used;
  emit_time(image, end);
  emit_body(image, plan, end);
}

void block_arch_set_entry(const struct block_image *image, struct block_control *control,
                          size_t slot, uint64_t entry) {
  int32_t distance = (int32_t)(int64_t)(entry - BLOCK_CODE_AT - image->gate_ends[slot]);
  rrt_copy(image->code + image->gate_ends[slot] - sizeof(distance), &distance, sizeof(distance));
  control->slots[slot] = (struct block_slot){BLOCK_CODE_AT + image->gates[slot], 1};
}

void block_arch_set_slot(const struct block_image *image, struct block_control *control,
                         size_t slot, size_t place, size_t executions) {
  block_arch_set_entry(image, control, slot, block_image_entry(image, place, executions));
  control->slots[slot].loops = block_image_turns(image, executions);
}

uint64_t block_arch_chain_entry(const struct block_image *image, size_t adds) {
  return BLOCK_CODE_AT + image->chain_end - 3 * adds;
}

uint64_t block_arch_canary_entry(const struct block_image *image, size_t turns) {
  return BLOCK_CODE_AT + image->canary_end - CANARY_BYTES * turns;
}

void block_arch_go(uint64_t address) {
  __asm__ volatile("jmp *%0" : : "r"(address) : "memory");
  __builtin_unreachable();
}
#endif
