// A profile that is there already is replaced as a whole, checkpoint by checkpoint: nothing stays beside it,
// and who has the old one open reads on in it.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: RETICLE_OPTIONS=report=0:out=k.prof ./app first
// RUN: exec 3<k.prof; RETICLE_OPTIONS=report=0:checkpoint_ms=50:out=k.prof ./app second and longer; cat <&3 >old.prof; exec 3<&-
// RUN: %reticle dump old.prof | %FileCheck --check-prefix=OLD %s
// RUN: %reticle dump k.prof | %FileCheck --check-prefix=NEW %s
// RUN: ls | %FileCheck --check-prefix=FILES %s
// No file there yet.
// RUN: RETICLE_OPTIONS=report=0:checkpoint_ms=50:out=new.prof ./app third and longer
// RUN: %reticle dump new.prof | %FileCheck --check-prefix=NEW %s
// OLD: arguments {{.*}}first
// NEW: arguments {{.*}}and longer
// NEW: checkpoints {{[2-9]|[1-9][0-9]+}} 
// FILES-NOT: .part
#include <time.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(int argc, char **argv) {
  (void)argv;
  clock_t end = clock() + (argc > 2) * CLOCKS_PER_SEC / 4;
  do
    spin(100);
  while (clock() < end);
  return 0;
}
