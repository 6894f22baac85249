// pmu.c - turns errors of perf_event_open into reasons and remedies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // strerrorname_np
#include "tools/machine/pmu.h"

#include "tools/machine/machine.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int pmu_error(void) {
  struct perf_event_attr attributes = {.type = PERF_TYPE_HARDWARE,
                                       .size = sizeof(attributes),
                                       .config = PERF_COUNT_HW_CPU_CYCLES,
                                       .disabled = 1,
                                       .exclude_kernel = 1,
                                       .exclude_hv = 1};
  long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0)
    return errno;
  close((int)fd);
  return 0;
}

void pmu_add_reason(int error, struct text *out) {
  const char *name = strerrorname_np(error);
  text_printf(out, "perf_event_open: %s", name ? name : "unknown error");
}

void pmu_add_remedy(int error, struct text *out) {
  char paranoid[32];
  switch (error) {
  case EACCES:
    machine_read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof(paranoid));
    text_printf(out,
                "kernel.perf_event_paranoid is %s: sysctl kernel.perf_event_paranoid=2 (or give "
                "the program CAP_PERFMON)",
                *paranoid ? paranoid : "unknown");
    return;
  case EPERM:
    text_add(out, "a seccomp filter forbids it: docker run --cap-add PERFMON --security-opt "
                  "seccomp=unconfined");
    return;
  case ENOSYS:
    text_add(out, "this kernel has no perf events (CONFIG_PERF_EVENTS)");
    return;
  case EBUSY:
    text_add(out, "another process has the PMU for itself: end it, or wait");
    return;
  case EMFILE:
    text_add(out, "the program has no descriptors left for counters: ulimit -n 4096");
    return;
  case EINVAL:
    text_add(out, "this machine counts fewer events at once, or doesn't know one of them: sysctl "
                  "kernel.nmi_watchdog=0 frees one, switching off the core's second thread more; "
                  "ask the host of a virtual machine for all counters");
    return;
  default:
    text_add(out, "this machine has none to offer, as is usual for virtual ones: ask the host for "
                  "a virtual PMU, or use bare metal");
    return;
  }
}
