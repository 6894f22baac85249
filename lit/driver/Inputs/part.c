// part.c - a library with a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
volatile int counter;

int part(int n) {
  for (int i = 0; i < n; i++)
    counter += i;
  return counter;
}
