// block_registers_x86_64.c - initial values, and registers of a stopped child, on x86-64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Intel SDM volume 1, 13.4 (XSAVE area).
#include "runtime/harness/block/block_registers.h"

#include "runtime/sys/sys.h"
#include "runtime/sys/trace.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>

enum { XSAVE_LEGACY = 3, XSAVE_MASKS = 1 << 5, XSAVE_ALL = 0xe7 };
enum { AVX_OFFSET = 576, HEADER_OFFSET = 512 }; // of the XSAVE area's standard form

uint64_t block_x86_extended(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return 0;
  __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return a & XSAVE_ALL;
}

// --- initial values
// -------------------------------------------------------------------------------

void block_arch_load(const struct harness_state *state, struct block_control *control) {
  // x87 and SSE as after FNINIT, with denormals taken for zero and flushed to it: they would be
  // timed instead of the block. Source: [bhive2019] section 3.3.
  enum { CONTROL_WORD = 0x37f, MXCSR = 0x9fc0, MXCSR_OFFSET = 24, XMM_OFFSET = 160 };
  uint8_t *area = control->vectors;
  rrt_zero(area, sizeof(control->vectors));
  const uint16_t control_word = CONTROL_WORD;
  const uint32_t mxcsr = MXCSR, mxcsr_mask = 0xffff;
  uint64_t present = XSAVE_LEGACY;
  rrt_copy(area, &control_word, sizeof(control_word));
  rrt_copy(area + MXCSR_OFFSET, &mxcsr, sizeof(mxcsr));
  rrt_copy(area + MXCSR_OFFSET + 4, &mxcsr_mask, sizeof(mxcsr_mask));
  for (size_t i = 0; i < 16; i++) {
    rrt_copy(area + XMM_OFFSET + 16 * i, state->vectors[i], 16);
    rrt_copy(area + AVX_OFFSET + 16 * i, state->vectors[i] + 16, 16);
  }
  uint64_t features = block_x86_extended();
  if (state->has_upper_halves)
    present |= BLOCK_X86_UPPER;
  unsigned size, offset, c, d;
  if (features & XSAVE_MASKS && __get_cpuid_count(0xd, 5, &size, &offset, &c, &d) &&
      offset + 64 <= sizeof(control->vectors)) {
    present |= XSAVE_MASKS; // all elements take part in masked operations
    for (size_t i = 0; i < 64; i++)
      area[offset + i] = 0xff;
  }
  present &= features ? features : ~UINT64_C(0);
  rrt_copy(area + HEADER_OFFSET, &present, sizeof(present));
  rrt_copy(control->registers, state->registers, sizeof(control->registers));
  // Carry, parity, adjust, zero, sign, overflow; and the direction, which a program may have set.
  control->flags = (state->flags & 0xcd5) | 0x202;
  control->fs_base = state->fs_base;
  control->gs_base = state->gs_base;
}

// --- a stopped child
// ------------------------------------------------------------------------------

/// A block may load selectors with any privilege level; the kernel takes none but a user's, or 0.
static long set_registers(long pid, struct user_regs_struct *regs) {
  unsigned long long *selectors[] = {&regs->ds, &regs->es, &regs->fs, &regs->gs};
  for (unsigned i = 0; i < sizeof(selectors) / sizeof(*selectors); i++)
    if ((*selectors[i] & 3) != 3)
      *selectors[i] = 0;
  return rrt_sys_ptrace(PTRACE_SETREGS, pid, NULL, regs);
}

long block_arch_jump(long pid, uint64_t address, const struct block_control *control) {
  struct user_regs_struct regs;
  long failed = rrt_sys_ptrace(PTRACE_GETREGS, pid, NULL, &regs);
  if (failed < 0)
    return failed;
  regs.rip = address;
  regs.orig_rax = ~0ull; // else the kernel may restart an interrupted system call
  regs.eflags = 0x202;
  regs.fs_base = control->fs_base;
  regs.gs_base = control->gs_base;
  return set_registers(pid, &regs);
}

_Static_assert(sizeof(struct user_regs_struct) <= sizeof(struct block_saved), "too small");

long block_arch_save(long pid, struct block_saved *saved) {
  return rrt_sys_ptrace(PTRACE_GETREGS, pid, NULL, saved);
}

long block_arch_restore(long pid, struct block_saved *saved) {
  return set_registers(pid, (struct user_regs_struct *)saved);
}

long block_arch_where(long pid, uint64_t *address) {
  struct user_regs_struct regs;
  long failed = rrt_sys_ptrace(PTRACE_GETREGS, pid, NULL, &regs);
  *address = failed < 0 ? 0 : regs.rip;
  return failed;
}

long block_arch_step(long pid, struct harness_step *step, bool set) {
  struct user_regs_struct regs;
  long failed = rrt_sys_ptrace(PTRACE_GETREGS, pid, NULL, &regs);
  if (failed < 0)
    return failed;
  unsigned long long *const order[HARNESS_REGISTERS] = {
      &regs.rax, &regs.rcx, &regs.rdx, &regs.rbx, &regs.rsp, &regs.rbp, &regs.rsi, &regs.rdi,
      &regs.r8,  &regs.r9,  &regs.r10, &regs.r11, &regs.r12, &regs.r13, &regs.r14, &regs.r15};
  if (!set) {
    step->address = regs.rip;
    step->fs_base = regs.fs_base;
    step->gs_base = regs.gs_base;
    for (size_t i = 0; i < HARNESS_REGISTERS; i++)
      step->registers[i] = *order[i];
    return 0;
  }
  for (size_t i = 0; i < HARNESS_REGISTERS; i++)
    *order[i] = step->registers[i];
  regs.rip = step->address;
  regs.orig_rax = ~0ull;
  regs.eflags = 0x202;
  regs.fs_base = step->fs_base;
  regs.gs_base = step->gs_base;
  return set_registers(pid, &regs);
}
#endif
