// copy.c - a copy of the process that computes and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/copy.h"

#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/mman.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>

#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#else
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

enum { EXITED = 256, NS_PER_US = 1000, US_PER_S = 1000000 };

long rrt_sys_copy(void) {
  if (rrt_sys_is_emulated())
    return -ENOSYS;
  long pid = rrt_syscall(SYS_clone, 0); // no signal at its end: wait() and waitpid() don't see it
  if (pid == 0) {
    rrt_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    rrt_syscall(SYS_prctl, PR_SET_DUMPABLE, 0); // a fault of it leaves no core, nor asks a handler
  }
  return pid;
}

int rrt_sys_wait_copy(long pid) {
  int status = 0;
  long r;
  do
    r = rrt_syscall(SYS_wait4, pid, &status, __WALL);
  while (r == -EINTR);
  if (r < 0)
    return SIGKILL;
  if (WIFSIGNALED(status))
    return WTERMSIG(status);
  return WEXITSTATUS(status) ? EXITED + WEXITSTATUS(status) : 0;
}

static void limit(int timer, int signal, uint64_t ns) {
  struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
  } plain = {0};
  const uint64_t only = UINT64_C(1) << (signal - 1);
  uint64_t us = ns / NS_PER_US + 1;
  const struct itimerval at = {.it_value = {(time_t)(us / US_PER_S), (long)(us % US_PER_S)}};
  rrt_syscall(SYS_rt_sigaction, signal, &plain, 0, sizeof plain.mask);
  rrt_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &only, 0, sizeof only);
  rrt_syscall(SYS_setitimer, timer, &at, 0);
}

void rrt_sys_limit_copy(uint64_t cpu_ns, uint64_t wall_ns) {
  limit(ITIMER_PROF, SIGPROF, cpu_ns);
  limit(ITIMER_REAL, SIGALRM, wall_ns);
}

// --- memory --------------------------------------------------------------------------------------

// A line of /proc/self/maps: 7f00-8000 rw-s 00000000 00:05 12  /dev/zero
static int protect_line(const char *line, uint64_t keep_begin, uint64_t keep_end) {
  uint64_t begin = 0, end = 0;
  for (; *line && *line != '-'; line++)
    begin = begin << 4 | (uint64_t)(*line <= '9' ? *line - '0' : *line - 'a' + 10);
  for (line += *line == '-'; *line && *line != ' '; line++)
    end = end << 4 | (uint64_t)(*line <= '9' ? *line - '0' : *line - 'a' + 10);
  if (*line != ' ' || line[4] != 's' || (begin < keep_end && end > keep_begin))
    return 0;
  const char *path = line;
  while (*path && *path != '/')
    path++;
  const char device[] = "/dev/", shm[] = "/dev/shm/", zero[] = "/dev/zero";
  int is_device = 1, is_memory = 1, is_zero = 1;
  for (unsigned i = 0; i + 1 < sizeof device; i++)
    is_device &= path[i] == device[i];
  for (unsigned i = 0; is_device && i + 1 < sizeof shm; i++) {
    is_memory &= path[i] == shm[i];
    is_zero &= path[i] == zero[i];
  }
  int may_read = line[1] == 'r' && (!is_device || is_memory || is_zero);
  return (int)rrt_syscall(SYS_mprotect, begin, end - begin, may_read ? PROT_READ : PROT_NONE);
}

int rrt_sys_unshare_memory(uint64_t keep_begin, uint64_t keep_end) {
  char line[512], block[4096];
  size_t length = 0;
  long n;
  int r = 0, fd = rrt_sys_open_read("/proc/self/maps");
  if (fd < 0)
    return fd;
  while (!r && (n = rrt_sys_read(fd, block, sizeof block)) > 0)
    for (long i = 0; i < n && !r; i++) {
      if (length + 1 < sizeof line)
        line[length++] = block[i];
      if (block[i] != '\n')
        continue;
      line[length - (line[length - 1] == '\n')] = 0;
      r = protect_line(line, keep_begin, keep_end);
      length = 0;
    }
  rrt_sys_close(fd);
  return r;
}

// --- system calls --------------------------------------------------------------------------------

int rrt_sys_confine_copy(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, __builtin_offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, __builtin_offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  long r = rrt_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
  if (r >= 0)
    r = rrt_syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  return r < 0 ? (int)r : 0;
}
