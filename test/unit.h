// unit.h - what unit tests need: checks that say what was found, and one line for each test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static void test_adds(void) { CHECK_EQUAL(add(1, 2), 3); }
//   int main(void) { RUN(test_adds); return unit_status(); }
#ifndef RETICLE_TEST_UNIT_H
#define RETICLE_TEST_UNIT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *unit_test;
static int unit_failures; // of the running test
static int unit_failed;   // tests

/// Reports a failed check.
#define UNIT_FAIL(...)                                                                             \
  do {                                                                                             \
    if (unit_failures++ < 5) {                                                                     \
      printf("FAIL %s: %s:%d: ", unit_test, __FILE__, __LINE__);                                   \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
    }                                                                                              \
  } while (0)

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      UNIT_FAIL("not so: %s", #condition);                                                         \
  } while (0)

#define CHECK_EQUAL(found, expected)                                                               \
  do {                                                                                             \
    long long unit_a = (long long)(found), unit_b = (long long)(expected);                         \
    if (unit_a != unit_b)                                                                          \
      UNIT_FAIL("%s is %lld, not %lld", #found, unit_a, unit_b);                                   \
  } while (0)

/// |found - expected| <= tolerance; NaN fails.
#define CHECK_NEAR(found, expected, tolerance)                                                     \
  do {                                                                                             \
    double unit_a = (found), unit_b = (expected);                                                  \
    if (!(fabs(unit_a - unit_b) <= (tolerance)))                                                   \
      UNIT_FAIL("%s is %.9g, not %.9g", #found, unit_a, unit_b);                                   \
  } while (0)

#define CHECK_TEXT(found, expected)                                                                \
  do {                                                                                             \
    const char *unit_a = (found), *unit_b = (expected);                                            \
    if (strcmp(unit_a, unit_b) != 0)                                                               \
      UNIT_FAIL("%s is '%s', not '%s'", #found, unit_a, unit_b);                                   \
  } while (0)

#define CHECK_CONTAINS(found, part)                                                                \
  do {                                                                                             \
    const char *unit_a = (found), *unit_b = (part);                                                \
    if (!strstr(unit_a, unit_b))                                                                   \
      UNIT_FAIL("%s is '%s', without '%s'", #found, unit_a, unit_b);                               \
  } while (0)

#define RUN(test)                                                                                  \
  do {                                                                                             \
    unit_test = #test;                                                                             \
    unit_failures = 0;                                                                             \
    test();                                                                                        \
    if (unit_failures)                                                                             \
      unit_failed++;                                                                               \
    else                                                                                           \
      printf("PASS %s\n", unit_test);                                                              \
  } while (0)

/// What main returns.
static inline int unit_status(void) { return unit_failed ? 1 : 0; }

/// Memory that a test cannot do without.
static inline void *unit_need(void *memory) {
  if (!memory) {
    printf("FAIL %s: no memory\n", unit_test);
    exit(1);
  }
  return memory;
}

/// Deterministic random numbers (xorshift64*), so that a failure comes again. state: not 0.
static inline uint64_t unit_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/// Uniform in [0, 1).
static inline double unit_uniform(uint64_t *state) {
  return (double)(unit_random(state) >> 11) * 0x1p-53;
}

/// Normal with mean 0 and deviation 1 (Box and Muller).
static inline double unit_normal(uint64_t *state) {
  double u = 1 - unit_uniform(state), v = unit_uniform(state);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

#endif
