// Parent and 20 children write a file each, and executions add up exactly.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: cd %t && RETICLE_OPTIONS=report=0 ./app
// RUN: %python %support/loops.py %reticle %t/reticle.app.*.prof | %FileCheck %s
// A name without %p: the children's get .PID.
// RUN: rm %t/*.prof && cd %t && RETICLE_OPTIONS=report=0:out=one.prof ./app
// RUN: %python %support/loops.py %reticle %t/one.prof* | %FileCheck %s
// parent 1000 + 20 children * 100 * their number: 100 * (1 + ... + 20)
// CHECK: spin:[[#]] executions 22000 samples
// CHECK: files 21
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void times(int n) {
  while (n--)
    spin(10);
}

int main(void) {
  int bad = 0;
  times(500);
  for (int i = 1; i <= 20; i++) {
    if (fork() == 0) {
      times(100 * i);
      if (i & 1)
        _exit(0);
      exit(0);
    }
  }
  for (int status; wait(&status) > 0;)
    bad |= status;
  times(500);
  return bad != 0;
}
