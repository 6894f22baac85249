// The program stays what it was: its SIGSEGV handler runs and returns, a forked child and an executed program
// have profiles of their own, a library that is unloaded leaves the shares of its globals.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %reticle_cc -O2 -g -shared -fPIC -DLIBRARY -fplugin-arg-reticle-features=shadow %s -o %t.d/library.so
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t -ldl %t.d/library.so -DLINKED
// RUN: env RETICLE_OPTIONS=report=0:out=%t.linked.prof %t linked | %FileCheck --check-prefix=LINKED %s
// LINKED: made by a library
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t -ldl
// RUN: env RETICLE_OPTIONS=report=0:out=%t.d/%%p.prof %t %t.d/library.so | %FileCheck --check-prefix=OUT %s
// RUN: ls %t.d | grep -c prof$ | %FileCheck --check-prefix=FILES %s
// RUN: for p in %t.d/*.prof; do %python %support/sites.py %reticle $p -- in_parent in_child in_program table; done | sort | %FileCheck %s
// OUT: handled
// OUT: loaded 1
// OUT: program
// OUT: parent
// FILES: 2
// CHECK-DAG: global table objects 1 live 0 touched 1 bytes 4096-4096 {{.*}} ever 6.2
// CHECK-DAG: heap in_child objects 1 live 0 touched 1 bytes 1000-1000
// CHECK-DAG: heap in_parent objects 1 live 0 touched 1 bytes 1000-1000
#include <stdio.h>
#include <stdlib.h>
#ifdef LIBRARY
_Alignas(64) volatile int table[1024];
int *made(void) { return malloc(100); } // this library has wrappers of malloc, too
int entry(void) {
  for (int i = 0; i < 1024; i += 16)
    table[i] = 1;
  return table[0];
}
#else
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SITE(name)                                                                                 \
  __attribute__((noinline)) static void name(void) {                                               \
    volatile char *p = malloc(1000);                                                               \
    for (int i = 0; i < 1000; i++)                                                                 \
      p[i] = 1;                                                                                    \
    free((void *)p);                                                                               \
  }
SITE(in_parent)
SITE(in_child)

static sigjmp_buf back;
static void handler(int number) { siglongjmp(back, number); }

int main(int argc, char **argv) {
#ifdef LINKED
  int *made(void);
  free(made());
  puts("made by a library");
  return 0;
#endif
  setbuf(stdout, NULL);
  signal(SIGSEGV, handler);
  if (!sigsetjmp(back, 1)) {
    *(volatile int *)8 = 1;
    puts("not reached");
  }
  puts("handled");
  void *library = dlopen(argv[1], RTLD_NOW);
  printf("loaded %d\n", ((int (*)(void))dlsym(library, "entry"))());
  dlclose(library);
  if (!fork()) {
    in_child();
    exit(0);
  }
  wait(NULL);
  if (!fork()) {
    char *arguments[] = {"echo", "program", NULL};
    execv("/bin/echo", arguments);
    _exit(1);
  }
  wait(NULL);
  in_parent();
  puts("parent");
  return 0;
}
#endif
