// entry_x86_64.S - entry points that keep every register (calling convention preserve_all).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C code behind them is compiled without vector registers, so only the general registers that
// C may change are saved here. rsp on entry is 8 modulo 16; nine pushes align it.
//
//   __reticle_loop_begin(rdi cell, rsi loop, rdx work, rcx frame or 0)
//   __reticle_loop_end(rdi cell, rsi loop, rdx frame or 0)
// Where frame is 0 the caller's stack pointer stands for its frame.
#if defined(__CET__)
#include <cet.h>
#else
#define _CET_ENDBR
#endif

.macro save
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  .cfi_adjust_cfa_offset 72
.endm

.macro restore
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  .cfi_adjust_cfa_offset -72
.endm

.macro entry name, target, frame
  .globl \name
  .type \name, @function
  .p2align 5
\name:
  .cfi_startproc
  _CET_ENDBR
  save
  leaq 80(%rsp), %rax        // the caller's stack pointer
  testq %\frame, %\frame
  cmoveq %rax, %\frame
  cld
  callq \target
  restore
  ret
  .cfi_endproc
  .size \name, . - \name
.endm

  .text
  .hidden rrt_loop_begin
  .hidden rrt_loop_end
  entry __reticle_loop_begin, rrt_loop_begin, rcx
  entry __reticle_loop_end, rrt_loop_end, rdx

  .section .note.GNU-stack, "", @progbits
