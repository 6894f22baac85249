// topdown_machine.c - see topdown_machine.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: Intel SDM 2A, CPUID leaf 1; Arm ARM, MIDR_EL1; the kernel's Documentation/ABI for
// /sys/devices/system/cpu/smt and .../events/caps/slots.
#include "tools/cmd/topdown_machine.h"

#include "tools/cmd/machine.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>

static void read_cpu(struct topdown_cpu *cpu) {
  unsigned a, b, c, d, vendor[3];
  char smt[16];
  if (!__get_cpuid(0, &a, &vendor[0], &vendor[2], &vendor[1]))
    return;
  if (memcmp(vendor, "GenuineIntel", sizeof(vendor)) == 0)
    cpu->vendor = TOPDOWN_INTEL;
  else if (memcmp(vendor, "AuthenticAMD", sizeof(vendor)) == 0)
    cpu->vendor = TOPDOWN_AMD;
  if (!__get_cpuid(1, &a, &b, &c, &d))
    return;
  cpu->family = (a >> 8 & 15) + ((a >> 8 & 15) == 15 ? a >> 20 & 255 : 0);
  cpu->model = (a >> 4 & 15) | (a >> 12 & 0xf0);
  machine_read_line("/sys/devices/system/cpu/smt/active", smt, sizeof(smt));
  cpu->has_two_threads = atoi(smt) == 1;
}

static double read_width(void) { return 0; }

#else

static void read_cpu(struct topdown_cpu *cpu) {
  char text[32];
  machine_read_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", text,
                    sizeof(text));
  unsigned long long midr = strtoull(text, NULL, 16);
  if ((midr >> 24 & 0xff) != 0x41) // "A": Arm's own
    return;
  cpu->vendor = TOPDOWN_ARM;
  cpu->model = midr >> 4 & 0xfff;
  cpu->variant = midr >> 20 & 15;
  cpu->revision = midr & 15;
}

static double read_width(void) {
  char text[32];
  machine_read_line("/sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", text, sizeof(text));
  return (double)strtoull(text, NULL, 0);
}

#endif

void topdown_machine_read(struct topdown_machine *out) {
  struct topdown_cpu cpu = {0};
  *out = (struct topdown_machine){.width = read_width()};
  read_cpu(&cpu);
  out->tree = topdown_cpu_tree(&cpu, &out->has_erratum, &out->reason);
}
