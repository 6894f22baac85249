// A child that only calls exec leaves no file; the parent's stays its own.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: cd %t && RETICLE_OPTIONS=report=0 ./app
// RUN: %python %support/loops.py %reticle %t/*.prof | %FileCheck %s
// CHECK: spin:[[#]] executions 30
// CHECK: ended_by 1
// CHECK: files 1
#define _GNU_SOURCE
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(void) {
  char *const argv[] = {"true", 0};
  for (int i = 0; i < 10; i++) {
    pid_t child = i % 3 == 0 ? fork() : i % 3 == 1 ? vfork() : 0;
    if (i % 3 == 2) {
      posix_spawn(&child, "/bin/true", 0, 0, argv, environ);
    } else if (child == 0) {
      execv("/bin/true", argv);
      _exit(1);
    }
    waitpid(child, 0, 0);
    for (int k = 0; k < 3; k++)
      spin(10);
  }
  if (vfork() == 0)
    _exit(0); // must not end the parent's session
  wait(0);
  return 0;
}
