// md4c_links.c - renders a text with many links whose addresses are defined at its end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render_html.h"

enum { LINKS = 9000 };

static void add(const MD_CHAR *text, MD_SIZE size, void *sum) {
  unsigned *all = sum;
  for (MD_SIZE i = 0; i < size; ++i)
    *all = *all * 31 + (unsigned char)text[i];
}

int main(void) {
  char *text = malloc(LINKS * 128);
  if (!text)
    return 1;
  size_t length = 0;
  for (int i = 0; i < LINKS; ++i)
    length += sprintf(text + length, "See [note%d]%s", i, i % 8 == 7 ? ".\n\n" : " and ");
  length += sprintf(text + length, "the end.\n\n");
  for (int i = 0; i < LINKS; ++i)
    length += sprintf(text + length, "[note%d]: http://example.org/notes/%d\n\n", i, i);
  unsigned sum = 0;
  if (md_render_html(text, (MD_SIZE)length, add, &sum, 0, 0))
    return 1;
  printf("%u\n", sum);
  free(text);
  return 0;
}
