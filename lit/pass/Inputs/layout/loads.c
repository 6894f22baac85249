// loads.c - as one.c, with the other unit in a library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "header.h"
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  struct pair p = {.c = 1, .l = 2, .i = 3};
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  long (*function)(struct pair *) = library ? (long (*)(struct pair *))dlsym(library, "other") : NULL;
  if (!function)
    return 1;
  printf("%ld\n", function(&p));
  return 0;
}
