// layout_words.c - says in words what "array {a b}" and "order a, b" are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/trial/layout_words.h"

#include <stdbool.h>
#include <string.h>

/// A kind with the words in front of the fields and behind them.
struct kind {
  const char *begin, *before, *behind, *behind_several;
};

static const struct kind kinds[] = {
    {"order ", "the fields in the order ", "", ""},
    {"array {", "", " in an array of its own, under the same index",
     " in an array of their own, under the same index"},
    {"copy {", "a copy of ", " in an array of its own, under the same index",
     " in an array of its own, under the same index"},
    {"split {", "", " alone in the struct, the other fields in one of their own",
     " alone in the struct, the other fields in one of their own"},
    {"soa {", "each of ", " in an array of its own", " in an array of its own"},
};

void layout_words_add(const char *change, struct text *out) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct kind *kind = &kinds[i];
    if (strncmp(change, kind->begin, strlen(kind->begin)) != 0)
      continue;
    const char *at = change + strlen(kind->begin);
    bool is_list = kind->begin[strlen(kind->begin) - 1] != '{';
    text_add(out, kind->before);
    size_t count = 1;
    while (*at && *at != '}') {
      size_t length = is_list ? strlen(at) : strcspn(at, " }");
      text_add_bytes(out, at, length);
      at += length;
      if (*at != ' ')
        continue;
      count++;
      at++;
      text_add(out, strchr(at, ' ') ? ", " : " and ");
    }
    text_add(out, count == 1 ? kind->behind : kind->behind_several);
    return;
  }
  text_add(out, change);
}
