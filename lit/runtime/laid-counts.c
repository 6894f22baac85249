// Counts of one build laid over another that has labels alone: right for each block, in proportion to the work, refused where the code differs.
// Chains, facts and checkpoints are nothing but steps here. Stepped beside other work, the end may take longer than a program's may;
// then the run is made again.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: cd %t && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,label %s -o timed && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,block %s -o counted && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,field,block %s -o both
// Each block as often as single steps of the timed build count it: both runs are stepped, so that as many samples are taken.
// RUN: cd %t && for i in 1 2 3 4 5 6; do RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=a.prof %step_counts truth ./timed 40 2> said; RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=c.prof %step_counts none ./counted 40 2>> said; grep -q "took too long" said || break; done && %list_counts c.prof timed truth | %FileCheck %s --check-prefix=TRUTH
// RUN: cd %t && for i in 1 2 3 4 5 6; do RETICLE_OPTIONS=report=0:chain=0:facts=0:checkpoint_ms=100000:out=f.prof %step_counts none ./both 40 2> said; grep -q "took too long" said || break; done && %list_counts f.prof timed truth | %FileCheck %s --check-prefix=TRUTH
// TRUTH-NOT: but ran
// TRUTH: {{[1-9][0-9]*}} by label,
// TRUTH: {{([7-9][0-9]|100)[.].*}} % in blocks whose count is known; 0 wrong
//
// The timed run does twice the work: counts are scaled; but for main, whose loop ran once in both, with other trips.
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:out=t2.prof ./timed 8000000 && RETICLE_OPTIONS=report=0:out=c1.prof ./counted 4000000 && RETICLE_OPTIONS=report=0:out=c2.prof ./counted 8000000
// RUN: cd %t && %reticle report t2.prof --counts c1.prof | tr '\n' ' ' | sed 's/  */ /g' | %FileCheck %s --check-prefix=TWICE
// TWICE: counts of blocks are of another run, c1.prof, scaled by executions of loops: this one has 2.000 times those of all (1.000 to 2.000 by loop); 3 of 3 labelled functions are in it
// TWICE: c1.prof: left out are the counts of 1 function with loops that have other trip counts there
// TWICE: next: reticle {{.*}} --counts c1.prof
// The same work: as they are.
// RUN: cd %t && %reticle report t2.prof --counts c2.prof | tr '\n' ' ' | sed 's/  */ /g' | %FileCheck %s --check-prefix=SAME
// SAME: c2.prof, as they are by executions of loops: this one has 1.000 times
// SAME-NOT: are left out
// Both say the same of each block of the function that is in both; cold paths of gates run as often as loops are timed, some thousand times.
// RUN: cd %t && %reticle annotate turns t2.prof --counts c1.prof --json > 1.json && %reticle annotate turns t2.prof --counts c2.prof --json > 2.json && %python -c "import json; a, b = ([x.get('executions') for f in json.load(open(n))['functions'] for x in f['blocks']] for n in ('1.json', '2.json')); print(a, b); assert len(a) == len(b) > 2 and sum(1 for x in b if x) > 1; assert all(x == y or x and y and abs(x - y) < 1e-3 * y + 5000 for x, y in zip(a, b))"
//
// Other sources; a run without counts; a program without labels.
// RUN: cd %t && %reticle_cc -O2 -g -DOTHER -fplugin-arg-reticle-features=loop,block %s -o other && RETICLE_OPTIONS=report=0:out=o.prof ./other 9 && %not %reticle report t2.prof --counts o.prof 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: error: o.prof: its counts can't be used: none of the {{[0-9]+}} labelled functions of the program that was timed is in it: build both from the same sources
// RUN: cd %t && %not %reticle report c1.prof --counts t2.prof 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: t2.prof: its counts can't be used: it has no counts of blocks
// RUN: cd %t && %reticle_cc -O2 -g %s -o bare && RETICLE_OPTIONS=report=0:out=b.prof ./bare 9 && %not %reticle report b.prof --counts c1.prof 2>&1 | %FileCheck %s --check-prefix=BARE
// BARE: c1.prof: its counts can't be used: {{.*}}bare, which was timed, has no labels of blocks
// RUN: cd %t && %not %reticle show L1 t2.prof --counts missing.prof 2>&1 | grep missing.prof
#include <stdint.h>
#include <stdlib.h>

static volatile unsigned sink;

__attribute__((noinline)) static unsigned turns(unsigned x, int n) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; i++) {
    if (x & 4)
      x += sink;
    x = (x >> 3) ^ (x * 2654435761u)
#ifdef OTHER
        ^ (x & 1 ? sink : x << 7)
#endif
        ;
  }
  return x;
}

/// Tails that the code generator may merge, and a table of jumps.
__attribute__((noinline)) static unsigned ways(unsigned x, unsigned *out) {
#ifdef OTHER
  if (x == 77)
    sink = 3;
#endif
  switch (x & 7) {
  case 0:
    *out = turns(x, 3);
    sink = x;
    return 4;
  case 1:
    *out = turns(x, 5);
    sink = x;
    return 4;
  case 2:
    return x + 2;
  case 3:
    sink++;
    return x >> 1;
  case 4:
    return sink && x > 9 && out ? 7 : 8;
  default:
    *out = 0;
    sink = x;
    return 4;
  }
}

int main(int count, char **arguments) {
  unsigned out = 0;
  int runs = count > 1 ? atoi(arguments[1]) : 1;
  while (runs-- > 0) {
    out += ways((unsigned)runs, &out) + turns((unsigned)runs, 9);
#ifdef OTHER
    if (out == 12345)
      return 0;
#endif
  }
  sink = out;
  return 0;
}
