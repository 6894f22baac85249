// zlib_crc.c - checksums of a buffer, as an archiver takes them of its files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#include "zlib.h"

enum { BYTES = 1 << 20, ROUNDS = 3000 };

int main(void) {
  unsigned char *buffer = malloc(BYTES);
  if (!buffer)
    return 1;
  unsigned state = 1;
  for (int i = 0; i < BYTES; ++i)
    buffer[i] = (state = state * 1664525 + 1013904223) >> 24;
  uLong sum = crc32(0, NULL, 0);
  for (int i = 0; i < ROUNDS; ++i)
    sum = crc32(sum, buffer, BYTES - i % 16);
  printf("%08lx\n", sum);
  free(buffer);
  return 0;
}
