# block_loops.s - loops whose shape is known: nested, with a side path, entered twice, behind a table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
  .text
  .globl nest
  .type nest, @function
nest:                 # 0
  xorl %eax, %eax
.Louter:              # 1 header of the outer loop
  xorl %ecx, %ecx
.Linner:              # 2 header of the inner loop
  testl $1, %ecx
  je .Leven
  addl $3, %eax       # 3 not every iteration
.Leven:               # 4
  incl %ecx
  cmpl %esi, %ecx
  jne .Linner
  decl %edi           # 5
  jne .Louter
  ret                 # 6
  .size nest, .-nest

  .globl twice
  .type twice, @function
twice:                # 0
  testl %edi, %edi
  je .Lmiddle
.Ltop:                # 1 entered from above ...
  incl %eax
.Lmiddle:             # 2 ... and here: no natural loop
  decl %esi
  jne .Ltop
  ret                 # 3
  .size twice, .-twice

  .globl table
  .type table, @function
table:                # 0
  nop
.Lnext:               # 1 header: the interpreter's loop
  movl (%rsi), %eax
  addq $4, %rsi
  testl %eax, %eax
  je .Ldone
  jmpq *.Lrows(,%rax,8) # 2
.Ladd:                # 3
  addl $1, %edx
  jmp .Lnext
.Lsub:                # 4
  subl $1, %edx
  jmp .Lnext
.Ldone:               # 5
  ret
  .size table, .-table
  .section .rodata
  .p2align 3
.Lrows:
  .quad 0, .Ladd, .Lsub
