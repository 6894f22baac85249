// cmark_references.c - renders a text whose links, of long addresses, are listed at its end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmark.h"

enum { LINKS = 6000, ROUNDS = 10 };

int main(void) {
  char *text = malloc(LINKS * 512);
  if (!text)
    return 1;
  size_t length = 0;
  for (int i = 0; i < LINKS; ++i)
    length += sprintf(text + length, "See [note%d]%s", i, i % 8 == 7 ? ".\n\n" : " and ");
  for (int i = 0; i < LINKS; ++i)
    length += sprintf(text + length, "[note%d]: http://example.org/notes/%0240d\n", i, i);
  unsigned sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    char *html = cmark_markdown_to_html(text, length, CMARK_OPT_DEFAULT);
    for (const char *p = html; *p; ++p)
      sum = sum * 31 + (unsigned char)*p;
    free(html);
  }
  printf("%u\n", sum);
  free(text);
  return 0;
}
