// Libraries refer to nothing with "exit" in its name, as PostgreSQL's makefile wants of libpq; quick_exit is seen all the same: in
// programs, static ones too, and in a library of a plain program, until that one is unloaded.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for f in loop loop,field loop,shadow loop,block loop,field,shadow,block; do \
// RUN:   %reticle_cc -O2 -g -fPIC -shared -fplugin-arg-reticle-features=$f -DLIBRARY %s -o libwork.so || exit 1; nm -A -u libwork.so; \
// RUN:   nm -A -u libwork.so | grep -v -e __cxa_atexit -e __tsan_func_exit | grep exit && exit 1; done; true
// RUN: %reticle_cc -O2 -g -fPIC -shared -DLIBRARY %s -o libwork.so && %clang -O2 -DCALLS %s -o plain -L. -lwork -Wl,-rpath,%t
// RUN: %clang -O2 -DOPENS %s -o opens -ldl && %reticle_cc -O2 -g %s -o app && %reticle_cc -O2 -g -static %s -o static_app
// RUN: for p in app static_app plain opens; do RETICLE_OPTIONS=report=0:out=$p.prof ./$p > $p.out; test $? = 10 || exit 1; \
// RUN:   echo "== $p =="; cat $p.out; %python %support/loops.py %reticle $p.prof; done | %FileCheck %s
// CHECK-LABEL: == app ==
// CHECK: handler
// CHECK: spin:[[#]] executions 1001 samples
// CHECK: ended_by 2
// CHECK-LABEL: == static_app ==
// CHECK: handler
// CHECK: spin:[[#]] executions 1001 samples
// CHECK: ended_by 2
// CHECK-LABEL: == plain ==
// CHECK: handler
// CHECK: spin:[[#]] executions 1001 samples
// CHECK: ended_by 2
// CHECK-LABEL: == opens ==
// CHECK: handler
// CHECK: spin:[[#]] executions 1000 samples
// CHECK: ended_by 1
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void work(int times);

#if !defined CALLS && !defined OPENS
volatile int sink;
__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}
void work(int times) {
  for (int i = 0; i < times; i++)
    spin(10);
}
#endif

#ifndef LIBRARY
static void (*volatile last)(int);
// The program's handlers are still measured.
static void handler(void) {
  if (last)
    last(1);
  puts("handler");
  fflush(stdout);
}

int main(void) {
#ifdef OPENS
  void *library = dlopen("./libwork.so", RTLD_NOW);
  if (!library)
    return 1;
  void (*found)(int) = (void (*)(int))dlsym(library, "work");
  found(1000);
  dlclose(library);
#else
  last = work;
  work(1000);
#endif
  at_quick_exit(handler);
  quick_exit(10);
}
#endif
