// function_changes.c - adds samples up by function and run, and tests the difference of the means.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/function_changes.h"

#include "tools/analysis/compare/diff_test.h"
#include "tools/analysis/stats/student.h"
#include "tools/model/compare/diff_samples.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/string_table.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>

/// Of the base's time: less isn't told.
#define WORTH_LEAST 0.01
/// Samples a side, of all functions: of fewer nothing is told.
#define SAMPLES_LEAST 100

/// Sums of the runs of a side.
struct side {
  double mean, squares; ///< squares: of the distances from the mean
};

static struct side side_of(const double *time_ns, size_t runs) {
  struct side side = {0, 0};
  for (size_t i = 0; i < runs; i++)
    side.mean += time_ns[i] / (double)runs;
  for (size_t i = 0; i < runs; i++)
    side.squares += (time_ns[i] - side.mean) * (time_ns[i] - side.mean);
  return side;
}

static int compare_changes(const void *left, const void *right) {
  const struct function_change *a = left, *b = right;
  double worth_a = fabs(a->worth.value), worth_b = fabs(b->worth.value);
  return (worth_a < worth_b) - (worth_a > worth_b);
}

/// times  [count][runs_a + runs_b] of functions by name
static void test(struct string_table *names, const double *times, size_t count, size_t runs_a,
                 size_t runs_b, double base_ns, size_t error_parts, struct function_changes *out) {
  size_t runs = runs_a + runs_b;
  double freedom = (double)runs - 2;
  out->items = memory_zeroed(count + 1, sizeof *out->items);
  double each = DIFF_FAMILY_ERROR / (double)(error_parts * count);
  for (size_t i = 0; i < count && base_ns > 0; i++) {
    struct side a = side_of(times + i * runs, runs_a),
                b = side_of(times + i * runs + runs_a, runs_b);
    double error =
        sqrt((a.squares + b.squares) / freedom * (1 / (double)runs_a + 1 / (double)runs_b));
    double worth = (b.mean - a.mean) / base_ns,
           half_width = student_critical(0.05, freedom) * error / base_ns;
    bool is_told = fabs(b.mean - a.mean) > student_critical(each, freedom) * error;
    if (is_told && fabs(worth) >= WORTH_LEAST)
      out->items[out->count++] = (struct function_change){
          .name = text_copy(names->texts[i]),
          .base_ns = a.mean,
          .head_ns = b.mean,
          .worth =
              quantity_of(worth, fmax(worth - half_width, -a.mean / base_ns), worth + half_width)};
  }
  qsort(out->items, out->count, sizeof *out->items, compare_changes);
}

void function_changes_of(const char *const *names, const uint64_t *const *time_ns, size_t count,
                         size_t runs_a, size_t runs_b, double base_ns, size_t error_parts,
                         struct function_changes *out) {
  *out = (struct function_changes){.is_known = count && runs_a >= DIFF_RUNS && runs_b >= DIFF_RUNS};
  if (!out->is_known)
    return;
  struct string_table table = {0};
  size_t runs = runs_a + runs_b, named = 0;
  double *times = memory_zeroed(count * runs, sizeof *times);
  for (size_t i = 0; i < count; i++) {
    size_t number = string_table_add(&table, names[i]);
    if (number == SIZE_MAX)
      memory_exhausted();
    named = number >= named ? number + 1 : named;
    for (size_t k = 0; k < runs; k++)
      times[number * runs + k] += (double)time_ns[i][k];
  }
  test(&table, times, named, runs_a, runs_b, base_ns, error_parts, out);
  string_table_release(&table);
  free(times);
}

/// Of the side that has fewer.
static uint64_t samples_of(const struct sample_comparison *samples) {
  return samples->diff.samples_a < samples->diff.samples_b ? samples->diff.samples_a
                                                           : samples->diff.samples_b;
}

/// CPU time of a run of the side, mean.
static double cpu_ns_of(const struct compared_side *side) {
  double sum = 0;
  for (size_t i = 0; i < side->merged.merged_count; i++)
    sum += (double)side->profiles[i]->env.cpu_ns;
  return sum / (double)side->merged.merged_count;
}

void function_changes_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                           size_t error_parts, struct function_changes *out) {
  struct sample_comparison samples;
  *out = (struct function_changes){0};
  if (sample_comparison_load(a, count_a, b, count_b, false, &samples, NULL) == PROBLEM_NONE &&
      samples_of(&samples) >= SAMPLES_LEAST) {
    size_t count = samples.place_count;
    char **names = memory_zeroed(count + 1, sizeof *names);
    const uint64_t **times = memory_zeroed(count + 1, sizeof *times);
    for (size_t i = 0; i < count; i++) {
      names[i] = text_copy(samples.places[i].name);
      name_cut(names[i]);
      times[i] = samples.places[i].time_ns;
    }
    function_changes_of((const char *const *)names, times, count,
                        samples.base.a.merged.merged_count, samples.base.b.merged.merged_count,
                        cpu_ns_of(&samples.base.a), error_parts, out);
    for (size_t i = 0; i < count; i++)
      free(names[i]);
    free(names);
    free(times);
  }
  sample_comparison_release(&samples);
}

void function_changes_release(struct function_changes *changes) {
  for (size_t i = 0; i < changes->count; i++)
    free(changes->items[i].name);
  free(changes->items);
  *changes = (struct function_changes){0};
}
