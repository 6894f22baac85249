// sampler.c - clocks of the kernel that say where threads are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/sampler.h"

#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE_BYTES = 4096 };
/// Bits of asm/perf_regs.h: ax to sp, ip, r8 to r15; not flags and segments.
enum { GENERAL_REGISTERS = 0xff01ff };

static void describe(struct perf_event_attr *attr, const struct rrt_sys_samples *samples) {
  rrt_zero(attr, sizeof *attr);
  attr->size = sizeof *attr;
  attr->type = PERF_TYPE_SOFTWARE;
  attr->config = PERF_COUNT_SW_CPU_CLOCK;
  attr->sample_period = samples->period_ns;
  attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  if (samples->with_registers) {
    attr->sample_type |= PERF_SAMPLE_REGS_USER;
    attr->sample_regs_user = GENERAL_REGISTERS;
  }
  if (samples->stack_depth) {
    attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr->sample_max_stack = (uint16_t)samples->stack_depth;
    attr->exclude_callchain_kernel = 1;
  }
  if (samples->stack_bytes) {
    attr->sample_type |= PERF_SAMPLE_STACK_USER;
    attr->sample_stack_user = samples->stack_bytes;
  }
  attr->sample_id_all = 1;
  attr->exclude_kernel = !samples->with_kernel;
  attr->exclude_hv = 1;
  attr->inherit = 1;
  attr->mmap = 1;
  attr->mmap2 = 1;
  attr->use_clockid = 1;
  attr->clockid = CLOCK_MONOTONIC_RAW;
}

// inherit_thread keeps forked children out (Linux 5.13), build_id names files (5.12): older kernels
// do without, and children are told by their process.
int rrt_sys_open_samples(uint32_t tid, uint32_t cpu, const struct rrt_sys_samples *samples) {
  struct perf_event_attr attr;
  describe(&attr, samples);
  attr.inherit_thread = 1;
  attr.build_id = 1;
  long r = rrt_syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (r != -EINVAL && r != -E2BIG)
    return (int)r;
  describe(&attr, samples);
  return (int)rrt_syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

uint32_t rrt_sys_stack_depth(void) {
  enum { USUAL = 127 };
  char text[32];
  uint32_t depth = 0;
  if (rrt_sys_read_file("/proc/sys/kernel/perf_event_max_stack", text, sizeof text) <= 0)
    return USUAL;
  for (const char *p = text; *p >= '0' && *p <= '9' && depth < 1u << 16; p++)
    depth = depth * 10 + (uint32_t)(*p - '0');
  return depth;
}

// Memory for rings is limited for each user (perf_event_mlock_kb).
void *rrt_sys_map_samples(int fd, uint64_t data_bytes, int *error) {
  for (; data_bytes >= PAGE_BYTES; data_bytes /= 2) {
    long at = rrt_syscall(SYS_mmap, 0, data_bytes + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                          fd, 0);
    if (at >= 0 || at < -PAGE_BYTES) {
      rrt_sys_own_add((void *)at, data_bytes + PAGE_BYTES);
      return (void *)at;
    }
    *error = (int)at;
  }
  return 0;
}

int rrt_sys_join_samples(int fd, int into) {
  return (int)rrt_syscall(SYS_ioctl, fd, PERF_EVENT_IOC_SET_OUTPUT, into);
}

uint32_t rrt_sys_this_cpu(void) {
  uint32_t cpu = 0;
  rrt_syscall(SYS_getcpu, &cpu, 0, 0);
  return cpu;
}

uint32_t rrt_sys_online_cpus(uint32_t *out, uint32_t max) {
  char text[1024];
  uint32_t count = 0;
  if (rrt_sys_read_file("/sys/devices/system/cpu/online", text, sizeof text) <= 0) {
    for (uint32_t i = 0; i < rrt_sys_cpu_count() && i < max; i++) // no sysfs: the first ones
      out[count++] = i;
    return count;
  }
  uint32_t number = 0, first = 0, in_range = 0;
  for (const char *p = text; *p; p++) { // "0-3,8"
    if (*p >= '0' && *p <= '9') {
      number = number * 10 + (uint32_t)(*p - '0');
      continue;
    }
    if (*p != '-')
      for (uint32_t i = in_range ? first : number; i <= number && count < max; i++)
        out[count++] = i;
    in_range = *p == '-';
    first = number;
    number = 0;
  }
  return count;
}

// The clock of a thread's CPU time, as the kernel numbers it: MAKE_THREAD_CPUCLOCK of
// linux/posix-timers.h, CPUCLOCK_SCHED | CPUCLOCK_PERTHREAD_MASK.
static long thread_clock(uint32_t tid) { return (long)(~(uint64_t)tid << 3 | 6); }

int rrt_sys_start_timer(uint32_t tid, int signal, uint64_t period_ns) {
  struct {
    void *value;
    int signal, notify, tid;
    char rest[64 - 20];
  } event = {.signal = signal, .notify = 4 /* SIGEV_THREAD_ID */, .tid = (int)tid};
  struct itimerspec every = {
      .it_interval = {(time_t)(period_ns / 1000000000), (long)(period_ns % 1000000000)}};
  int timer;
  every.it_value = every.it_interval;
  long r = rrt_syscall(SYS_timer_create, (int)thread_clock(tid), &event, &timer);
  if (r < 0)
    return (int)r;
  r = rrt_syscall(SYS_timer_settime, timer, 0, &every, 0);
  if (r >= 0)
    return timer;
  rrt_sys_stop_timer(timer);
  return (int)r;
}

void rrt_sys_stop_timer(int timer) { rrt_syscall(SYS_timer_delete, timer); }

// As the kernel has it, which is not libc's struct sigaction.
struct kernel_action {
  void (*handler)(int, void *, void *);
  unsigned long flags;
#if defined(__x86_64__)
  void (*restorer)(void);
#endif
  uint64_t mask;
};

#if defined(__x86_64__)
enum { SA_HAS_RESTORER = 0x04000000 };
void rrt_sys_return_from_signal(void);
__asm__(".text\n"
        ".type rrt_sys_return_from_signal, @function\n"
        ".globl rrt_sys_return_from_signal\n"
        ".hidden rrt_sys_return_from_signal\n"
        "rrt_sys_return_from_signal:\n"
        "  movq $15, %rax\n" // rt_sigreturn; unwinders know these bytes
        "  syscall\n"
        ".size rrt_sys_return_from_signal, .-rrt_sys_return_from_signal\n");
#endif

void rrt_sys_give_signal(int signal) {
  const struct kernel_action ignored = {.handler = (void (*)(int, void *, void *))1}; // SIG_IGN
  const struct kernel_action usual = {.handler = 0};                                  // SIG_DFL
  rrt_syscall(SYS_rt_sigaction, signal, &ignored, 0, 8);
  rrt_syscall(SYS_rt_sigaction, signal, &usual, 0, 8);
}

int rrt_sys_take_signal(void (*handler)(int signal, void *info, void *context)) {
  enum { HIGHEST = 64, LOWEST = 35 }; // below are the C library's own
  struct kernel_action ours = {.handler = handler, .flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
#if defined(__x86_64__)
  ours.flags |= SA_HAS_RESTORER;
  ours.restorer = rrt_sys_return_from_signal;
#endif
  for (int signal = HIGHEST; signal >= LOWEST; signal--) {
    struct kernel_action before;
    if (rrt_syscall(SYS_rt_sigaction, signal, 0, &before, 8) < 0 ||
        (before.handler != 0 && before.handler != handler))
      continue;
    long r = rrt_syscall(SYS_rt_sigaction, signal, &ours, 0, 8);
    return r < 0 ? (int)r : signal;
  }
  return -EBUSY;
}
