// Executions of machine blocks: none differs from what single steps count; all threads add up; both ways of addressing.
// Chains, facts and checkpoints are nothing but steps here. Stepped beside other work, the end may take longer than a program's may;
// then the run is made again.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: cd %t && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,block %s -o app -lpthread
// RUN: cd %t && for i in 1 2 3; do RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=a.prof %step_counts truth ./app 40 0 2> said; grep -q "took too long" said || break; done && %list_counts a.prof app truth | %FileCheck %s --check-prefix=TRUTH
// TRUTH-NOT: but ran
// TRUTH: {{[0-9]+}} blocks of {{[1-9][0-9]*}} functions: {{[1-9][0-9]*}} by label,
// TRUTH: {{[0-9]+}} executions of all blocks, {{([6-9][0-9]|100)[.].*}} % in blocks whose count is known; 0 wrong
// The same with counters of fields beside them, and at other levels.
// RUN: cd %t && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,field,block %s -o both -lpthread && for i in 1 2 3; do RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=b.prof %step_counts truth ./both 40 0 2> said; grep -q "took too long" said || break; done && %list_counts b.prof both truth | %FileCheck %s --check-prefix=TRUTH
// RUN: cd %t && %reticle_cc -O3 -mavx2 -fplugin-arg-reticle-features=block %s -o only -lpthread && for i in 1 2 3; do RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=c.prof %step_counts truth ./only 40 0 2> said; grep -q "took too long" said || break; done && %list_counts c.prof only truth | %FileCheck %s --check-prefix=TRUTH
// RUN: cd %t && %reticle_cc -O1 -fPIC -fplugin-arg-reticle-features=loop,block %s -o pic -lpthread && for i in 1 2 3; do RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=d.prof %step_counts truth ./pic 40 0 2> said; grep -q "took too long" said || break; done && %list_counts d.prof pic truth | %FileCheck %s --check-prefix=TRUTH
// Four threads beside the first, each with 200 calls of 40 iterations: 5 * 200 * 40.
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=t.prof ./app 40 4 && %list_counts t.prof app | grep '^turns ' | %FileCheck %s --check-prefix=THREADS
// THREADS: turns {{0x[0-9a-f]+}} label 1000{{$}}
// THREADS: turns {{0x[0-9a-f]+}} {{label|flow}} 40000{{$}}
// Merged with another run: twice as many. A program that was built otherwise has other labels: nothing is counted.
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=u.prof ./app 40 4 && %reticle merge -o tu.prof t.prof u.prof && %list_counts tu.prof app | grep '^turns ' | %FileCheck %s --check-prefix=MERGED
// MERGED: turns {{0x[0-9a-f]+}} label 2000{{$}}
// MERGED: turns {{0x[0-9a-f]+}} {{label|flow}} 80000{{$}}
// RUN: cd %t && %reticle_cc -O2 -g -DOTHER -fplugin-arg-reticle-features=loop,block %s -o other -lpthread && %list_counts t.prof other > none && %not grep '^turns ' none
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;
static jmp_buf back;

__attribute__((noinline)) unsigned turns(unsigned x, int n) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; i++)
    x = (x >> 3) ^ (x * 2654435761u)
#ifdef OTHER
        ^ (x & 1 ? sink : x << 7)
#endif
        ;
  return x;
}

/// Several ways, a table of jumps, calls that don't come back.
__attribute__((noinline)) static unsigned ways(const unsigned char *text, int n) {
  unsigned r = 0;
  for (int i = 0; i < n; i++) {
    if (text[i] & 1)
      r += text[i] * 7;
    else if (text[i] % 3 == 0)
      r ^= (unsigned)i;
    else
      r -= r >> 3;
    switch (text[i] & 15) {
    case 1: r += 3; break;
    case 2: r *= 5; break;
    case 5: r = turns(r, 3); break;
    case 7: r -= 9; break;
    case 9: r ^= 77; break;
    case 11: if (r % 5 == 4) longjmp(back, 1); break;
    default: break;
    }
    for (unsigned k = r & 7; k && !(text[k] == 'x' && r > 5); k--)
      r += k;
  }
  return r;
}

__attribute__((noinline)) static unsigned lookup(const char *const *names, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (names[i] && strcmp(names[i], name) == 0)
      return (unsigned)i;
  return ~0u;
}

static int count;

static void *work(void *argument) {
  unsigned x = (unsigned)(uintptr_t)argument;
  for (int i = 0; i < 200; i++)
    x = turns(x, count);
  sink = x;
  return NULL;
}

int main(int argc, char **argv) {
  static unsigned char text[512];
  static const char *const names[] = {"one", NULL, "three", "four"};
  pthread_t threads[8];
  count = argc > 1 ? atoi(argv[1]) : 1;
  int more = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 0; i < more; i++)
    pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i);
  work(NULL);
  for (int i = 0; i < more; i++)
    pthread_join(threads[i], NULL);
  if (more)
    return 0;
  for (int i = 0; i < 512; i++)
    text[i] = (unsigned char)((unsigned)i * 2654435761u >> 13);
  for (volatile int again = 0; again < 5; again++)
    if (!setjmp(back))
      sink += ways(text + again, 256);
  sink += lookup(names, 4, "four") + lookup(names, 4, "five");
  if (sink == 12345)
    abort();
  return 0;
}
