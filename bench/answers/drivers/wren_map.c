// wren_map.c - fills a map with integers, looks them up and removes them, in a script
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>

#include "wren.h"

static const char script[] = "var map = {}\n"
                             "for (i in 1..560000) map[i] = i\n"
                             "var sum = 0\n"
                             "for (i in 1..560000) sum = sum + map[i]\n"
                             "System.print(sum)\n"
                             "for (i in 1..560000) map.remove(i)\n"
                             "System.print(map.count)\n";

static void print(WrenVM *vm, const char *text) {
  (void)vm;
  fputs(text, stdout);
}

int main(void) {
  WrenConfiguration config;
  wrenInitConfiguration(&config);
  config.writeFn = print;
  WrenVM *vm = wrenNewVM(&config);
  int failed = wrenInterpret(vm, "main", script) != WREN_RESULT_SUCCESS;
  wrenFreeVM(vm);
  return failed;
}
