// A seccomp filter that kills ends the program at its end, where the last checkpoint opens a file; what was measured up to the
// checkpoint before is there. Facts (option facts) may end it earlier: before the runtime has seen the filter.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: (RETICLE_OPTIONS=report=0:facts=0:out=none.prof ./app kill; echo status $?) > none 2>&1; %FileCheck %s --check-prefix=NONE < none
// NONE: end of main
// NONE: status 159
// RUN: %reticle dump --text none.prof | %FileCheck %s --check-prefix=KEPT
// KEPT: function "work"
// RUN: (RETICLE_OPTIONS=report=0:period=1:out=facts.prof ./app kill; echo status $?) > facts 2>&1; %FileCheck %s --check-prefix=FACTS < facts
// FACTS: filtered
// FACTS: status 159
// One that answers with an error is fine.
// RUN: (RETICLE_OPTIONS=report=0:period=1:out=error.prof ./app; echo status $?) > error 2>&1; %FileCheck %s --check-prefix=ERROR < error
// ERROR: end of main
// ERROR-NEXT: status 7
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(number)                                                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

volatile int sink;

__attribute__((noinline)) void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static int filter(int kills) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(SYS_write),
      ALLOW(SYS_exit_group),
      ALLOW(SYS_rt_sigprocmask),
      BPF_STMT(BPF_RET | BPF_K, kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | 1)};
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program);
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 300; i++) // a checkpoint comes 10 ms after the start
    work(1000000);
  if (filter(argc > 1) || write(1, "filtered\n", 9) != 9)
    return 1;
  for (int i = 0; i < 100; i++)
    work(1000000);
  return write(1, "end of main\n", 12) == 12 ? 7 : 1;
}
