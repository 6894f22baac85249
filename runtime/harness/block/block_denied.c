// block_denied.c - instructions that a processor or a hypervisor keeps from programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Intel SDM 2, "Protected Mode Exceptions" of each, and 3C, "Instructions that cause VM
// exits".
#include "runtime/harness/block/block_child.h"

#if defined(__x86_64__)
#include <cpuid.h>

enum { OPCODE_BYTES = 3 };

static const struct {
  uint8_t bytes, opcode[OPCODE_BYTES];
  const char *detail;
} denied[] = {
    {1, {0xf4}, "hlt is for the kernel alone"},
    {1, {0xfa}, "cli needs I/O privilege (iopl), which programs haven't"},
    {1, {0xfb}, "sti needs I/O privilege (iopl), which programs haven't"},
    {1, {0xe4}, "in needs permission for the port (ioperm)"},
    {1, {0xe5}, "in needs permission for the port (ioperm)"},
    {1, {0xec}, "in needs permission for the port (ioperm)"},
    {1, {0xed}, "in needs permission for the port (ioperm)"},
    {1, {0x6c}, "ins needs permission for the port (ioperm)"},
    {1, {0x6d}, "ins needs permission for the port (ioperm)"},
    {1, {0xe6}, "out needs permission for the port (ioperm)"},
    {1, {0xe7}, "out needs permission for the port (ioperm)"},
    {1, {0xee}, "out needs permission for the port (ioperm)"},
    {1, {0xef}, "out needs permission for the port (ioperm)"},
    {1, {0x6e}, "outs needs permission for the port (ioperm)"},
    {1, {0x6f}, "outs needs permission for the port (ioperm)"},
    {2, {0x0f, 0x06}, "clts is for the kernel alone"},
    {2, {0x0f, 0x07}, "sysret is for the kernel alone"},
    {2, {0x0f, 0x08}, "invd is for the kernel alone"},
    {2, {0x0f, 0x09}, "wbinvd is for the kernel alone"},
    {2, {0x0f, 0x20}, "moves from control registers are for the kernel alone"},
    {2, {0x0f, 0x21}, "moves from debug registers are for the kernel alone"},
    {2, {0x0f, 0x22}, "moves to control registers are for the kernel alone"},
    {2, {0x0f, 0x23}, "moves to debug registers are for the kernel alone"},
    {2, {0x0f, 0x30}, "wrmsr is for the kernel alone"},
    {2, {0x0f, 0x32}, "rdmsr is for the kernel alone"},
    {2,
     {0x0f, 0x33},
     "rdpmc: the counter in ecx isn't there, or the kernel keeps counters from programs "
     "(/sys/bus/event_source/devices/cpu/rdpmc)"},
    {2, {0x0f, 0x35}, "sysexit is for the kernel alone"},
    {3,
     {0x0f, 0x01, 0xd0},
     "xgetbv: ecx names no extended control register; set it to 0 in the block"},
    {3, {0x0f, 0x01, 0xd1}, "xsetbv is for the kernel alone"},
};

static bool is_prefix(uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
         byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65 ||
         (byte & 0xf0) == 0x40;
}

const char *block_denied(const uint8_t *code, size_t bytes) {
  for (; bytes && is_prefix(*code); bytes--)
    code++;
  for (size_t i = 0; i < sizeof denied / sizeof denied[0]; i++) {
    size_t n = 0;
    while (n < denied[i].bytes && n < bytes && code[n] == denied[i].opcode[n])
      n++;
    if (n == denied[i].bytes)
      return denied[i].detail;
  }
  return NULL;
}

const char *block_trapped(const uint8_t *code, size_t bytes) {
  unsigned a, b, c = 0, d;
  bool is_guest = __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
  if (is_guest && bytes >= 2 && code[0] == 0x0f && code[1] == 0xa2)
    return "cpuid is trapped by the hypervisor: each takes microseconds, so that the copies aren't "
           "done in time";
  return NULL;
}

#else

const char *block_denied(const uint8_t *code, size_t bytes) {
  (void)code, (void)bytes;
  return NULL;
}

const char *block_trapped(const uint8_t *code, size_t bytes) {
  (void)code, (void)bytes;
  return NULL;
}

#endif
