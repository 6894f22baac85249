// Limits and settings of the program that must not end it: ulimit -f, ignored SIGCHLD, valgrind,
// static-pie, a full table of loops.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: (ulimit -f 0; RETICLE_OPTIONS=report=0 ./app 2>&1; echo status $?) | %FileCheck --check-prefix=FILE %s
// FILE: error: the profile could not be written
// FILE: status 0
// RUN: (trap '' CHLD; RETICLE_OPTIONS=report=1 ./app 2>&1) | %FileCheck --check-prefix=CHILD %s
// CHILD: {{HOTTEST|LOOPS}}
// CHILD-NOT: the report failed
// RUN: %reticle_cc -O2 -g -static-pie %s -o spie && RETICLE_OPTIONS=report=0 ./spie
// RUN: RETICLE_OPTIONS=report=0:max_loops=64:out=full.prof ./app
// Debian's valgrind 3.19 gives up on clang 19's debug information, ours or the program's.
// RUN: strip app -o stripped
// RUN: if command -v valgrind; then RETICLE_OPTIONS=report=0:out=v.prof valgrind -q ./stripped; fi
// RUN: %python -c "[print('void many%%d(int n) { extern volatile int sink; for (int i = 0; i < n; i++) sink = i; }' %% i) for i in range(100)]" > many.c
// RUN: %reticle_cc -O2 -g %s many.c -o many && RETICLE_OPTIONS=report=0:max_loops=64:out=many.prof ./many
// RUN: %python %support/loops.py %reticle many.prof | %FileCheck --check-prefix=FULL %s
// FULL: spin:[[#]] executions 1000
// FULL: full_tables 39
volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(void) {
  for (int i = 0; i < 1000; i++)
    spin(100);
  return 0;
}
