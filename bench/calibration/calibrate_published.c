// calibrate_published.c - this machine's t_min and t_diff by published algorithms and robust ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: calibrate_published [SECONDS [TIMINGS [FLUSH_BYTES]]]
//
// For each timer that is here, in SECONDS (60) for all together: t_e, t_min and t_diff by
// algorithms 1 and 2 of [timing2024] as printed, and the same searches by robust rules; rows of
// TIMINGS (1000), behind sweeps of FLUSH_BYTES (0). As markdown. The published ones need not end on
// a machine that others use: what didn't says why. docs/method/calibration.md has what they differ
// in.
#include "bench/calibration/calibration.h"
#include "runtime/harness/survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PARTS = 4 }; // two algorithms, t_min and t_diff

typedef int search_t_min(const struct calibration_source *, size_t,
                         const struct calibration_options *, struct calibration_result *);
typedef int search_t_diff(const struct calibration_source *, size_t, uint64_t,
                          const struct calibration_options *, struct calibration_result *);
struct method {
  const char *name;
  search_t_min *t_min;
  search_t_diff *t_diff;
};

static const struct method methods[] = {
    {"published", calibration_t_min_paper, calibration_t_diff_paper},
    {"robust", calibration_t_min_robust, calibration_t_diff_robust},
};

/// What measure() needs.
struct timing_of {
  const struct harness_timer *timer;
  const struct harness_clock *clock;
  const struct harness_flush *flush;
  double end_s;
};

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// The callback of bench/calibration/calibration.h; looks at the time about every 20 ms.
static int measure(void *context, uint64_t adds, size_t n, double *timings) {
  const struct timing_of *t = context;
  double one_ns = t->flush->sweep_ns + 1000 + (double)adds * t->clock->ns_per_add;
  size_t slice = (size_t)fmax(1, 2e7 / one_ns);
  for (size_t done = 0; done < n; done += slice) {
    if (now_s() > t->end_s)
      return 1;
    harness_times(t->timer, t->clock, t->flush, 0, adds, n - done < slice ? n - done : slice,
                  timings + done);
  }
  return 0;
}

static void check(int failed) {
  if (failed) {
    fprintf(stderr, "calibrate_published: error %d: no memory, or TIMINGS below 20\n", failed);
    exit(1);
  }
}

static void print_answer(const struct calibration_result *result,
                         const struct calibration_clock *clock) {
  if (result->status == CALIBRATION_OK)
    printf(" %.1f |", (double)result->adds * clock->per_add);
  else
    printf(" %s |", calibration_status_name(result->status));
}

static void run(const struct method *method, struct timing_of *t, double step_ns, double seconds,
                size_t timings) {
  static double nothing[1000];
  struct calibration_result t_min, t_diff;
  struct calibration_options options = calibration_t_min_defaults();
  harness_times(t->timer, t->clock, t->flush, 0, 0, t->flush->bytes ? 20 : 1000, nothing);
  double cost = calibration_cost_paper(nothing, t->flush->bytes ? 20 : 1000);
  struct calibration_source source = {
      .measure = measure,
      .context = t,
      .clocks = 1,
      .clock = {{.cost = cost, .tick = step_ns, .per_add = t->clock->ns_per_add}}};
  options.timings = timings;
  t->end_s = now_s() + seconds / 2;
  check(method->t_min(&source, 0, &options, &t_min));
  options = calibration_t_diff_defaults();
  options.timings = timings;
  t->end_s = now_s() + seconds / 2;
  printf("| %s | %s | %.1f |", t->timer->key, method->name, cost);
  print_answer(&t_min, &source.clock[0]);
  if (t_min.status == CALIBRATION_OK) {
    check(method->t_diff(&source, 0, t_min.adds, &options, &t_diff));
    print_answer(&t_diff, &source.clock[0]);
  } else {
    printf(" no t_min |");
  }
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 60;
  size_t timings = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000, present = 0;
  struct harness_clock clock;
  struct harness_flush flush;
  if (argc > 4 || !(seconds > 0) || timings < 20) {
    fprintf(stderr, "usage: calibrate_published [SECONDS [TIMINGS [FLUSH_BYTES]]]\n");
    return 2;
  }
  if (harness_clock_measure(&clock) != 0 ||
      harness_flush_open(argc > 3 ? strtoul(argv[3], NULL, 10) : 0, &flush) != 0) {
    fprintf(stderr, "calibrate_published: the counter doesn't advance evenly, or no memory\n");
    return 1;
  }
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    present += !harness_timers()[i].absent;
  printf("| timer | algorithms | t_e, ns | t_min, ns | t_diff, ns |\n|---|---|---:|---:|---:|\n");
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    struct timing_of t = {.timer = &harness_timers()[i], .clock = &clock, .flush = &flush};
    double step_ns = t.timer->absent ? 0 : harness_timer_step_ns(t.timer, &clock, 0);
    for (size_t m = 0; m < sizeof methods / sizeof *methods && !t.timer->absent; m++)
      run(&methods[m], &t, step_ns, 2 * seconds / PARTS / (double)present, timings);
  }
  harness_flush_close(&flush);
  return 0;
}
