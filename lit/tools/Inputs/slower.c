// slower.c - eight functions with equal work, called in turn; MORE multiplies that of one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

#ifndef MORE
#define MORE 1
#endif

#define WORK(NAME, TIMES)                                                                          \
  __attribute__((noinline)) uint64_t NAME(uint64_t x) {                                            \
    for (long i = 0; i < 9000l * (TIMES); i++) {                                                   \
      x ^= x << 13;                                                                                \
      x ^= x >> 7;                                                                                 \
      x ^= x << 17;                                                                                \
    }                                                                                              \
    return x + sizeof(#NAME);                                                                      \
  }
WORK(work1, 1) WORK(work2, 1) WORK(work3, MORE) WORK(work4, 1)
WORK(work5, 1) WORK(work6, 1) WORK(work7, 1) WORK(work8, 1)

uint64_t sink;

int main(void) {
  for (long i = 0; i < 2500; i++)
    sink += work1(i) + work2(i) + work3(i) + work4(i) + work5(i) + work6(i) + work7(i) + work8(i);
  return 0;
}
