// A process leaves a profile from its first millisecond on, however it ends, and nothing else.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O1 -g %s -o app
// RUN: %python %S/Inputs/early.py %reticle > said || (cat said; false)
// RUN: %FileCheck %s < said
// Right in main: ended_by 0 is a signal that nobody handles. It may come while a profile is written: a part may be left then.
// CHECK: stack: signal 11, ended_by 0, files 1
// CHECK-NEXT: segv: signal 11, ended_by 0, files 1
// CHECK-NEXT: abort: signal 6, ended_by 3, files 1
// CHECK-NEXT: _exit: status 3, ended_by 2, files 1
// CHECK-NEXT: return: status 0, ended_by 1, files 1
// A forked child that calls exec or _exit leaves none, nor does one that is killed at once.
// CHECK-NEXT: fork: status 0, ended_by 1, files 1
// Killed within a quarter of a second behind main's start, 100 times; what it had is in most of them. A kill while a profile is
// written leaves what was written of it, which the next run removes.
// CHECK-NEXT: killed: profiles 100 of 100, others {{[0-2]}}, with executions at least half
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

__attribute__((noinline)) static int deep(int n) {
  volatile char block[4096];
  block[0] = (char)n;
  return deep(n + block[0]) + block[0];
}

static int forks(void) {
  for (int i = 0; i < 9; i++) {
    pid_t child = fork();
    if (!child && i % 3 == 0)
      execl("/bin/true", "true", (char *)0);
    if (!child && i % 3 == 1)
      _exit(0);
    if (!child)
      kill(getpid(), SIGKILL);
    waitpid(child, 0, 0);
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "stack"))
    return deep(1);
  if (!strcmp(how, "segv"))
    *(volatile int *)sink = 1;
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "_exit"))
    _exit(3);
  if (!strcmp(how, "return"))
    return 0;
  if (!strcmp(how, "fork"))
    return forks();
  if (write(1, "x", 1) == 1)
    for (;;) {
      for (int i = 0; i < 100; i++)
        spin(100);
      usleep(1000);
    }
}
