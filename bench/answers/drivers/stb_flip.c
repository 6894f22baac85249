// stb_flip.c - loads pictures upside down, as textures are wanted by OpenGL
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 512, ROUNDS = 3000 };

int main(void) {
  unsigned char *file = malloc(SIDE * SIDE * 3 + 32);
  if (!file)
    return 1;
  int length = sprintf((char *)file, "P6\n%d %d\n255\n", SIDE, SIDE);
  for (int i = 0; i < SIDE * SIDE * 3; ++i)
    file[length++] = (unsigned char)(i * i >> 9);
  stbi_set_flip_vertically_on_load(1);
  unsigned sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    int width, height, channels;
    unsigned char *pixels = stbi_load_from_memory(file, length, &width, &height, &channels, 0);
    if (!pixels)
      return 1;
    for (int i = 0; i < width * height * 3; i += 97)
      sum = sum * 31 + pixels[i];
    stbi_image_free(pixels);
  }
  printf("%u\n", sum);
  free(file);
  return 0;
}
