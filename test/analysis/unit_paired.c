// unit_paired.c - verdicts on pairs of runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stats/paired.h"

enum { N = 12 };

static struct paired compare(double factor, double noise, size_t count) {
  // Noise that has the same mean on both sides, and a drift that both share.
  static const double moves[N] = {1, -1, 0.5, -0.5, 0.25, -0.25, 0.75, -0.75, 0.1, -0.1, 0.9, -0.9};
  double a[N], b[N], scratch[N];
  for (size_t i = 0; i < N; i++) {
    double drift = 1 + 0.1 * (double)i;
    a[i] = drift * exp(noise * moves[i]);
    b[i] = drift / factor;
  }
  return paired_compare(a, b, count, count, scratch);
}

static void test_verdicts(void) {
  struct paired p = compare(1.5, 0.02, N);
  CHECK(p.verdict == PAIRED_GAIN);
  CHECK(fabs(p.gain.value - 1.5) < 0.01 && p.gain.low > 1.45 && p.gain.high < 1.55);
  CHECK(compare(1 / 1.5, 0.02, N).verdict == PAIRED_WORSE);
  CHECK(compare(1, 0.02, N).verdict == PAIRED_NONE);
  CHECK(compare(1.01, 0.0001, N).verdict == PAIRED_NONE); // sure, but of no matter
  p = compare(1.05, 0.3, N);                              // runs differ by more
  CHECK(p.verdict == PAIRED_NONE && p.detectable > 1.1);
  p = compare(1.5, 0.02, PAIRED_LEAST - 1);
  CHECK(p.verdict == PAIRED_TOO_FEW && p.gain.status == QUANTITY_TOO_FEW);
}

/// A run that took no time has no ratio, rather than one without end.
static void test_no_time(void) {
  double a[N], b[N], scratch[N];
  for (size_t i = 0; i < N; i++)
    a[i] = b[i] = 1;
  b[3] = 0;
  struct paired p = paired_compare(a, b, N, 1, scratch);
  CHECK(p.verdict == PAIRED_NONE && p.gain.status == QUANTITY_UNSUPPORTED);
}

/// Three builds, whose luck with places is 5 % up, none and down; runs of a build hardly differ.
static void test_builds(void) {
  static const double luck[] = {1.05, 1, 0.97};
  double a[N], b[N], scratch[N];
  for (size_t i = 0; i < N; i++) {
    a[i] = 1.02 * luck[paired_build(i, N, 3)] * (i % 2 ? 1.001 : 0.999);
    b[i] = 1;
  }
  struct paired p = paired_compare(a, b, N, 3, scratch);
  CHECK(p.verdict == PAIRED_NONE && p.gain.low < 0.95 && p.gain.high > 1.1);
  CHECK(fabs(log(p.gain.value) - log(1.02) - log(1.05 * 0.97) / 3) < 1e-5);
  p = paired_compare(a, b, 4 + 6, 1, scratch); // of a single build: runs alone
  CHECK(p.gain.low > 0.98 && p.gain.high < 1.1);
  CHECK(paired_build(0, 10, 3) == 0 && paired_build(9, 10, 3) == 2 && paired_build(3, 10, 10) == 3);
}

int main(void) {
  RUN(test_verdicts);
  RUN(test_builds);
  RUN(test_no_time);
  return unit_status();
}
