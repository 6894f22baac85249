// vectors_aarch64.S - a call of code that may use vector registers, which keeps all of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// void rrt_keep_vectors(void (*call)(void), int has_sve)
// A load of a NEON register clears the rest of the SVE register it is a part of, so where there is
// SVE whole registers are saved, predicates and the first-fault register too.
  .arch armv8-a+sve

.macro all_vectors instruction
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  \instruction z\n, [sp, #\n, mul vl]
  .endr
.endm

// x11: where they are
.macro all_predicates instruction
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  \instruction p\n, [x11, #\n, mul vl]
  .endr
.endm

.macro all_neon instruction
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  \instruction q\n, [sp, #16 * \n]
  .endr
.endm

  .text
  .globl rrt_keep_vectors
  .hidden rrt_keep_vectors
  .type rrt_keep_vectors, %function
  .p2align 4
rrt_keep_vectors:
  .cfi_startproc
  hint #34 // bti c
  stp x29, x30, [sp, #-32]!
  .cfi_adjust_cfa_offset 32
  .cfi_rel_offset x29, 0
  .cfi_rel_offset x30, 8
  stp x19, x20, [sp, #16]
  .cfi_rel_offset x19, 16
  .cfi_rel_offset x20, 24
  mov x29, sp
  .cfi_def_cfa_register x29
  mov w19, w1
  mrs x20, fpsr
  cbnz w19, 1f

  sub sp, sp, #512
  all_neon str
  blr x0
  all_neon ldr
  b 2f

1:
  // 32 vectors, then 16 predicates and the first-fault register of an eighth of a vector each; in
  // whole vectors, as the stack pointer is a multiple of 16.
  addvl sp, sp, #-32
  addvl sp, sp, #-3
  all_vectors str
  addvl x11, sp, #31
  addvl x11, x11, #1
  all_predicates str
  rdffr p0.b
  str p0, [x11, #16, mul vl]
  blr x0
  addvl x11, sp, #31
  addvl x11, x11, #1
  ldr p0, [x11, #16, mul vl]
  wrffr p0.b
  all_predicates ldr
  all_vectors ldr

2:
  mov sp, x29
  msr fpsr, x20
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_def_cfa sp, 0
  .cfi_restore x29
  .cfi_restore x30
  .cfi_restore x19
  .cfi_restore x20
  ret
  .cfi_endproc
  .size rrt_keep_vectors, . - rrt_keep_vectors

  .section .note.GNU-stack, "", %progbits
