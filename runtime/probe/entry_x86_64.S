// entry_x86_64.S - entry points that keep every register but the flags.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C code behind them is compiled without vector registers, so only the general registers that
// C may change are saved here. Of struct reticle_site compiled code pushes the work, and the frame
// where it moves, below its red zone; what stands behind the call tells the rest
// (pass/target/ProbeTargetX86_64.cpp). The stack pointer may have any alignment.
.set RED_ZONE_BYTES, 128
.set TAKEN_OFF, 8 + RED_ZONE_BYTES // the work, too; the caller takes its frame off
// Behind the return address: the number, with RETICLE_SITE_* in its upper 3 bits, in a test of 1
// byte or of 4.
.set TEST_BYTE, 0xa8
.set NUMBER, 1
.set SHORT_BYTES, 2
.set SHORT_NUMBER, (1 << 5) - 1
.set SHORT_FLAGS, 0xff - SHORT_NUMBER
.set SHORT_SHIFT, 23
.set LONG_BYTES, 5
.set SITE_NUMBER, (1 << 28) - 1
.set SITE_FRAME, 1 << 28
// Then the unit, 4 bytes from its instruction on, and the cells, 4 bytes.
.set UNIT_DISTANCE, 1
.set NEAR_BYTES, 5
// FAR: 8 bytes, behind a jump.
.set FAR_DISTANCE, 2
.set FAR_BYTES, 10
.set CELLS, 1
// struct reticle_unit_desc
.set UNIT_LOOPS, 8
.set UNIT_FLAGS, 20
.set CELLS_IN_TABLE, 1
// struct rrt_open (thread.h)
.set OPEN_BEGIN_TICKS, 16
.set OPEN_CPU, 44
.set OPEN_READINGS, 56
.set BURST_READS, 4
// struct rrt_probe_control
.set PROBE_BURST, 16

#if defined(__CET__)
#include <cet.h>
#else
#define _CET_ENDBR
#endif

.macro save
  pushq %rax
  pushq %rcx
  pushq %rdx
  save_rest
.endm

.macro save_rest
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
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
.endm

.macro start name
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  _CET_ENDBR
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
.endm

// Calls target with rdi: struct reticle_site, made here, rsi: the frame; rdx, rcx and r8 are the
// caller's.
//
// rbp: 0 saved rbp, 8 return address, 16 work, then the frame where it moves, the red zone and the
// caller's frame
.macro call target
  movq 8(%rbp), %rax
  movl NUMBER(%rax), %r9d
  cmpb $TEST_BYTE, (%rax)
  jne 7f
  movzbl %r9b, %r10d
  andl $SHORT_NUMBER, %r9d
  andl $SHORT_FLAGS, %r10d
  shll $SHORT_SHIFT, %r10d
  orl %r10d, %r9d
  subq $LONG_BYTES - SHORT_BYTES, %rax
7:
  addq $LONG_BYTES, %rax
  leaq NEAR_BYTES(%rax), %r11
  testl %r9d, %r9d
  js 8f
  movslq UNIT_DISTANCE(%rax), %r10
  addq %rax, %r10
  jmp 9f
8:
  leaq FAR_BYTES(%rax), %r11
  movq FAR_DISTANCE(%rax), %r10
  addq %r11, %r10
9:
  leaq 16 + TAKEN_OFF(%rbp), %rsi
  testl $SITE_FRAME, %r9d
  cmovneq 24(%rbp), %rsi
  movl %r9d, %eax
  andl $SITE_NUMBER, %eax
  testl $CELLS_IN_TABLE, UNIT_FLAGS(%r10)
  jne 10f
  movslq CELLS(%r11), %r11
  addq %fs:0, %r11
  jmp 11f
10:
  movq __reticle_cells@gottpoff(%rip), %r11
  movq %fs:(%r11), %r11
  addq (%r10), %r11
11:
  leaq (%r11, %rax, 4), %r11
  pushq %rsi
  pushq 16(%rbp)
  pushq %r9
  pushq UNIT_LOOPS(%r10)
  pushq (%r10)
  pushq %r11
  movq %rsp, %rdi
  andq $-16, %rsp
  cld
  callq \target
  leaq -72(%rbp), %rsp
.endm

// The same for a site that was pushed as a whole.
//
// rbp: 0 saved rbp, 8 return address, 16 the site
.macro call_pushed target
  leaq 16(%rbp), %rdi
  andq $-16, %rsp
  cld
  callq \target
  leaq -72(%rbp), %rsp
.endm

.macro finish name, pops=TAKEN_OFF
  restore
  popq %rbp
  .cfi_def_cfa %rsp, 8
  // One barrier here and one behind the call: docs/method/loops.md, "Behind a cold call".
  lfence
  ret $\pops
  .cfi_endproc
  .size \name, . - \name
.endm

.macro field_entry name, target
  .p2align 6
  start \name
  save
  call_pushed \target
  finish \name, 0
.endm

// Both readings of a sample's clock are here (RRT_CLOCK_IN_ENTRY), in one cache line: between the
// first and the loop nothing is fetched that the second doesn't need, and what has run in front of
// a sample is there at its end. Bursts too: their second line and rrt_burst_readings, which a sample's
// begin runs twice, the first time for nothing. docs/method/loops.md, "Behind a cold call".
.macro loop_entries
  .p2align 6
  start __reticle_loop_begin
  save
  call rrt_loop_begin
  movq %rax, %rdi // struct rrt_open, or null
  testq %rax, %rax
  je 2f
  cmpl $0, rrt_probe + PROBE_BURST(%rip)
  jmp 1f
  .p2align 6
1:
  jne 5f
  rdtscp
  shlq $32, %rdx
  orq %rax, %rdx
  movq %rdx, OPEN_BEGIN_TICKS(%rdi)
  movl %ecx, OPEN_CPU(%rdi)
2:
  finish __reticle_loop_begin
  start __reticle_loop_end
  pushq %rax
  pushq %rcx
  pushq %rdx
  rdtscp
  save_rest
  cmpl $0, rrt_probe + PROBE_BURST(%rip)
  jne 6f
  shlq $32, %rdx
  orq %rax, %rdx
3: // third to fifth argument: ticks, CPU, or a burst's readings
  call rrt_loop_end
  finish __reticle_loop_end
  .p2align 6
5:
  addq $OPEN_READINGS, %rdi
  pushq %rdi
  callq rrt_burst_readings
  movq (%rsp), %rdi
  callq rrt_burst_readings
  popq %rdi
  subq $OPEN_READINGS, %rdi
  movl %eax, OPEN_CPU(%rdi)
  movq OPEN_READINGS(%rdi), %rax
  movq %rax, OPEN_BEGIN_TICKS(%rdi)
  jmp 2b
6:
  subq $8 * BURST_READS, %rsp
  movq %rsp, %rdi
  callq rrt_burst_readings
  movl %eax, %ecx
  movq %rsp, %r8
  jmp 3b
.endm

// rdi: struct reticle_visit_desc, rsi: address. As LLVM's preserve_all has it, without barriers:
// nothing is timed.
.macro visit_entry name, target
  .p2align 6
  start \name
  save
  andq $-16, %rsp
  cld
  callq \target
  leaq -72(%rbp), %rsp
  restore
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size \name, . - \name
.endm

// What compiled code does, for callers in C, of rrt_calibration_unit's first loop: its arguments,
// which AArch64 needs, aren't looked at.
.macro site name, target
  .globl \name
  .hidden \name
  .type \name, @function
  .p2align 4
\name:
  .cfi_startproc
  addq $-RED_ZONE_BYTES, %rsp
  pushq $-1 // work
  .cfi_adjust_cfa_offset TAKEN_OFF
  callq \target
  .cfi_adjust_cfa_offset -TAKEN_OFF
  testb $0, %al
  testl $(rrt_calibration_unit - .), %eax
  lfence
  ret
  .cfi_endproc
  .size \name, . - \name
.endm

  .text
  .hidden rrt_loop_begin
  .hidden rrt_loop_end
  .hidden rrt_burst_readings
  .hidden rrt_probe
  .hidden rrt_calibration_unit
  .hidden rrt_field_enter
  .hidden rrt_visit
  loop_entries
  field_entry __reticle_field_enter, rrt_field_enter
  visit_entry __reticle_visit, rrt_visit
  site rrt_gate, __reticle_loop_begin
  site rrt_exit, __reticle_loop_end

  .section .note.GNU-stack, "", @progbits
