// block_stop.c - what a signal that stopped a block says about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Linux arch/x86/mm/fault.c, arch/x86/kernel/traps.c: a page fault comes with its address
// and a positive code; a general protection fault has SI_KERNEL and no address; a stack fault is
// SIGBUS with SI_KERNEL.
#include "runtime/harness/block/block_child.h"

#include <signal.h>

#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

static bool in_code(uint64_t address) {
  return address >= BLOCK_CODE_AT && address < BLOCK_CODE_AT + BLOCK_CODE_BYTES;
}

static bool in_control(uint64_t address) {
  return address >= BLOCK_CONTROL_AT && address < BLOCK_CONTROL_AT + BLOCK_CONTROL_BYTES;
}

static bool in_body(const struct block_image *image, uint64_t address) {
  size_t offset;
  return block_image_has(image, address, &offset);
}

static void fail(struct block_stop *out, enum harness_status status, const char *detail) {
  out->kind = BLOCK_STOP_FAILED;
  out->status = status;
  out->detail = detail;
}

// The code at an address of the body, [*bytes] up to the end of all copies; null in other places.
static const uint8_t *code_at(const struct block_image *image, uint64_t address, size_t *bytes) {
  if (!image->code || !in_body(image, address))
    return NULL;
  *bytes = image->body_end - (size_t)(address - BLOCK_CODE_AT);
  return image->code + (address - BLOCK_CODE_AT);
}

static const char *denied_at(const struct block_image *image, uint64_t where) {
  size_t bytes;
  const uint8_t *code = code_at(image, where, &bytes);
  const char *known = code ? block_denied(code, bytes) : NULL;
  return known ? known : "non-canonical address, misaligned vector move or privileged instruction";
}

// The signal comes before or behind the instruction that takes so long: both of cpuid's are looked
// at.
static const char *late_at(const struct block_image *image, uint64_t where, const char *otherwise) {
  for (unsigned back = 0; back <= 2; back += 2) {
    size_t bytes;
    const uint8_t *code = code_at(image, where - back, &bytes);
    const char *known = code ? block_trapped(code, bytes) : NULL;
    if (known)
      return known;
  }
  return otherwise;
}

static void classify_page_fault(uint64_t address, uint64_t where, const struct block_image *image,
                                struct block_stop *out) {
  if (!in_body(image, where))
    fail(out, HARNESS_CONTROL_FLOW,
         in_code(where) ? "the harness's own memory was overwritten" : "jumps out of the block");
  else if (in_code(address))
    fail(out, HARNESS_BAD_ADDRESS, "writes to its own code");
  else if (in_control(address))
    fail(out, HARNESS_BAD_ADDRESS, "touches the harness's own memory");
  else if (address >= BLOCK_USER_END)
    fail(out, HARNESS_BAD_ADDRESS, "in the kernel's half of the addresses");
  else
    out->kind = BLOCK_STOP_FAULT;
}

void block_stop_classify(int signal, int code, uint64_t address, uint64_t where, uint64_t done,
                         const struct block_image *image, struct block_stop *out) {
  *out = (struct block_stop){.address = address, .where = where};
  switch (signal) {
  case SIGTRAP:
    if (where == done)
      out->kind = BLOCK_STOP_DONE;
    else
      fail(out, HARNESS_CONTROL_FLOW, "stops at a breakpoint or single step");
    return;
  case SIGSEGV:
    if (code == SI_KERNEL && !in_body(image, where))
      fail(out, HARNESS_CONTROL_FLOW, "jumps out of the block");
    else if (code == SI_KERNEL)
      fail(out, HARNESS_PROTECTION, denied_at(image, where));
    else
      classify_page_fault(address, where, image, out);
    return;
  case SIGBUS:
    fail(out, HARNESS_BUS,
         code == BUS_ADRALN ? "misaligned access with alignment checks on"
                            : "non-canonical stack address");
    return;
  case SIGILL:
    fail(out, in_body(image, where) ? HARNESS_ILLEGAL : HARNESS_CONTROL_FLOW,
         in_body(image, where) ? "not an instruction of this processor" : "jumps out of the block");
    return;
  case SIGFPE:
    fail(out, HARNESS_DIVIDE, "division by zero, or its quotient is too large");
    return;
  case SIGSYS:
    fail(out, HARNESS_SYSTEM_CALL, "makes a system call");
    return;
  case SIGALRM:
  case SIGVTALRM:
    fail(out, HARNESS_TIMEOUT,
         late_at(image, where,
                 signal == SIGALRM ? "not done in time; the machine may be busy" : "does not end"));
    return;
  default:
    fail(out, HARNESS_CONTROL_FLOW, "stopped by a signal that no block raises");
  }
}

uint32_t block_offset(const struct block_image *image, size_t block_bytes, uint64_t address) {
  size_t offset;
  return block_image_has(image, address, &offset) ? (uint32_t)(offset % block_bytes) : UINT32_MAX;
}
