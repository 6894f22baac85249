// jsonc_count.c - builds lists of shared values and drops them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

#include "json.h"

enum { VALUES = 64, LENGTH = 1000, ROUNDS = 130000 };

int main(void) {
  struct json_object *values[VALUES];
  for (int i = 0; i < VALUES; ++i)
    values[i] = json_object_new_int(i);
  long sum = 0;
  struct json_object *list = json_object_new_array();
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < LENGTH; ++i)
      json_object_array_put_idx(list, i, json_object_get(values[(i * 7 + round) % VALUES]));
    sum += json_object_get_int(json_object_array_get_idx(list, round % LENGTH));
  }
  json_object_put(list);
  for (int i = 0; i < VALUES; ++i)
    json_object_put(values[i]);
  printf("%ld\n", sum);
  return 0;
}
