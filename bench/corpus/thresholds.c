// thresholds.c - the environment sets a threshold of the verdict, in the build of ablate.py alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RETICLE_TUNE="NAME=VALUE": the one that differs.
#include "tools/analysis/loop/loop_thresholds.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double loop_threshold(const char *name, double value) {
  const char *text = getenv("RETICLE_TUNE");
  size_t length = strlen(name);
  bool is_it = text && strncmp(text, name, length) == 0 && text[length] == '=';
  return is_it ? strtod(text + length + 1, NULL) : value;
}
