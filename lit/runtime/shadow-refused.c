// Where there is no shadow memory the program does its work as ever, and the reason and the remedy are said once;
// an unlimited stack is no obstacle; nothing may be mapped over it.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow,loop %s -o %t
// RUN: %env_reticle:verbosity=1:report=0 bash -c 'ulimit -v 4000000; %t' 2>&1 | %FileCheck --check-prefixes=WORK,LIMIT %s
// RUN: %not %reticle report --heap %t.prof | %FileCheck --check-prefix=REPORT %s
// RUN: %python %support/sites.py %reticle %t.prof | %FileCheck --check-prefix=JSON %s
// RUN: %env_reticle:shadow=0 %t 2>&1 | %FileCheck --check-prefixes=WORK,QUIET %s
// RUN: %not %reticle report --heap %t.prof | %FileCheck --check-prefix=OFF %s
// RUN: %env_reticle bash -c 'ulimit -s unlimited; %t' 2>&1 | %FileCheck --check-prefixes=WORK,QUIET,UNLIMITED %s
// RUN: %python %support/sites.py %reticle %t.prof -- work | %FileCheck --check-prefix=SOME %s
// RUN: %env_reticle %t 2>&1 | %FileCheck --check-prefixes=WORK,QUIET,FIXED %s
// QUIET-NOT: warning
// LIMIT-COUNT-1: warning: the feature shadow is off: its 32 TB of addresses could not be reserved (ulimit -v, or vm.overcommit_memory=2); lift the limit: ulimit -v unlimited
// LIMIT-NOT: warning
// FIXED: over the plane: refused; hint: moved
// UNLIMITED: stack unlimited
// WORK: sum 499500
// REPORT: no allocation site was measured: 32 TB of addresses could not be reserved
// JSON: marked True sites none reason 32 TB
// OFF: no allocation site was measured: the run had RETICLE_OPTIONS=shadow=0
// SOME: heap work objects 1 live 0 touched 1
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

int large[1000]; // a global variable that would be looked at

__attribute__((noinline)) static long work(int n) {
  volatile long *values = malloc(n * sizeof *values);
  long sum = 0;
  for (int i = 0; i < n; i++)
    large[i] = values[i] = i;
  for (int i = 0; i < n; i++)
    sum += large[i] ? values[i] : 0;
  free((void *)values);
  return sum;
}

int main(void) {
  struct rlimit stack;
  getrlimit(RLIMIT_STACK, &stack);
  void *over = mmap((void *)0x10000000000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  void *hint = mmap((void *)0x10000001000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("over the plane: %s; hint: %s\n", over == MAP_FAILED ? "refused" : "done",
         hint == (void *)0x10000001000 ? "taken" : "moved");
  printf("stack %s\n", stack.rlim_cur == RLIM_INFINITY ? "unlimited" : "limited");
  printf("sum %ld\n", work(1000));
  return 0;
}
