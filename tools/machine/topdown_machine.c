// topdown_machine.c - reads the processor's identification, width and kind from CPUID and sysfs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: Intel SDM 2A, CPUID leaf 1; AMD's Software Optimization Guides for families 17h and 19h;
// Arm ARM, MIDR_EL1; the kernel's Documentation/ABI for
// /sys/devices/system/cpu/smt and .../caps/slots, and for the CPUs of a PMU,
// /sys/devices/cpu_core/cpus.
#define _GNU_SOURCE // CPU_ISSET
#include "tools/machine/topdown_machine.h"

#include "tools/machine/machine.h"

#include <sched.h>
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

/// Zen to Zen 4 dispatch six macro-ops in a cycle. Of Zen to Zen 3 there is no tree to take it
/// from.
static double read_width(const struct topdown_cpu *cpu) {
  enum { FAMILY_17H = 0x17, FAMILY_19H = 0x19 };
  return cpu->vendor == TOPDOWN_AMD && (cpu->family == FAMILY_17H || cpu->family == FAMILY_19H) ? 6
                                                                                                : 0;
}

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

static double read_width(const struct topdown_cpu *cpu) {
  char text[32];
  (void)cpu;
  machine_read_line("/sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", text, sizeof(text));
  return (double)strtoull(text, NULL, 0);
}

#endif

/// Of the CPUs that a program may run on which is started now.
static enum topdown_kind read_kind(const char *large) {
  cpu_set_t allowed;
  bool is_allowed[CPU_SETSIZE];
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
    return *large ? TOPDOWN_BOTH : TOPDOWN_ONE_KIND;
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    is_allowed[i] = CPU_ISSET(i, &allowed);
  return topdown_cpu_kind(is_allowed, CPU_SETSIZE, large);
}

/// The kernel has an event "slots" where it handles PERF_METRICS.
static bool has_metrics(void) {
  char slots[64];
  machine_read_line("/sys/bus/event_source/devices/cpu/events/slots", slots, sizeof(slots));
  if (!*slots)
    machine_read_line("/sys/bus/event_source/devices/cpu_core/events/slots", slots, sizeof(slots));
  return *slots != 0;
}

void topdown_machine_read(struct topdown_machine *out) {
  struct topdown_cpu cpu = {0};
  read_cpu(&cpu);
  *out = (struct topdown_machine){.width = read_width(&cpu)};
  machine_read_line("/sys/devices/cpu_core/cpus", out->large, sizeof(out->large));
  cpu.kind = read_kind(out->large);
  out->tree = topdown_cpu_tree(&cpu, &out->has_erratum, &out->reason);
  out->has_metrics = has_metrics();
  if (out->has_metrics && out->tree)
    out->metrics_tree = topdown_tree_by_metrics(out->tree);
  if (out->tree || cpu.kind == TOPDOWN_ONE_KIND)
    out->large[0] = 0;
}
