// stb_bmp.c - writes a picture to a file, several times
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb_image_write.h"

enum { WIDTH = 3000, HEIGHT = 2000 };

static unsigned checksum(const char *path) {
  FILE *file = fopen(path, "rb");
  unsigned sum = 0;
  unsigned char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
    for (size_t i = 0; i < n; i++)
      sum = sum * 31 + part[i];
  fclose(file);
  return sum;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 10;
  unsigned char *pixels = malloc(WIDTH * HEIGHT * 3);
  for (size_t i = 0; i < WIDTH * HEIGHT * 3; i++)
    pixels[i] = (unsigned char)(i * i >> 8);
  for (int i = 0; i < count; i++)
    if (!stbi_write_bmp("out.bmp", WIDTH, HEIGHT, 3, pixels))
      return 1;
  printf("checksum %u\n", checksum("out.bmp"));
  free(pixels);
  return 0;
}
