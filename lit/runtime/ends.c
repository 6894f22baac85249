// Every way to end leaves what was measured, says how it ended, and keeps the exit status.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread
// RUN: cd %t
// RUN: RETICLE_OPTIONS=report=0:out=return.prof ./app return; test $? = 7
// RUN: RETICLE_OPTIONS=report=0:out=exit.prof ./app exit; test $? = 8
// RUN: RETICLE_OPTIONS=report=0:out=_exit.prof ./app _exit; test $? = 9
// RUN: RETICLE_OPTIONS=report=0:out=quick.prof ./app quick; test $? = 10
// RUN: RETICLE_OPTIONS=report=0:out=pthread_exit.prof ./app pthread_exit; test $? = 0
// RUN: RETICLE_OPTIONS=report=0:out=abort.prof bash -c './app abort; exit $?'; test $? = 134
// RUN: RETICLE_OPTIONS=report=0:out=abort2.prof ./app caught; test $? = 11
// RUN: RETICLE_OPTIONS=report=0:out=in_loop.prof ./app in_loop; test $? = 12
// A raw end of the main thread alone, as programs without libc have it.
// RUN: RETICLE_OPTIONS=report=0:checkpoint_ms=50:out=raw.prof ./app raw; test $? = 13
// RUN: for f in return exit _exit quick pthread_exit abort abort2 in_loop raw; do echo "== $f =="; %python %support/loops.py %reticle $f.prof; done | %FileCheck %s
// CHECK-LABEL: == return ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 1
// CHECK-LABEL: == exit ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 1
// CHECK-LABEL: == _exit ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 2
// CHECK-LABEL: == quick ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 2
// CHECK-LABEL: == pthread_exit ==
// CHECK: spin:[[#]] executions 2000 samples
// CHECK: ended_by 1
// CHECK-LABEL: == abort ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 3
// A handler that leaves by siglongjmp: measuring goes on.
// CHECK-LABEL: == abort2 ==
// CHECK: spin:[[#]] executions 2000 samples
// CHECK: ended_by 1
// CHECK-LABEL: == in_loop ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 1
// CHECK-LABEL: == raw ==
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 1
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void thousand(void) {
  for (int i = 0; i < 1000; i++)
    spin(10);
}

static void *thread(void *unused) {
  usleep(20000);
  thousand();
  return unused;
}

static sigjmp_buf back;
static void on_abort(int signal) { siglongjmp(back, signal); }

__attribute__((noinline)) static void end_in_loop(int n) {
  for (int i = 0;; i++)
    if (i == n)
      exit(12);
    else
      sink = i;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "return";
  thousand();
  if (!strcmp(how, "exit"))
    exit(8);
  if (!strcmp(how, "raw"))
    syscall(SYS_exit, 13);
  if (!strcmp(how, "_exit"))
    _exit(9);
  if (!strcmp(how, "quick"))
    quick_exit(10);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "in_loop"))
    end_in_loop(100);
  if (!strcmp(how, "caught")) {
    signal(SIGABRT, on_abort);
    if (!sigsetjmp(back, 1))
      abort();
    thousand();
    return 11;
  }
  if (!strcmp(how, "pthread_exit")) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_detach(t);
    pthread_exit(0);
  }
  return 7;
}
