// region.c - one region by hand in a loop that calls a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <reticle.h>

__attribute__((noinline)) static void work(int n) {
  for (int i = 0; i < n; i++)
    __asm__ volatile("");
}

int main(void) {
  for (int i = 0; i < 20000; i++) {
    work(10);
    RETICLE_REGION_BEGIN("parse");
    work(2000);
    RETICLE_REGION_END;
  }
  return 0;
}
