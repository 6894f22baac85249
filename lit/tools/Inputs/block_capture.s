# block_capture.s - a loop that reads through pointers: to four pages in turn
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
  .text
  .globl walk
  .type walk, @function
walk: # rdi: pointers, rsi: how many
  xorl %eax, %eax
1:
  movq (%rdi), %rdx
  addq (%rdx), %rax
  addq $8, %rdi
  decq %rsi
  jnz 1b
  retq
  .size walk, . - walk
  .globl never
  .type never, @function
never:
  addq %rax, %rax
  retq
  .size never, . - never
  .globl pages, pointers
  .data
  .p2align 12
pages:
  .rept 4
  .quad 1
  .skip 4088
  .endr
pointers:
  .rept 256
  .quad pages, pages + 4096, pages + 8192, pages + 12288
  .endr
  .section .note.GNU-stack, "", @progbits
