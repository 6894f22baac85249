// tried_order.c - prints two lines in another order in every seventh run, as processes may that end at about the same time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int main(void) {
  unsigned sum = 0, runs = 0;
  FILE *count = fopen("order.count", "r");
  if (count) {
    if (fscanf(count, "%u", &runs) != 1)
      runs = 0;
    fclose(count);
  }
  count = fopen("order.count", "w");
  if (!count)
    return 1;
  fprintf(count, "%u", runs + 1);
  fclose(count);
  for (unsigned i = 0; i < 100000000; i++)
    sum = sum * 1664525 + (sum >> 7) + 1;
  puts(runs % 7 == 6 ? "second\nfirst" : "first\nsecond");
  printf("%u\n", sum);
}
