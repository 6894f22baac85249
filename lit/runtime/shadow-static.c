// A static program's malloc is libc's own: its allocations have no sites, and the report says so.
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,shadow %s -o %t && %env_reticle %t && %reticle report --heap %t.prof | tr -s '\n ' ' ' | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC-NOT: allocations have no sites
// DYNAMIC: main shadow-static.c:{{[0-9]+}}
// DYNAMIC-NOT: allocations have no sites
// RUN: rm -f %t.prof && %reticle_cc -O2 -g -static -fplugin-arg-reticle-features=loop,shadow %s -o %t && %env_reticle %t && %reticle report --heap %t.prof | tr -s '\n ' ' ' | %FileCheck %s --check-prefix=STATIC
// STATIC: global table shadow-static.c
// STATIC: no allocation came by (a static program, or one with a malloc of its own): allocations have no sites
#include <stdio.h>
#include <stdlib.h>

char table[4096];

int main(void) {
  char *block = malloc(1 << 20);
  unsigned long sum = 0;
  for (int i = 0; i < 200; i++)
    for (int k = 0; k < 1 << 20; k += 16)
      sum += (unsigned char)(table[k % 4096] = block[k] += (char)i);
  printf("%lu\n", sum);
  free(block);
  return 0;
}
