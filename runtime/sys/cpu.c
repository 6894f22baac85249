// cpu.c - what names this machine's timing: processor, hypervisor, clock source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: AMD64 Architecture Programmer's Manual 3, appendix E; Intel SDM 2A, CPUID.
#include "runtime/sys/cpu.h"

#include "runtime/sys/sys.h"

#if defined(__x86_64__)

static void cpuid(uint32_t leaf, uint32_t out[4]) {
  __asm__ volatile("cpuid"
                   : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
                   : "a"(leaf), "c"(0));
}

// Without the blanks around it.
static void read_model(uint32_t highest, char *out) {
  uint32_t brand[13] = {0};
  if (highest >= 0x80000004)
    for (uint32_t i = 0; i < 3; i++)
      cpuid(0x80000002 + i, &brand[4 * i]);
  const char *name = (const char *)brand;
  while (*name == ' ')
    name++;
  size_t length = rrt_length(name);
  while (length && name[length - 1] == ' ')
    length--;
  rrt_copy(out, name, length);
}

static void read_processor(struct rrt_cpu *cpu) {
  uint32_t r[4];
  cpuid(0, r);
  int is_intel = r[1] == 0x756e6547; // "Genu"
  cpuid(0x80000000, r);
  uint32_t highest = r[0];
  read_model(highest, cpu->model);
  if (highest >= 0x80000007) {
    cpuid(0x80000007, r);
    cpu->is_invariant = r[3] >> 8 & 1;
  }
  cpu->is_serializing = is_intel;
  if (highest >= 0x80000021) {
    cpuid(0x80000021, r);
    cpu->is_serializing |= r[0] >> 2 & 1;
  }
  cpuid(1, r);
  if (r[2] >> 31) { // a hypervisor is there
    cpuid(0x40000000, r);
    uint32_t signature[4] = {r[1], r[2], r[3], 0};
    const char *name = signature[0] ? (const char *)signature : "unnamed";
    rrt_copy(cpu->hypervisor, name, rrt_length(name));
  }
}

// Valgrind's own cpuid has the instruction's bit whether it then takes the instruction or not.
int rrt_cpu_has_timer(void) {
  char text[4096]; // the first processor's lines
  static const char feature[] = " rdtscp ";
  if (!rrt_sys_is_emulated())
    return 1;
  long n = rrt_sys_read_file("/proc/cpuinfo", text, sizeof text), last = sizeof feature - 1;
  for (long i = 0; i + last <= n; i++) {
    long k = 0;
    while (k < last && text[i + k] == feature[k])
      k++;
    if (k == last)
      return 1;
  }
  return n < 0;
}

#else

int rrt_cpu_has_timer(void) { return 1; }

static void read_processor(struct rrt_cpu *cpu) {
  // The architecture defines the counter as invariant and ISB as a context synchronisation.
  cpu->is_invariant = cpu->is_serializing = 1;
  rrt_sys_read_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", cpu->model,
                    sizeof cpu->model);
  rrt_sys_read_file("/sys/hypervisor/type", cpu->hypervisor, sizeof cpu->hypervisor);
}

#endif

static void cut_line(char *text) {
  while (*text && *text != '\n')
    text++;
  *text = 0;
}

void rrt_cpu_read(struct rrt_cpu *cpu) {
  rrt_zero(cpu, sizeof *cpu);
  read_processor(cpu);
  rrt_sys_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                    cpu->clock_source, sizeof cpu->clock_source);
  cut_line(cpu->model);
  cut_line(cpu->hypervisor);
  cut_line(cpu->clock_source);
}
