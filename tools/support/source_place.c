// source_place.c - takes "src/in.c:12:5" apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/source_place.h"

#include <stdlib.h>
#include <string.h>

static bool parse_number(const char **at, uint32_t *out) {
  char *end;
  unsigned long value = strtoul(*at, &end, 10);
  if (end == *at || **at == '-' || **at == '+' || value > UINT32_MAX)
    return false;
  *out = (uint32_t)value;
  *at = end;
  return true;
}

bool source_place_parse(const char *text, struct source_place *out) {
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const char *at = colon + 1;
    uint32_t line, column = 0;
    if (!parse_number(&at, &line))
      continue;
    if (*at == ':' && (at++, !parse_number(&at, &column)))
      continue;
    if (*at)
      continue;
    *out = (struct source_place){text, (size_t)(colon - text), line, column};
    return colon > text;
  }
  return false;
}

bool source_place_is_in(const struct source_place *place, const char *path) {
  size_t have = strlen(path), length = place->path_bytes;
  if (length > have || memcmp(path + have - length, place->text, length) != 0)
    return false;
  return length == have || path[have - length - 1] == '/';
}
