// trace.c - children that are traced, and memory shared with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/trace.h"

#include "runtime/sys/syscall.h"

#include <asm/unistd.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/memfd.h>
#include <linux/mman.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#else
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

long rrt_sys_fork(void) { return rrt_syscall(SYS_clone, SIGCHLD); }

long rrt_sys_wait_child(long pid, int *status) {
  long result;
  do
    result = rrt_syscall(SYS_wait4, pid, status, __WALL);
  while (result == -EINTR);
  return result;
}

void rrt_sys_kill_child(long pid) {
  int status = 0;
  rrt_syscall(SYS_kill, pid, SIGKILL);
  // A traced child may still have a stop to tell about before its end.
  while (rrt_sys_wait_child(pid, &status) == pid && !WIFEXITED(status) && !WIFSIGNALED(status))
    ;
}

long rrt_sys_ptrace(long request, long pid, void *address, void *data) {
  return rrt_syscall(SYS_ptrace, request, pid, address, data);
}

int rrt_sys_memory_file(const char *name, size_t bytes) {
  long fd = rrt_syscall(SYS_memfd_create, name, MFD_CLOEXEC);
  if (fd < 0)
    return (int)fd;
  long failed = rrt_syscall(SYS_ftruncate, fd, bytes);
  if (failed < 0)
    rrt_syscall(SYS_close, fd);
  return failed < 0 ? (int)failed : (int)fd;
}

long rrt_sys_map_shared(uint64_t address, size_t bytes, int protection, int fd, uint64_t offset) {
  int flags = MAP_SHARED | (address ? MAP_FIXED_NOREPLACE : 0);
  return rrt_syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

long rrt_sys_become_traced(int cpu, int fd) {
  const uint64_t none = 0;
  rrt_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  long failed = rrt_syscall(SYS_ptrace, PTRACE_TRACEME);
  if (failed < 0)
    return failed;
  rrt_sys_stay_on(cpu); // a cpuset may forbid it: never mind
  rrt_syscall(SYS_setpgid);
  rrt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, sizeof none);
  // Linux before 5.9 has no close_range; the files then stay open, and no call can use them.
  if (fd > 0)
    rrt_syscall(SYS_close_range, 0, fd - 1, 0);
  rrt_syscall(SYS_close_range, fd + 1, ~0u, 0);
  return 0;
}

#define LOAD(field)                                                                                \
  (struct sock_filter)                                                                             \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, __builtin_offsetof(struct seccomp_data, field))
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (what))
/// Instruction `at`: skips so many if the loaded word is the value, else so many.
#define COMPARE(value, equal, other)                                                               \
  (struct sock_filter)                                                                             \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (unsigned char)(equal), (unsigned char)(other))

long rrt_sys_confine(uint64_t ip, const uint32_t *numbers, size_t count) {
  enum { HEAD = 7, MOST = 8 };
  struct sock_filter code[HEAD + MOST + 2];
  if (count > MOST)
    return -EINVAL;
  size_t deny = HEAD + count, allow = deny + 1;
  code[0] = LOAD(instruction_pointer);
  code[1] = COMPARE((uint32_t)ip, 0, deny - 2);
  code[2] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, __builtin_offsetof(struct seccomp_data, instruction_pointer) + 4);
  code[3] = COMPARE((uint32_t)(ip >> 32), 0, deny - 4);
  code[4] = LOAD(arch);
  code[5] = COMPARE(THIS_MACHINE, 0, deny - 6);
  code[6] = LOAD(nr);
  for (size_t i = 0; i < count; i++)
    code[HEAD + i] = COMPARE(numbers[i], allow - (HEAD + i) - 1, 0);
  code[deny] = RETURN(SECCOMP_RET_TRAP);
  code[allow] = RETURN(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)(allow + 1), code};
  long failed = rrt_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
  return failed < 0 ? failed
                    : rrt_syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

long rrt_sys_current_cpu(void) {
  uint32_t cpu = 0;
  long failed = rrt_syscall(SYS_getcpu, &cpu, 0, 0);
  return failed < 0 ? failed : (long)cpu;
}

void rrt_sys_get_processors(struct rrt_processors *out) {
  *out = (struct rrt_processors){.bytes = 0};
  long bytes = rrt_syscall(SYS_sched_getaffinity, 0, sizeof out->mask, out->mask);
  out->bytes = bytes > 0 ? (size_t)bytes : 0;
}

void rrt_sys_set_processors(const struct rrt_processors *processors) {
  if (processors->bytes)
    rrt_syscall(SYS_sched_setaffinity, 0, processors->bytes, processors->mask);
}

void rrt_sys_stay_on(int cpu) {
  struct rrt_processors one = {.bytes = sizeof one.mask};
  if (cpu < 0 || (size_t)cpu >= 8 * sizeof one.mask)
    return;
  one.mask[cpu / 64] = UINT64_C(1) << cpu % 64;
  rrt_sys_set_processors(&one);
}

int rrt_sys_next_processor(const struct rrt_processors *processors, int cpu) {
  int most = (int)(8 * processors->bytes);
  for (int i = 1; i < most && cpu >= 0; i++) {
    int next = (cpu + i) % most;
    if (processors->mask[next / 64] >> next % 64 & 1)
      return next;
  }
  return cpu;
}
