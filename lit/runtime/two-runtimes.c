// A program and a library with a runtime of its own each run as without, and reports end with the first one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir %t && cd %t && echo '{ global: work; local: *; };' > map
// RUN: %reticle_cc -O2 -fPIC -shared -fplugin-arg-reticle-features=loop,field,shadow,block -DLIBRARY %s -Wl,--version-script=map -o libwork.so
// RUN: %reticle_cc -O2 -fplugin-arg-reticle-features=loop,field,shadow,block %s -L. -lwork -o app
// The feature shadow of one of them finds its addresses taken by the other: no reason to end.
// RUN: env LD_LIBRARY_PATH=. RETICLE_OPTIONS=report=0:out=a.prof ./app | %FileCheck %s
// CHECK: sum 499500 4950
// RUN: %reticle report --json a.prof > a.json && ls a.prof* | grep -c . | grep -x 2
//
// The tool that reports at exit loads the library, too: it doesn't measure itself, whose report would be the next.
// RUN: cp a.prof b.prof; (ulimit -u 4000; env LD_PRELOAD=./libwork.so LD_LIBRARY_PATH=. RETICLE_OPTIONS=out=c%%p.prof ./app) > out 2> err
// RUN: grep -c '^reticle.*timer floor' err > reports; grep -x '[12]' reports && ls c*.prof | grep -c . | grep -x 2
#include <stdio.h>
#include <stdlib.h>

struct item {
  long value;
  long other;
};
long work(int n);

#if defined(LIBRARY)
long work(int n) {
  struct item *items = malloc((size_t)n * sizeof *items);
  long sum = 0;
  for (int i = 0; i < n; i++)
    items[i].value = i;
  for (int i = 0; i < n; i++)
    sum += items[i].value;
  free(items);
  return sum;
}
#else
int main(void) {
  struct item *items = malloc(100 * sizeof *items);
  long sum = 0;
  for (int i = 0; i < 100; i++)
    items[i].value = i;
  for (int i = 0; i < 100; i++)
    sum += items[i].value;
  printf("sum %ld %ld\n", work(1000), sum);
  free(items);
  return 0;
}
#endif
