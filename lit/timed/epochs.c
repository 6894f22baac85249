// Epochs: samples go into a new file at intervals; all files together have each sample once, also of a killed process; old
// ones go by age and size, never the last three; loops are in the run's own file once.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 -g %s -o app -Wl,--build-id
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:epoch=1s:checkpoint_ms=100:out=a.prof ./app 4300
// RUN: cd %t && %python %src/lit/runtime/Inputs/epochs.py %reticle a | %FileCheck %s
// CHECK: closed epochs: {{[2-4]}}, in their order
// CHECK-NEXT: samples: each once, in any order of the files
// CHECK-NEXT: loops: in a.prof alone
// CHECK-NEXT: ended: epoch, together exit
// CHECK-NEXT: most of the CPU time is sampled
// RUN: ls %t | %FileCheck --check-prefix=FILES %s
// FILES-NOT: .part
//
// A closed epoch alone: samples, and why there is nothing else.
// RUN: cd %t && %reticle report --samples a.e2.prof | %FileCheck --check-prefix=ONE %s
// ONE: spin
// ONE: losses: none
// RUN: cd %t && %reticle report a.e2.prof | %FileCheck --check-prefix=ALONE %s
// ALONE: samples of closed epochs alone: loops are in the run's own file
//
// Killed in between: what was there a second before, each sample once.
// RUN: cd %t && (RETICLE_OPTIONS=report=0:sample=1:epoch=1s:checkpoint_ms=100:out=k.prof ./app 60000 & p=$!; sleep 2.6; kill -9 $p; wait $p || true)
// RUN: cd %t && %python %src/lit/runtime/Inputs/epochs.py %reticle k | %FileCheck --check-prefix=KILLED %s
// KILLED: closed epochs: {{[12]}}, in their order
// KILLED-NEXT: samples: each once
// KILLED-NEXT: loops: in k.prof alone
// KILLED-NEXT: ended: epoch, together killed
//
// Killed between closing an epoch and writing the own file anew: the epoch is in both, and counts once.
// RUN: cd %t && %python %src/lit/runtime/Inputs/epoch_twice.py %reticle | %FileCheck --check-prefix=TWICE %s
// TWICE: the epoch counts once, with the loops
//
// A second run with the same name goes on behind the first one's; old ones go, the last three stay whatever their age and size.
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:epoch=1s:checkpoint_ms=100:keep=2s:out=a.prof ./app 4300
// RUN: ls %t | %FileCheck --check-prefix=KEPT %s
// KEPT-NOT: a.e1.prof
// KEPT: a.e{{[4-8]}}.prof
// KEPT: a.prof
// RUN: cd %t && mkdir small && RETICLE_OPTIONS=report=0:sample=1:epoch=1s:checkpoint_ms=100:keep_bytes=64K:out=small/a.prof ./app 3300 && truncate -s 1M small/a.e1.prof && RETICLE_OPTIONS=report=0:sample=1:epoch=1s:checkpoint_ms=100:keep_bytes=64K:out=small/a.prof ./app 3300 && ls small | %FileCheck --check-prefix=SMALL %s
// SMALL-NOT: a.e1.prof
// SMALL: a.e2.prof
// SMALL: a.e3.prof
//
// What isn't ours stays.
// RUN: cd %t && mkdir other && touch other/a.e1x.prof other/ab.e1.prof other/a.e01.prof other/a.exx.prof && RETICLE_OPTIONS=report=0:sample=1:epoch=1s:keep=1s:checkpoint_ms=100:out=other/a.prof ./app 5300 && ls other | tr '\n' ' ' | %FileCheck --check-prefix=OTHER %s
// OTHER: a.e01.prof {{.*}}a.e1x.prof {{.*}}a.exx.prof {{.*}}ab.e1.prof
//
// Mistakes; a folder that can't be written keeps the samples in memory, and says so.
// RUN: cd %t && RETICLE_OPTIONS=report=0:epoch=10x:out=m.prof ./app 10 2>&1 | %FileCheck --check-prefix=WRONG %s
// WRONG: warning: option epoch: '10x' is not a time from 0 to 31536000 s (give 90s, 10m, 2h or 7d); ignored
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:epoch=1s:out=/dev/null ./app 1500 && ls /dev | %not grep 'null.e'
// Without the option there are none.
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:checkpoint_ms=100:out=n.prof ./app 1300 && ls | %not grep 'n[.]e1'
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

uint64_t sink;

__attribute__((noinline)) uint64_t spin(uint64_t x) {
  for (long i = 0; i < 100000; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  double end = now_ms() + atof(argv[argc - 1]);
  while (now_ms() < end)
    sink += spin(sink + 1);
  return 0;
}
