// doctor_machine.c - what this machine lets Reticle measure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/doctor/doctor.h"

#include "runtime/harness/core_clock.h"
#include "tools/machine/machine.h"
#include "tools/machine/pmu.h"
#include "tools/store/floor_cache.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// A month: hosts and firmware change.
#define FLOOR_OLD_S (30 * 86400)

static const char part[] = "machine";

static void check_processor(const struct machine *machine, struct checks *checks) {
  checks_add(checks, CHECK_OK, part, "processor", "%s, %s%s, %ld CPUs",
             *machine->cpu.model ? machine->cpu.model : "unknown",
             *machine->cpu.hypervisor ? "virtual: " : "bare metal", machine->cpu.hypervisor,
             sysconf(_SC_NPROCESSORS_ONLN));
}

static void check_timer(const struct machine *machine, struct checks *checks) {
  bool fine = machine->cpu.is_invariant && machine->cpu.is_serializing;
  checks_add(checks, fine ? CHECK_OK : CHECK_PROBLEM, part, "timer",
             "%s: %s rate, barrier %s; the kernel's clock source is %s", machine->timer,
             machine->cpu.is_invariant ? "invariant" : "changing",
             machine->cpu.is_serializing ? "serialising" : "not known to be serialising",
             *machine->cpu.clock_source ? machine->cpu.clock_source : "unknown");
  if (!machine->cpu.is_invariant)
    checks_remedy(checks, "durations follow the processor's clock: pin it (cpupower frequency-set "
                          "-g performance), or use another machine");
  else if (!machine->cpu.is_serializing)
    checks_remedy(checks, "set the MSR C001_1029 bit 1 on AMD (Linux does since 4.15), or ask the "
                          "host to");
#if defined(__x86_64__)
  if (*machine->cpu.clock_source && strcmp(machine->cpu.clock_source, "tsc") != 0) {
    checks_add(checks, CHECK_NOTE, part, "clock source",
               "%s: the kernel doesn't trust the TSC here; it may differ between CPUs",
               machine->cpu.clock_source);
    checks_remedy(checks, "see dmesg for 'tsc'; samples that change CPU are dropped anyway");
  }
#endif
}

static void check_pmu(struct checks *checks) {
  int error = pmu_error();
  if (!error) {
    checks_add(checks, CHECK_OK, part, "PMU", "perf_event_open works");
    return;
  }
  struct text reason = {0}, remedy = {0};
  pmu_add_reason(error, &reason);
  pmu_add_remedy(error, &remedy);
  checks_add(checks, CHECK_NOTE, part, "PMU", "none (%s); loops are timed all the same",
             text_get(&reason));
  checks_remedy(checks, "%s", text_get(&remedy));
  text_release(&reason);
  text_release(&remedy);
}

static void check_core_clock(struct checks *checks) {
  const char *reason = harness_core_open();
  if (!reason)
    checks_add(checks, CHECK_OK, part, "core clock", "%s", harness_core_name());
  else
    checks_add(checks, CHECK_NOTE, part, "core clock",
               "not available: %s; only reticle calibrate would use it", reason);
}

static void check_ptrace(struct checks *checks) {
  char scope[32];
  machine_read_line("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof(scope));
  int level = atoi(scope);
  if (level < 2) {
    checks_add(checks, CHECK_OK, part, "ptrace", "own children can be traced (ptrace_scope %s)",
               *scope ? scope : "absent");
    return;
  }
  checks_add(checks, CHECK_NOTE, part, "ptrace", "forbidden (kernel.yama.ptrace_scope is %d)",
             level);
  checks_remedy(checks, "sysctl kernel.yama.ptrace_scope=1; in a container also --cap-add "
                        "SYS_PTRACE");
}

static void check_floor(const struct machine *machine, struct checks *checks) {
  char *path = floor_cache_path(machine);
  if (!path) {
    checks_add(checks, CHECK_NOTE, part, "timing floor",
               "can't be kept: neither XDG_CACHE_HOME nor "
               "HOME is set");
    checks_remedy(checks, "set HOME, or XDG_CACHE_HOME to a directory that can be written");
    return;
  }
  struct timing_floor floor;
  if (!floor_cache_read(machine, &floor)) {
    checks_add(checks, CHECK_OK, part, "timing floor",
               "not measured yet; the next report does it, in half a second, or reticle calibrate, "
               "thoroughly (%s)",
               path);
  } else {
    uint64_t now_s = (uint64_t)time(NULL);
    struct units t_min = units_duration(floor.t_min_ns.value);
    struct units t_diff = units_duration(floor.t_diff_ns.value);
    checks_add(checks, CHECK_OK, part, "timing floor", "%s, differences %s, %s old (%s)",
               t_min.data, t_diff.data, units_age(floor.time_s, now_s).data, path);
    if (floor.time_s < now_s && now_s - floor.time_s > FLOOR_OLD_S)
      checks_remedy(checks, "reticle calibrate measures it anew");
  }
  free(path);
}

void doctor_machine(struct checks *checks) {
  struct machine machine;
  machine_read(&machine);
  check_processor(&machine, checks);
  check_timer(&machine, checks);
  check_pmu(checks);
  check_core_clock(checks);
  check_ptrace(checks);
  check_floor(&machine, checks);
}
