// Loops in the program's own thread destructors are counted too.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread
// RUN: %env_reticle %t/app
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
// CHECK: spin:[[#]] executions 24 samples
// CHECK: unmeasured_executions 0
#include <pthread.h>

volatile int sink;
static pthread_key_t key;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void destroy(void *value) {
  spin(10);
  if ((long)value < 2)
    pthread_setspecific(key, (void *)((long)value + 1));
}

static void *run(void *unused) {
  (void)unused;
  pthread_setspecific(key, (void *)1);
  spin(10);
  return 0;
}

int main(void) {
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 8; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
  }
  return 0;
}
