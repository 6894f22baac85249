// stb_paeth.c - decodes a picture all of whose rows are predicted by Paeth's filter
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, ROW = SIDE * 3, ROUNDS = 400 };

static unsigned char *put(unsigned char *out, unsigned value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    *out++ = (unsigned char)(value >> shift);
  return out;
}

// A chunk of the file; stb_image doesn't look at its checksum.
static unsigned char *put_chunk(unsigned char *out, const char *name, const void *data,
                                unsigned n) {
  out = put(out, n);
  memcpy(out, name, 4);
  if (n)
    memcpy(out + 4, data, n);
  return put(out + 4 + n, 0);
}

// Rows with little noise around the prediction, in blocks that aren't compressed.
static unsigned put_rows(unsigned char *out) {
  unsigned char *p = out;
  unsigned state = 1;
  *p++ = 0x78;
  *p++ = 0x01;
  for (int y = 0; y < SIDE; ++y) {
    *p++ = y == SIDE - 1;
    *p++ = (ROW + 1) & 255, *p++ = (ROW + 1) >> 8;
    *p++ = ~(ROW + 1) & 255, *p++ = (~(ROW + 1) >> 8) & 255;
    *p++ = 4;
    for (int x = 0; x < ROW; ++x) {
      state = state * 1664525 + 1013904223;
      *p++ = (unsigned char)((state >> 29) - 3);
    }
  }
  return (unsigned)(put(p, 0) - out);
}

int main(void) {
  unsigned char *rows = malloc(SIDE * (ROW + 6) + 6), *file = malloc(SIDE * (ROW + 6) + 128);
  if (!rows || !file)
    return 1;
  unsigned char header[13] = {0, 0, SIDE >> 8, SIDE & 255, 0, 0, SIDE >> 8, SIDE & 255, 8, 2};
  unsigned char *end = file + 8;
  memcpy(file, "\x89PNG\r\n\x1a\n", 8);
  end = put_chunk(end, "IHDR", header, sizeof header);
  end = put_chunk(end, "IDAT", rows, put_rows(rows));
  end = put_chunk(end, "IEND", NULL, 0);
  unsigned sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    int width, height, channels;
    unsigned char *pixels =
        stbi_load_from_memory(file, (int)(end - file), &width, &height, &channels, 0);
    if (!pixels)
      return 1;
    for (int i = 0; i < width * height * 3; i += 97)
      sum = sum * 31 + pixels[i];
    stbi_image_free(pixels);
  }
  printf("%u\n", sum);
  free(file);
  free(rows);
  return 0;
}
