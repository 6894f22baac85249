// field_time.c - reads two fields as often: one of elements all over a large array, one of a small one's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

struct pair {
  long key;
  int kind;
  double rest[13];
};
struct near {
  long value, other;
};

__attribute__((noinline)) static long look_up(const struct pair *all, size_t mask,
                                              const struct near *few, long n) {
  unsigned long at = 1;
  long sum = 0;
  for (long i = 0; i < n; i++) {
    at = at * 6364136223846793005u + 1442695040888963407u;
    sum += all[at >> 33 & mask].key;
    sum += few[i & 15].value;
  }
  return sum;
}

int main(int argc, char **argv) {
  size_t count = 1 << 20;
  struct pair *all = calloc(count, sizeof *all);
  struct near *few = calloc(16, sizeof *few);
  for (size_t i = 0; i < count; i++)
    all[i].key = (long)i, all[i].rest[12] = 1;
  for (size_t i = 0; i < 16; i++)
    few[i].value = (long)i;
  printf("%ld\n", look_up(all, count - 1, few, argc > 1 ? atol(argv[1]) : 30000000));
  return 0;
}
