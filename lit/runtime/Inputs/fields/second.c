// second.c - shares struct a with the first file, and has a struct b of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"

struct b {
  char pad[8];
  volatile int other;
};
static struct b one;

void second(struct a *p) {
  for (int i = 0; i < 1024; i++)
    p->x = i;
  one.other = 1;
}
