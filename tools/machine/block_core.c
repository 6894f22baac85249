// block_core.c - looks up this processor's widths in its identification.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Intel SDM 2A and AMD64 APM 3, CPUID leaves 0, 1 and 7.
#include "tools/machine/block_core.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdbool.h>
#include <string.h>

enum { AVX512F = 1 << 16, AVX512_FP16 = 1 << 23, AVX_VNNI = 1 << 4, FAMILY_19H = 0x19 };

static enum block_core look(void) {
  unsigned a, b, c, d, features, more, vendor[3];
  if (!__get_cpuid(0, &a, &vendor[0], &vendor[2], &vendor[1]) ||
      !__get_cpuid_count(7, 0, &a, &features, &c, &d))
    return BLOCK_CORE_UNKNOWN;
  if (memcmp(vendor, "GenuineIntel", sizeof(vendor)) == 0 && d & AVX512_FP16 && a >= 1 &&
      __get_cpuid_count(7, 1, &more, &b, &c, &d) && more & AVX_VNNI)
    return BLOCK_CORE_GOLDEN_COVE;
  if (memcmp(vendor, "AuthenticAMD", sizeof(vendor)) == 0 && features & AVX512F &&
      __get_cpuid(1, &a, &b, &c, &d) && (a >> 8 & 15) + (a >> 20 & 255) == FAMILY_19H)
    return BLOCK_CORE_ZEN4;
  return BLOCK_CORE_UNKNOWN;
}

enum block_core block_core_here(void) {
  static enum block_core core;
  static bool is_known;
  if (!is_known) // CPUID traps in a virtual machine: once is enough
    core = look();
  is_known = true;
  return core;
}

#else

enum block_core block_core_here(void) { return BLOCK_CORE_UNKNOWN; }

#endif
