// Many instrumented libraries in one process: none takes of the reserve for thread-local memory.
// REQUIRES: plugin, runtime, tool, x86_64

// DEFINE: %{shadow} = -fplugin-arg-reticle-features=loop,shadow
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -fPIC -shared -DLIBRARY %s -o %t/one.so %{shadow}
// RUN: for i in $(seq 64); do cp %t/one.so %t/part$i.so; done
// RUN: %reticle_cc -O2 %s -o %t/main
// RUN: env RETICLE_OPTIONS=report=0:out=%t/a.prof %t/main %t/part*.so | %FileCheck %s
// CHECK-NOT: cannot
// CHECK: {{^}}64 open

// The libraries' loops are in the profile.
// RUN: %reticle report --loops %t/a.prof | %FileCheck --check-prefix=LOOPS %s
// LOOPS: part
#ifdef LIBRARY
int part(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i ^ n;
  return sum;
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int open = 0;
  for (int i = 1; i < argc; i++) {
    void *library = dlopen(argv[i], RTLD_NOW);
    int (*part)(int) = library ? (int (*)(int))dlsym(library, "part") : NULL;
    if (!part)
      puts(dlerror());
    open += part && part(100) != 0;
  }
  printf("%d open\n", open);
  return open != argc - 1;
}
#endif
