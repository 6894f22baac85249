// Instrumented libraries: linked, opened, closed and opened again, in an instrumented program and in
// one that isn't; many loops in a library don't exhaust static thread-local memory.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "print('extern volatile int sink;'); [print('void many%%d(int n) { for (int i = 0; i < n; i++) sink = i; }' %% i) for i in range(3000)]" > %t/many.c
// RUN: %reticle_cc -O2 -g -fPIC -shared -DLIBRARY=lib_a -DMANY %s %t/many.c -o %t/liba.so
// RUN: %reticle_cc -O2 -g -fPIC -shared -DLIBRARY=lib_b %s -o %t/libb.so
// RUN: %reticle_cc -O2 -g %s -o %t/app -ldl
// RUN: %reticle_cc -O2 -g -DLINKED %s %t/libb.so -Wl,-rpath,%t -o %t/linked -ldl
// RUN: RETICLE=off %reticle_cc -O2 -g %s -o %t/plain -ldl
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=app.prof ./app ./liba.so lib_a ./libb.so lib_b
// RUN: %python %support/loops.py %reticle %t/app.prof | %FileCheck %s
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=linked.prof ./linked ./liba.so lib_a ./libb.so lib_b
// RUN: %python %support/loops.py %reticle %t/linked.prof | %FileCheck --check-prefix=LINKED %s
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=plain.%%p.prof ./plain ./liba.so lib_a
// RUN: %python %support/loops.py %reticle %t/plain.*.prof | %FileCheck --check-prefix=PLAIN %s
// A library that hides all symbols has a runtime of its own, and a file of its own.
// RUN: echo 'V { global: lib_a; local: *; };' > %t/hide.map
// RUN: %reticle_cc -O2 -g -fPIC -shared -DLIBRARY=lib_a %s -Wl,--version-script=%t/hide.map -o %t/libhidden.so
// RUN: rm -f *.prof && RETICLE_OPTIONS=report=0 ./app ./libhidden.so lib_a
// RUN: ls *.prof | %FileCheck --check-prefix=HIDDEN %s
// HIDDEN: reticle.app+libhidden.so.{{[0-9]+}}-2.prof
// HIDDEN: reticle.app+libhidden.so.{{[0-9]+}}-3.prof
// HIDDEN: reticle.app+libhidden.so.{{[0-9]+}}.prof
// HIDDEN: reticle.app.{{[0-9]+}}.prof
// CHECK-DAG: call:[[#]] executions 6 samples
// CHECK-DAG: lib_a:[[#]] executions 300 samples
// CHECK-DAG: lib_b:[[#]] executions 300 samples
// CHECK-DAG: full_tables 0
// LINKED-DAG: lib_a:[[#]] executions 300 samples
// LINKED-DAG: lib_b:[[#]] executions 310 samples
// PLAIN: lib_a:[[#]] executions 300 samples
// The library brings the runtime along and takes it away again: a file for each time.
// PLAIN: files 3
volatile int sink __attribute__((weak));

#ifdef LIBRARY

void LIBRARY(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

#else
#include <dlfcn.h>
#include <stdio.h>

void lib_b(int n);

__attribute__((noinline)) static void call(void (*f)(int), int times) {
  for (int i = 0; i < times; i++)
    f(20);
}

int main(int argc, char **argv) {
#ifdef LINKED
  for (int i = 0; i < 10; i++)
    lib_b(5);
#endif
  for (int round = 0; round < 3; round++)
    for (int i = 1; i + 1 < argc; i += 2) {
      void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
      if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
      }
      call((void (*)(int))dlsym(library, argv[i + 1]), 100);
      dlclose(library);
    }
  return 0;
}
#endif
