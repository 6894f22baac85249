// loop_spark.c - the distribution in a few columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_parts.h"

#include <math.h>

void loop_spark(const struct loop_sample *sample, struct loop_stats *out) {
  for (size_t i = 0; i < LOOP_SPARK_COLUMNS; i++)
    out->spark[i] = 0;
  out->spark_low_ns = out->spark_high_ns = 0;
  if (sample->own_count == 0)
    return;
  double low = fmax(0, sample->points[0].ns);
  double high = loop_sample_quantile(sample->points, sample->own_count, 0.99);
  // A column narrower than the timer's step would show the step.
  double width = fmax((high - low) / LOOP_SPARK_COLUMNS, sample->step_ns);
  for (size_t i = 0; i < sample->own_count; i++) {
    double column = fmin(fmax(0, sample->points[i].ns - low) / width, LOOP_SPARK_COLUMNS - 1);
    out->spark[(size_t)column] += sample->points[i].weight;
  }
  out->spark_low_ns = low;
  out->spark_high_ns = low + width * LOOP_SPARK_COLUMNS;
}
