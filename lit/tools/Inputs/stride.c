// stride.c - an array whose size the source doesn't write as a multiple of the element's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

struct slot {
  long key, value, left, right, from, to;
  char note[80];
};

int main(int argc, char **argv) {
  size_t count = 100000, bytes = argc > 1 ? strtoul(argv[1], 0, 10) : 128;
  struct slot *slots = malloc(bytes * count);
  if (!slots || bytes < sizeof *slots)
    return 1;
  for (size_t i = 0; i < count; i++)
    slots[i] = (struct slot){.key = (long)i, .value = 1};
  long sum = 0;
  for (int turn = 0; turn < 20; turn++)
    for (size_t i = 0; i < count; i++)
      sum += slots[i].key;
  printf("%ld %s\n", sum, argv[0] ? "" : slots[count / 2].note);
  free(slots);
  return 0;
}
