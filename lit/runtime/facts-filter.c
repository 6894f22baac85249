// A program's own seccomp filter may kill it: from then on its threads ask the kernel nothing.
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g %s -o %t && %env_reticle:period=1 %t
// RUN: %reticle dump --text %t.prof | %FileCheck %s
// CHECK: facts_error 1{{$}}
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) void work(int n) {
  for (int i = 0; i < n; i++)
    sum += i;
}

int main(void) {
  struct sock_filter all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  struct sock_fprog program = {1, all};
  work(100000);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 77;
  for (int i = 0; i < 300; i++) { // longer than from one checkpoint to the next
    work(100000);
    usleep(5000);
  }
  return 0;
}
