# block_left_out.s - blocks that use what capturing values leaves out: data beside the code, x87 registers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
  .text
  .globl f, g
  .type f, @function
f:
  movq here(%rip), %rax
  addq %rax, %rcx
  retq
  .size f, . - f
  .type g, @function
g:
  fld1
  fstp %st(0)
  retq
  .size g, . - g
  .data
here:
  .quad 7
  .section .note.GNU-stack, "", @progbits
