// cjson_add.c - builds a JSON array item by item, as a program does that exports a table
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#include "cJSON.h"

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 22000;
  cJSON *rows = cJSON_CreateArray();
  for (int i = 0; i < count; i++) {
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "id", i);
    cJSON_AddStringToObject(row, "name", i % 2 ? "odd" : "even");
    cJSON_AddItemToArray(rows, row);
  }

  // The sum depends on every item and on the order of all.
  unsigned sum = 0;
  const cJSON *row;
  cJSON_ArrayForEach(row, rows) sum = sum * 31 + (unsigned)row->child->valuedouble;
  printf("%d items, checksum %u\n", cJSON_GetArraySize(rows), sum);
  cJSON_Delete(rows);
  return 0;
}
