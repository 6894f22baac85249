// Probed loops in signal handlers, on an alternate stack too and left by siglongjmp; the program's
// handlers and mask stay as they are.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: %env_reticle %t/app | %FileCheck --check-prefix=OUT %s
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// OUT: handled 1, mask unchanged 1
// CHECK: in_handler:[[#]] executions {{[1-9][0-9]*}} samples
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

volatile int sink;
static volatile sig_atomic_t handled, may_jump;
static sigjmp_buf back;

__attribute__((noinline)) void in_handler(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void on_alarm(int signal) {
  (void)signal;
  in_handler(20);
  in_handler(20);
  if (++handled % 16 == 0 && may_jump)
    siglongjmp(back, 1);
}

int main(void) {
  static char stack[65536];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_RESTART};
  struct itimerval every = {{0, 500}, {0, 500}};
  static sigset_t before, after; // the kernel fills but a part of them
  sigaltstack(&alternate, 0);
  sigaction(SIGALRM, &action, 0);
  sigprocmask(SIG_BLOCK, 0, &before);
  setitimer(ITIMER_REAL, &every, 0);
  while (handled < 300) {
    if (!sigsetjmp(back, 1)) {
      may_jump = 1;
      for (int i = 0; i < 2000; i++)
        spin(30);
    }
    may_jump = 0;
  }
  memset(&every, 0, sizeof every);
  setitimer(ITIMER_REAL, &every, 0);
  sigprocmask(SIG_BLOCK, 0, &after);
  printf("handled %d, mask unchanged %d\n", handled >= 300, !memcmp(&before, &after, sizeof after));
  return 0;
}
