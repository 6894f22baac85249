// jq_modify.c - runs the jq program `.[] |= . + 1` on an array of numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#include "jq.h"
#include "jv.h"

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 24000;
  jq_state *jq = jq_init();
  if (!jq || !jq_compile(jq, ".[] |= . + 1"))
    return 1;
  jv numbers = jv_array();
  for (int i = 0; i < count; i++)
    numbers = jv_array_append(numbers, jv_number(i));

  jq_start(jq, numbers, 0);
  jv result = jq_next(jq);
  double sum = 0;
  for (int i = 0; i < count; i++) {
    jv number = jv_array_get(jv_copy(result), i);
    sum += jv_number_value(number) * (i % 7);
    jv_free(number);
  }
  printf("checksum %.0f\n", sum);
  jv_free(result);
  jq_teardown(&jq);
  return 0;
}
