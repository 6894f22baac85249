// Counts of fields add up exactly over threads that come and go, and in a forked child apart.
// REQUIRES: plugin, runtime, tool, static-libc
// RUN: mkdir -p %t && rm -f %t/*.prof
// RUN: for o in "" "-fPIC -pie" "-static"; do %reticle_cc -O2 -g $o -fplugin-arg-reticle-features=field %s -o %t/app -lpthread && %env_reticle %t/app && %python %support/structs.py %reticle %t.prof || exit 1; done | %FileCheck %s
// RUN: env RETICLE_OPTIONS=report=0:out=%t/%%p.prof %t/app child && %python %support/structs.py %reticle %t/*.prof | %FileCheck --check-prefix=BOTH %s
// 8 threads * 100,000 + 40 short ones * 1,000 + main's 10
// CHECK-COUNT-3: shared:[[#]] 8 hits @0 R 840010 W 840010
// BOTH: shared:[[#]] 8 hits @0 R 840040 W 840040
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
  volatile int hits, other;
};

__attribute__((noinline)) void touch(struct shared *s, int n) {
  for (int i = 0; i < n; i++)
    s->hits++;
}

static void *run(void *argument) {
  struct shared mine = {0};
  touch(&mine, (int)(long)argument);
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t threads[8], brief;
  struct shared mine = {0};
  for (int i = 0; i < 8; i++)
    pthread_create(&threads[i], 0, run, (void *)100000L);
  for (int i = 0; i < 40; i++) {
    pthread_create(&brief, 0, run, (void *)1000L);
    pthread_join(brief, 0);
  }
  for (int i = 0; i < 8; i++)
    pthread_join(threads[i], 0);
  touch(&mine, 10);
  if (argc > 1) {
    pid_t child = fork();
    if (child == 0) {
      touch(&mine, 30);
      return 0;
    }
    waitpid(child, 0, 0);
  }
  return 0;
}
