// function_instructions.c - executions of a function's machine blocks, times their instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/function_instructions.h"

#include "tools/model/block/function_code.h"

#include <math.h>
#include <string.h>

/// Of a function's time, in blocks that weren't counted, at most.
#define UNCOUNTED_MOST 0.1

double function_code_instructions(const struct function_code *code) {
  double instructions = 0, ns = 0, uncounted_ns = 0;
  if (!code->blocks || !code->counted.counts)
    return NAN;
  for (size_t b = 0; b < code->list.count; b++) {
    const struct code_block *block = &code->blocks[b];
    ns += (double)block->time_ns;
    if (block_count_is_known(&code->counted.counts[b]))
      instructions +=
          (double)code->counted.counts[b].count * (double)(block->count - block->own_count);
    else
      uncounted_ns += (double)block->time_ns;
  }
  return uncounted_ns <= UNCOUNTED_MOST * ns ? instructions : NAN;
}

double function_instructions(const struct measurement *m, const char *symbol, double *share) {
  size_t runs = m->input.profile.merged_count; // a study's counts are of so many, too
  double sum = NAN, ns = 0;
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *function = &m->samples.functions[i];
    if (function->own || strcmp(function->symbol, symbol) != 0)
      continue;
    ns += (double)function->time_ns;
    sum = (isnan(sum) ? 0 : sum) + function_code_instructions(function_code_get(m, function));
    if (isnan(sum))
      break;
  }
  *share = ns / (double)m->samples.all_ns;
  return sum / (double)(runs ? runs : 1);
}
