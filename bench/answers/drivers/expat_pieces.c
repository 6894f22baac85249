// expat_pieces.c - parses a document with one long comment that comes in small pieces
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expat.h"

enum { PIECE = 4096 };

static void add_comment(void *sum, const char *text) {
  for (; *text; text++)
    *(unsigned *)sum = *(unsigned *)sum * 31 + (unsigned char)*text;
}

static int feed(XML_Parser parser, const char *text, size_t size) {
  for (size_t at = 0; at < size; at += PIECE) {
    size_t piece = size - at < PIECE ? size - at : PIECE;
    if (XML_Parse(parser, text + at, (int)piece, at + piece == size) != XML_STATUS_OK)
      return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  size_t length = argc > 1 ? (size_t)atol(argv[1]) : 4 << 20;
  size_t size = length + 14;
  char *document = malloc(size);
  memcpy(document, "<a><!--", 7);
  for (size_t i = 0; i < length; i++)
    document[7 + i] = "abcdefghijklmnopqrstuvwxyz \n"[i * i % 28];
  memcpy(document + 7 + length, "--></a>", 7);

  unsigned sum = 0;
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, &sum);
  XML_SetCommentHandler(parser, add_comment);
  int ok = feed(parser, document, size);
  printf("%s, checksum %u\n", ok ? "parsed" : "failed", sum);
  XML_ParserFree(parser);
  free(document);
  return !ok;
}
