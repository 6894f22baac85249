// mujs_join.c - joins the elements of an array in a script, again and again
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

#include "mujs.h"

enum { ROUNDS = 24 };

// Twelve thousand lines of a log, as one text: what a script does before it prints.
static const char script[] =
    "var lines = [];\n"
    "for (var i = 0; i < 12000; ++i)\n"
    "  lines.push('line ' + i + ': the quick brown fox jumps over the lazy dog');\n"
    "function round() {\n"
    "  var text = lines.join('\\n');\n"
    "  return text.length + text.charCodeAt(text.length >> 1);\n"
    "}\n";

int main(void) {
  js_State *state = js_newstate(NULL, NULL, 0);
  if (!state || js_dostring(state, script))
    return 1;
  double sum = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    js_getglobal(state, "round");
    js_pushundefined(state);
    if (js_pcall(state, 0))
      return 1;
    sum += js_tonumber(state, -1);
    js_pop(state, 1);
  }
  printf("%.0f\n", sum);
  js_freestate(state);
  return 0;
}
