// libdeflate_adler.c - checksums of a buffer, as a decompressor takes them of its output
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#include "adler32.h"

enum { BYTES = 1 << 18, ROUNDS = 2500 };

int main(void) {
  unsigned char *buffer = malloc(BYTES);
  if (!buffer)
    return 1;
  unsigned state = 1;
  for (int i = 0; i < BYTES; ++i)
    buffer[i] = (state = state * 1664525 + 1013904223) >> 24;
  unsigned sum = 0;
  for (int i = 0; i < ROUNDS; ++i)
    sum = sum * 31 + adler32(buffer, BYTES - i % 16);
  printf("%08x\n", sum);
  free(buffer);
  return 0;
}
