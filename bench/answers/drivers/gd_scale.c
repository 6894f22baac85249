// gd_scale.c - halves the height of a wide picture
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#include "gd.h"

enum { WIDTH = 2000, HEIGHT = 1200 };

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 4;
  gdImagePtr picture = gdImageCreateTrueColor(WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      gdImageSetPixel(picture, x, y, (x * 7 + y * 13) & 0xffffff);
  gdImageSetInterpolationMethod(picture, GD_CATMULLROM);

  unsigned sum = 0;
  for (int i = 0; i < count; i++) {
    gdImagePtr scaled = gdImageScale(picture, WIDTH, HEIGHT / 2 - i);
    for (int y = 0; y < gdImageSY(scaled); y += 5)
      for (int x = 0; x < gdImageSX(scaled); x += 7)
        sum = sum * 31 + (unsigned)gdImageGetPixel(scaled, x, y);
    gdImageDestroy(scaled);
  }
  printf("checksum %u\n", sum);
  gdImageDestroy(picture);
  return 0;
}
