// A process killed by SIGKILL leaves a readable profile with what was there about a second before.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: cd %t && (RETICLE_OPTIONS=report=0:checkpoint_ms=200:out=k.prof ./app & p=$!; sleep 1; kill -9 $p; wait $p || true)
// RUN: %python %support/loops.py %reticle %t/k.prof | %FileCheck %s
// RUN: ls %t | %FileCheck --check-prefix=FILES %s
// CHECK: spin:[[#]] executions {{[1-9][0-9]+}} samples {{[1-9]}}
// CHECK: ended_by 0
// FILES-NOT: .part
// Also while it takes no samples: one, and then the next after a thousand million executions.
// RUN: cd %t && (RETICLE_OPTIONS=report=0:checkpoint_ms=100:period=1000000000:out=n.prof ./app & p=$!; sleep 0.9; kill -9 $p; wait $p || true)
// RUN: %reticle dump %t/n.prof | %FileCheck --check-prefix=NONE %s
// NONE: checkpoints {{[2-9]|[1-9][0-9]}} 
volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(void) {
  for (;;)
    spin(100);
}
