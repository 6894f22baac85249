// A loop that runs once has cycles: the core's clock is told by chains that run beside the program, as no loop's end is there to time them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool, x86_64, perf-clock
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,block %s -o app
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:out=a.prof ./app && %reticle annotate main a.prof | %FileCheck %s
// CHECK: {{[0-9 ]+}} times, {{[0-9.]+}} cycles (
// They are marked, as verdicts on loops must not be by them.
// RUN: cd %t && %reticle dump a.prof | sed -n '/^.chain/,/^.sampl/p' | grep -E '^[0-9]+ 36864 [0-9]+ 0 8$'
// Without chains it isn't known, and the report says what would tell it.
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:chain=0:out=b.prof ./app && %reticle annotate main b.prof | tr '\n' ' ' | sed 's/  */ /g' | %FileCheck %s --check-prefix=NONE
// NONE: the core's clock isn't known: too few timed chains
#include <stdint.h>

int main(void) {
  volatile uint64_t divisor = 12345678901;
  uint64_t x = 88172645463325252u, d = divisor;
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < 400000000; i++)
    x = (x | 1) / d + 0x9e3779b97f4a7c15u;
  divisor = x;
}
