// one.c - main of two units
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "header.h"
#include <stdio.h>
int main(void) {
  struct pair p = {.c = 1, .l = 2, .i = 3};
  printf("%ld\n", other(&p));
  return 0;
}
