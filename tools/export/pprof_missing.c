// pprof_missing.c - pprof.h where protobuf-c or zlib was not there to build with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/pprof.h"

bool pprof_is_built(void) { return false; }

int pprof_encode(const struct stacks *stacks, unsigned char **bytes, size_t *count) {
  (void)stacks;
  (void)bytes;
  (void)count;
  return -1;
}
