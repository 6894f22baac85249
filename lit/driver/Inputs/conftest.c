// conftest.c - what a configure script might compile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef HEADER
#include <reticle.h>
#endif
#include <stdlib.h>
#ifdef BROKEN
#error "no"
#endif
volatile int sink;
int part(int n);
int missing(void);

int main(void) {
  int unused;
  for (int i = 0; i < 100; i++)
    sink += i;
#ifdef MISSING
  missing();
#endif
#ifdef PART
  part(1000);
#endif
  return 0;
}
