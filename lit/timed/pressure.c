// What the cgroup's quota and a neighbour took is told beside the account of time, and so are forks.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: cd %t && %python %support/pressure.py %src/bench %reticle ./app | %FileCheck %s
// CHECK: fine
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void work(int n) {
  for (int i = 0; i < n; i++)
    sink = sink * 3 + (unsigned)i;
}

// FORKS ROUNDS: children that end at once, then work.
int main(int count, char **arguments) {
  int forks = count > 1 ? atoi(arguments[1]) : 0, rounds = count > 2 ? atoi(arguments[2]) : 1;
  for (int i = 0; i < forks; i++) {
    if (fork() == 0)
      _exit(0);
    wait(NULL);
  }
  for (int i = 0; i < rounds; i++)
    work(100000);
  return 0;
}
