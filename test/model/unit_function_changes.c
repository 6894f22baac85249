// unit_function_changes.c - functions that changed are told, and none that only scatters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/compare/function_changes.h"

#include <string.h>

#define RUNS 12
#define MS 1000000.0
#define FUNCTIONS 6

static const char *const names[FUNCTIONS] = {"scan",       "gone",       "made",
                                             "parse<...>", "parse<...>", "rest"};
static uint64_t times[FUNCTIONS][2 * RUNS];

/// Samples of 1 ms: each run has the mean but for the root of it.
static void fill(uint64_t *state, size_t function, double base_ms, double head_ms) {
  for (size_t i = 0; i < 2 * RUNS; i++) {
    double mean = i < RUNS ? base_ms : head_ms;
    double samples = mean + sqrt(mean) * unit_normal(state);
    times[function][i] = samples < 0.5 ? 0 : (uint64_t)(round(samples) * MS);
  }
}

static void compare(size_t runs, struct function_changes *out) {
  const uint64_t *rows[FUNCTIONS];
  for (size_t i = 0; i < FUNCTIONS; i++)
    rows[i] = times[i];
  function_changes_of(names, rows, FUNCTIONS, runs, runs, 1000 * MS, 2, out);
}

static void test_changes(void) {
  uint64_t state = 7;
  struct function_changes changes;
  const double base[FUNCTIONS] = {400, 90, 0, 30, 0, 480},
               head[FUNCTIONS] = {700, 0, 45, 0, 30, 480};
  for (size_t i = 0; i < FUNCTIONS; i++)
    fill(&state, i, base[i], head[i]);
  compare(RUNS, &changes);
  CHECK(changes.is_known);
  CHECK_EQUAL(changes.count, 3); // parse moved from one of its instances to another: the same name
  CHECK(strcmp(changes.items[0].name, "scan") == 0);
  CHECK(fabs(changes.items[0].worth.value - 0.3) < 0.03);
  CHECK(changes.items[0].worth.low < 0.3 && changes.items[0].worth.high > 0.3);
  CHECK(strcmp(changes.items[1].name, "gone") == 0);
  CHECK(changes.items[1].head_ns == 0 && changes.items[1].worth.value < 0);
  CHECK(changes.items[1].worth.low == changes.items[1].worth.value); // nothing is the least
  CHECK(strcmp(changes.items[2].name, "made") == 0);
  CHECK(changes.items[2].base_ns == 0 && changes.items[2].worth.value > 0);
  function_changes_release(&changes);
}

/// 500 comparisons of equal sides: half of 1 % may tell one.
static void test_equal(void) {
  uint64_t state = 11;
  size_t told = 0;
  for (int i = 0; i < 500; i++) {
    struct function_changes changes;
    for (size_t k = 0; k < FUNCTIONS; k++)
      fill(&state, k, 10 + 40 * (double)k, 10 + 40 * (double)k);
    compare(RUNS, &changes);
    told += changes.count;
    function_changes_release(&changes);
  }
  CHECK(told <= 7);
}

/// A change that is sure and small isn't told, and nothing is of two runs a side.
static void test_little(void) {
  struct function_changes changes;
  for (size_t i = 0; i < 2 * RUNS; i++)
    for (size_t k = 0; k < FUNCTIONS; k++)
      times[k][i] = (uint64_t)(100 * MS) + (k == 0 && i >= RUNS ? (uint64_t)(4 * MS) : 0);
  compare(RUNS, &changes);
  CHECK(changes.is_known);
  CHECK_EQUAL(changes.count, 0);
  function_changes_release(&changes);
  compare(2, &changes);
  CHECK(!changes.is_known);
  function_changes_release(&changes);
}

int main(void) {
  RUN(test_changes);
  RUN(test_equal);
  RUN(test_little);
  return unit_status();
}
