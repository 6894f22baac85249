// entry_aarch64.S - entry points that keep every register but the flags.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C code behind them is compiled without vector registers, so only the general registers that
// C may change are saved here. Compiled code has struct reticle_site at its stack pointer, behind
// it x16, x17 and x30, which it saves itself: 80 bytes below its frame.
.set SITE_FRAME, 40
.set SITE_BYTES, 80
.set SAVED_BYTES, 160

// sp: 0 x29, x30, 16 x0 to x15, 144 x18, 160 struct reticle_site, 240 the caller's frame
.macro entry name, target
  .globl \name
  .type \name, %function
  .p2align 6
\name:
  .cfi_startproc
  hint #34 // bti c
  stp x29, x30, [sp, #-SAVED_BYTES]!
  .cfi_adjust_cfa_offset SAVED_BYTES
  .cfi_rel_offset x29, 0
  .cfi_rel_offset x30, 8
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  stp x8, x9, [sp, #80]
  stp x10, x11, [sp, #96]
  stp x12, x13, [sp, #112]
  stp x14, x15, [sp, #128]
  str x18, [sp, #144]
  add x0, sp, #SAVED_BYTES
  add x2, sp, #SAVED_BYTES + SITE_BYTES
  ldr x1, [x0, #SITE_FRAME]
  cmp x1, #0
  csel x1, x2, x1, eq
  bl \target
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldp x8, x9, [sp, #80]
  ldp x10, x11, [sp, #96]
  ldp x12, x13, [sp, #112]
  ldp x14, x15, [sp, #128]
  ldr x18, [sp, #144]
  ldp x29, x30, [sp], #SAVED_BYTES
  .cfi_adjust_cfa_offset -SAVED_BYTES
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size \name, . - \name
.endm

// What compiled code does, for callers in C: \name(x0 cell, x1 loops)
.macro site name, target
  .globl \name
  .hidden \name
  .type \name, %function
  .p2align 4
\name:
  .cfi_startproc
  hint #34 // bti c
  sub sp, sp, #SITE_BYTES
  .cfi_adjust_cfa_offset SITE_BYTES
  stp x16, x17, [sp, #48]
  str x30, [sp, #64]
  .cfi_rel_offset x30, 64
  mov x16, #-1
  stp x0, xzr, [sp]
  stp x1, xzr, [sp, #16]
  stp x16, xzr, [sp, #32]
  bl \target
  ldr x30, [sp, #64]
  ldp x16, x17, [sp, #48]
  add sp, sp, #SITE_BYTES
  .cfi_adjust_cfa_offset -SITE_BYTES
  .cfi_restore x30
  ret
  .cfi_endproc
  .size \name, . - \name
.endm

  .text
  .hidden rrt_loop_begin
  .hidden rrt_loop_end
  entry __reticle_loop_begin, rrt_loop_begin
  entry __reticle_loop_end, rrt_loop_end
  site rrt_gate, __reticle_loop_begin
  site rrt_exit, __reticle_loop_end

  .section .note.GNU-stack, "", %progbits
