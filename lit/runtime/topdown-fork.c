// A forked child opens counters of its own and has its own visits alone; its parent goes on with its own. A fork within
// an open visit, and one out of a second thread, do no harm.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O1 -g %s -o app -lpthread %pmu_fake
// RUN: printf 'event 0x76 1000\nevent 0xc1 600\n' > fake.pmu
// RUN: env RETICLE_OPTIONS=report=0:period=1:nested_after_us=0:out=%t/app.%%p.prof:topdown=zen4/0,76+c1:pmu=fake:%t/fake.pmu ./app > out
// RUN: %python %support/topdown.py %reticle *.prof > all && %FileCheck %s < all
// RUN: grep -c 'work 76+c1 visits 40 dropped 0 clock 40000 ' all | grep -x 1
// RUN: grep -c 'work 76+c1 visits 30 dropped 0 clock 30000 ' all | grep -x 2
// CHECK: files 3
// RUN: %FileCheck %s --check-prefix=OUT < out
// OUT: children ended with 0 0
// Where the kernel has no PMU to give, all three say so, and their loops are there all the same.
// RUN: rm *.prof && env RETICLE_OPTIONS=report=0:period=1:nested_after_us=0:out=%t/app.%%p.prof:topdown=zen4/0,76+c1 ./app | %FileCheck %s --check-prefix=OUT
// RUN: %python %support/loops.py %reticle *.prof | %FileCheck %s --check-prefix=LOOPS
// LOOPS: work:{{[0-9]+}} executions 100
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink, turns = 10;

__attribute__((noinline)) static void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static pid_t fork_here(void) {
  pid_t child = fork();
  for (int i = 0; child == 0 && i < 30; i++)
    work(turns);
  if (child == 0)
    _exit(0);
  return child;
}

static void *fork_there(void *child) {
  work(turns);
  *(pid_t *)child = fork_here();
  work(turns);
  return 0;
}

int main(void) {
  pid_t children[2] = {0, 0};
  int status[2];
  pthread_t thread;
  for (int i = 0; i < 38; i++) { // the loop's own visit is open when the child is made
    work(turns);
    if (i == 20)
      children[0] = fork_here();
  }
  pthread_create(&thread, 0, fork_there, &children[1]);
  pthread_join(thread, 0);
  for (int i = 0; i < 2; i++)
    waitpid(children[i], &status[i], 0);
  printf("children ended with %d %d\n", status[0], status[1]);
  return 0;
}
