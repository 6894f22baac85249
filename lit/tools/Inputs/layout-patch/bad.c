// bad.c - scans each struct of bad.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bad.h"
#include <stdlib.h>

#define SCAN(name, value)                                                                          \
  __attribute__((noinline)) static long scan_##name(struct name *all, long n) {                    \
    long sum = 0;                                                                                  \
    for (long i = 0; i < n; i++)                                                                   \
      sum += all[i].first + all[i].value;                                                          \
    return sum;                                                                                    \
  }
#define CALL(name) scan_##name(calloc(2000, sizeof(struct name)), 2000)

SCAN(whole, second)
SCAN(side, second)
SCAN(differs, second)
SCAN(included, second)
SCAN(needs, second[1])
SCAN(squeezed, second)
SCAN(ended, second)
SCAN(sized, second)
SCAN(line, second)

#ifdef WIDE
long wide(void) { return CALL(differs); }
#else
long wide(void);
int main(void) {
  long sum = CALL(whole) + CALL(side) + CALL(differs) + CALL(included) + CALL(needs) +
             CALL(squeezed) + CALL(ended) + CALL(sized) + CALL(line);
  return (int)(sum + wide());
}
#endif
