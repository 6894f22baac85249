// A report in mid-run says what the final one says, when nothing happens in between.
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=field %s -o %t.app -lpthread && rm -f %t.prof
// RUN: %env_reticle:checkpoint_ms=20 %t.app "%python %support/structs.py %reticle %t.prof > %t.mid 2>/dev/null && grep -q 'W 5000' %t.mid && grep -q 'R 700' %t.mid"
// RUN: %python %support/structs.py %reticle %t.prof > %t.final && cmp %t.mid %t.final && %FileCheck %s < %t.final
// CHECK: node:[[#]] 16 key @0 R 700 W 0
// CHECK-NEXT: node:[[#]] 16 value @8 R 0 W 5000
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
  volatile long key, value;
};
static struct node one;

static void *run(void *unused) {
  for (int i = 0; i < 4000; i++)
    one.value = i;
  return unused;
}

int main(int argc, char **argv) {
  (void)argc;
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  for (int i = 0; i < 1000; i++)
    one.value = i;
  for (int i = 0; i < 700; i++)
    (void)one.key;
  pthread_join(thread, NULL);
  for (int i = 0; i < 300; i++) { // until a checkpoint has it all
    if (system(argv[1]) == 0)
      return 0;
    usleep(100000);
  }
  return 1;
}
