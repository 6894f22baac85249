// heap_offset=N: malloc's first object lies N bytes later in its page, and malloc goes on as before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, x86_64
// RUN: %reticle_cc -O2 -g %s -o %t && %env_reticle %t > %t.0 && %env_reticle:heap_offset=336 %t > %t.336
// RUN: %python -c "a, b = (int(open('%t.' + n).read()) for n in ('0', '336')); assert (b - a) %% 4096 == 336, (a, b)"
// RUN: %reticle_cc -O2 -g -static %s -o %t && %env_reticle %t > %t.0 && %env_reticle:heap_offset=336 %t > %t.336
// RUN: %python -c "a, b = (int(open('%t.' + n).read()) for n in ('0', '336')); assert (b - a) %% 4096 == 336, (a, b)"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *first = malloc(376), *all[2000];
  for (int i = 0; i < 2000; i++)
    memset(all[i] = malloc(1000), i, 1000);
  for (int i = 0; i < 2000; i++) {
    if (all[i][0] != (char)i || all[i][999] != (char)i)
      return 1;
    free(all[i]);
  }
  printf("%lu\n", (unsigned long)((uintptr_t)first % 4096));
  free(first);
  return 0;
}
