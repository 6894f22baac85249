// Loops with copies in a library that is closed and opened again, while the sideline may arm them: one record, no fault.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && echo 'fun:sum' > list
// RUN: %reticle_cc -O2 -g -fPIC -shared -DLIBRARY -fplugin-arg-reticle-bound=list %s -o sum.so && %reticle_cc -O2 -g %s -o app -ldl
// RUN: RETICLE_OPTIONS=report=0:out=a.prof ./app | %FileCheck --check-prefix=SAID %s
// RUN: %reticle dump a.prof | %python %S/Inputs/bounds.py | %FileCheck %s
// SAID: 100 times 2147450880
// CHECK: sum done 1 2 3 4 5 6
// CHECK-NOT: sum
#ifdef LIBRARY
long sum(const int *p, int n);
__attribute__((noinline)) long sum(const int *p, int n) {
  long total = 0;
  for (int i = 0; i < n; i++)
    total += p[i];
  return total;
}
#else
#include <dlfcn.h>
#include <stdio.h>

enum { N = 65536 };
static int numbers[N];

int main(void) {
  long total = 0;
  int times = 0;
  for (int i = 0; i < N; i++)
    numbers[i] = i;
  for (; times < 100; times++) {
    void *library = dlopen("./sum.so", RTLD_NOW);
    long (*sum)(const int *, int) = library ? (long (*)(const int *, int))dlsym(library, "sum") : 0;
    if (!sum)
      return 1;
    total = sum(numbers, N);
    dlclose(library);
  }
  printf("%d times %ld\n", times, total);
  return 0;
}
#endif
