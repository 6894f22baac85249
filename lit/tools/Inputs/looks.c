// looks.c - a global variable of which the test says how threads use it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
long counters[8];

int main(void) {
  for (long i = 0; i < 100000000; i++) {
    __asm__ volatile("" : : : "memory");
    counters[i & 7]++;
  }
  return 0;
}
