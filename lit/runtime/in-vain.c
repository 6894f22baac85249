// A loop that is always left by longjmp, as a coroutine leaves it, isn't timed every time, as such samples are abandoned; one
// that is left so at first and then by its exit is timed again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O1 -g %s -o %t
// RUN: %env_reticle %t
// RUN: %python %support/loops.py %reticle %t.prof | %FileCheck %s
#include <setjmp.h>

volatile int sink;
static jmp_buf back;
// The compiler must not see that it doesn't return, or it would give the loop an exit there.
static void (*volatile jump)(struct __jmp_buf_tag *, int) = longjmp;

// Before, each of the 100,000 entries opened a sample.
// CHECK: always:[[#]] executions 100000 samples 0 weight 0 lost 0 abandoned {{[0-9][0-9]?}} migrated 0
__attribute__((noinline)) static void always(void) {
  for (int i = 0; i < 10 + sink; i++)
    if (i == 3)
      jump(back, 1);
}

// CHECK: first:[[#]] executions 10000000 samples {{[1-9]}}
__attribute__((noinline)) static void first(int early) {
  for (int i = 0; i < 10 + sink; i++)
    if (early && i == 3)
      jump(back, 1);
}

int main(void) {
  for (volatile int i = 0; i < 100000; i = i + 1)
    if (!setjmp(back))
      always();
  for (volatile int i = 0; i < 10000000; i = i + 1)
    if (!setjmp(back))
      first(i < 1000);
  return 0;
}
