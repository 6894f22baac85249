// epochs-memory.c - in continuous use the runtime keeps within 4 MB, however many loops have samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 %s -o app
// RUN: cd %t && for o in epoch=1h epoch=0; do RETICLE_OPTIONS=report=0:period=1:nested_after_us=0:$o:out=$o.prof ./app && %reticle report --json $o.prof > $o.json; done
// RUN: %python -c "import json; m = lambda f: json.load(open('%t/' + f))['health']['memory_bytes']; print(m('epoch=1h.json') < 4000000 < m('epoch=0.json'))" | %FileCheck %s
// CHECK: True
#include <stdio.h>

static volatile long sink;

#define LOOP(N)                                                                                    \
  __attribute__((noinline)) static void loop##N(int n) {                                            \
    for (int i = 0; i < n; i++)                                                                    \
      sink += i;                                                                                   \
  }
#define TEN(M, N) M(N##0) M(N##1) M(N##2) M(N##3) M(N##4) M(N##5) M(N##6) M(N##7) M(N##8) M(N##9)
#define CALL(N) loop##N(turn % 2 + 60);

TEN(LOOP, 1) TEN(LOOP, 2) TEN(LOOP, 3) TEN(LOOP, 4) TEN(LOOP, 5) TEN(LOOP, 6) TEN(LOOP, 7) TEN(LOOP, 8)

int main(void) {
  for (int turn = 0; turn < 3000; turn++) {
    TEN(CALL, 1) TEN(CALL, 2) TEN(CALL, 3) TEN(CALL, 4) TEN(CALL, 5) TEN(CALL, 6) TEN(CALL, 7) TEN(CALL, 8)
  }
  printf("%ld\n", sink);
  return 0;
}
