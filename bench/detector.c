// detector.c - loops of known steadiness for bench/detector.py
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: detector plan                    prints NAME BASE_NS EXTRA_NS SHARE TURNS EXTRA a line
//        detector constant SECONDS SEED <PLAN
//        detector injected SECONDS SEED <PLAN
//        detector truth SECONDS SEED <PLAN     runs as injected, prints the plan as it really was
//
// A loop is a chain of dependent additions: as many core cycles as additions, whatever memory does.
// An injected loop loads a word in some turns; in some runs, chosen at random, from an address
// where that crosses the end of a cache line, which takes 7 cycles more on an Intel core (Golden
// Cove) and 2 on an AMD one (Zen 5). The address is data:
// all runs have the same instructions and branches, so no prediction decides how much slower a slow
// one is, and the compiler (and with it the work class) sees one path. `truth` measures
// what the loads take in the same loops and turns, with probes off and a plain fenced clock around
// each; `plan` finds by it how many make so many ns. Runs of their own, so that the others start at
// once. What calls the loops has no probes: inside of a sample of less than 50 us others wait
// (option nested_after_us).
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TURN "add %[x], %[x]\n\tadd %[x], %[x]\n\tadd %[x], %[x]\n\tadd %[x], %[x]\n\t"
#define SHORT_TURN "add %[x], %[x]\n\tadd %[x], %[x]\n\tadd %[x], %[x]\n\t"
enum { CONSTANT_ADDS = 8, SHORT_ADDS = 3 }; // of a turn: of the constant loops, of the others
#define PLAIN __attribute__((noinline, no_instrument_function))
/// Of less than 256 bytes: it lies in one page. Where a sampled loop of 400 ns crossed into the
/// next one, a tenth of its samples were late by 26 ns, in 6 trials of 16 enough to be called
/// unsteady.
#define LOOP __attribute__((noinline, aligned(256)))

static uint64_t state = 1;

static double uniform(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// --- loops ---------------------------------------------------------------------------------------

/// x through CONSTANT_ADDS additions; turns: of them.
#define CONSTANT_BODY                                                                              \
  for (long i = 0; i < turns; i++)                                                                 \
    __asm__ volatile(TURN TURN : [x] "+r"(x));                                                     \
  return x;

static char line_pair[128] __attribute__((aligned(128)));
enum { CROSSING = 60, LOAD_CYCLES = 7 };

/// In the first `loads` turns x waits for a word at `at`, which is 0, and each load for the one
/// before: such a turn takes what the load does, the others what the additions do.
#define INJECTED_BODY                                                                              \
  uint64_t zero = 0;                                                                               \
  for (long i = 0; i < turns; i++)                                                                 \
    __asm__ volatile(SHORT_TURN "cmp %[loads], %[i]\n\t"                                           \
                                "jge 1f\n\t"                                                       \
                                "mov (%[at], %[zero]), %[zero]\n\t"                                \
                                "add %[zero], %[x]\n"                                              \
                                "1:"                                                               \
                     : [x] "+r"(x), [zero] "+r"(zero)                                              \
                     : [i] "r"(i), [loads] "r"(loads), [at] "r"(at)                                \
                     : "cc", "memory");                                                            \
  return x;

#define CONSTANT(n)                                                                                \
  LOOP static uint64_t constant_##n(uint64_t x, long turns) { CONSTANT_BODY }
#define INJECTED(name)                                                                             \
  LOOP static uint64_t name(uint64_t x, long turns, long loads, const char *at) { INJECTED_BODY }

#define TEN(X, d) X(d##0) X(d##1) X(d##2) X(d##3) X(d##4) X(d##5) X(d##6) X(d##7) X(d##8) X(d##9)
#define FIFTY(X) TEN(X, 0) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)
FIFTY(CONSTANT)
enum { CONSTANTS = 50 };
#define NAME(n) constant_##n,
static uint64_t (*const constants[CONSTANTS])(uint64_t, long) = {FIFTY(NAME)};

PLAIN static uint64_t plain_constant(uint64_t x, long turns){CONSTANT_BODY}

/// name, base ns, extra ns, share of slow runs
#define INJECTIONS(X)                                                                              \
  X(base_200_extra_9, 200, 9.4, 0.10)                                                              \
  X(base_200_extra_12, 200, 11.7, 0.10)                                                            \
  X(base_200_extra_25, 200, 25, 0.10)                                                              \
  X(base_200_extra_50, 200, 50, 0.10)                                                              \
  X(base_400_extra_25, 400, 25, 0.10)                                                              \
  X(base_400_extra_50, 400, 50, 0.10)                                                              \
  X(base_2000_extra_100, 2000, 100, 0.05)                                                          \
  X(base_20000_extra_1000, 20000, 1000, 0.05)                                                      \
  X(base_2000_extra_1000, 2000, 1000, 0.01)                                                        \
  X(base_200_extra_0, 200, 0, 0)                                                                   \
  X(base_400_extra_0, 400, 0, 0)                                                                   \
  X(base_2000_extra_0, 2000, 0, 0)                                                                 \
  X(base_20000_extra_0, 20000, 0, 0)
#define DEFINE(name, base, extra, share) INJECTED(name)
INJECTIONS(DEFINE)

    struct injection {
  const char *name;
  uint64_t (*run)(uint64_t, long, long, const char *);
  double base_ns, extra_ns, share;
  long turns, extra; ///< found by calibration; extra: loads
};
#define ROW(name, base, extra, share) {#name, name, base, extra, share, 0, 0},
static struct injection injections[] = {INJECTIONS(ROW)};
enum { INJECTIONS_COUNT = sizeof injections / sizeof *injections };

// --- what they really take -----------------------------------------------------------------------

static uint64_t ticks(void) {
#if defined(__x86_64__)
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
  return (uint64_t)high << 32 | low;
#else
  return (uint64_t)(now_s() * 1e9);
#endif
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/// Mean between the quantiles 0.1 and 0.4: delays of the system are beyond.
static double usual(double *v, int n) {
  double sum = 0;
  int first = n / 10, end = n * 4 / 10;
  qsort(v, (size_t)n, sizeof *v, compare);
  for (int i = first; i < end; i++)
    sum += v[i];
  return sum / (end - first);
}

/// Mean of the middle half: no tick decides.
static double middle(double *v, int n) {
  double sum = 0;
  int first = n / 4, end = n - n / 4;
  qsort(v, (size_t)n, sizeof *v, compare);
  for (int i = first; i < end; i++)
    sum += v[i];
  return n ? sum / (end - first) : 0;
}

static double tick_ns;

static void measure_tick(void) {
  double start = now_s(), end;
  uint64_t first = ticks();
  do
    end = now_s();
  while (end - start < 0.02);
  tick_ns = (end - start) * 1e9 / (double)(ticks() - first);
}

/// ns of a turn.
static double measure_turn(void) {
  enum { N = 400 };
  static double difference[N];
  uint64_t x = 1;
  for (int i = 0; i < N; i++) {
    uint64_t a = ticks();
    x = plain_constant(x, 4000);
    uint64_t b = ticks();
    x = plain_constant(x, 2000);
    uint64_t c = ticks();
    difference[i] = (double)(int64_t)((b - a) - (c - b)) * tick_ns / 2000;
  }
  return usual(difference, N) + (x == 42) * 0;
}

/// As a cold call does in front of a sample: the branch predictor is cold.
/// Without it all runs, slow and fast, are 5 ns shorter: their end is predicted.
PLAIN static void forget_branches(void) {
  for (uint64_t h = state | 1, k = 0; k < 300; k++) {
    h = h * UINT64_C(6364136223846793005) + 1;
    if (h >> 63)
      __asm__ volatile("nop");
    else
      __asm__ volatile("nop\n\tnop");
  }
}

PLAIN static uint64_t run_one(const struct injection *in, uint64_t x, int is_slow) {
  const char *at = line_pair + (is_slow ? CROSSING : 0);
  __asm__ volatile("" : "+r"(at)); // one call, whatever the address
  return in->run(x, in->turns, in->extra, at);
}

/// Fills in turns and extra. Returns ns of a turn, 0 if the plan can't be read.
static double read_plan(void) {
  char name[64];
  double base, extra_ns, share, turn_ns = 0;
  long turns, extra;
  while (scanf("%63s %lf %lf %lf %ld %ld", name, &base, &extra_ns, &share, &turns, &extra) == 6) {
    if (strcmp(name, "turn") == 0)
      turn_ns = base;
    for (int i = 0; i < INJECTIONS_COUNT; i++)
      if (strcmp(name, injections[i].name) == 0) {
        injections[i].turns = turns;
        injections[i].extra = extra;
      }
  }
  return turn_ns;
}

// --- runs ----------------------------------------------------------------------------------------

PLAIN static uint64_t run_constant(double seconds, double turn_ns) {
  uint64_t x = 1;
  long turns[CONSTANTS];
  double factor = 1.1142, ns = 100; // 100 ns to 20 us
  for (int i = 0; i < CONSTANTS; i++, ns *= factor)
    turns[i] = (long)(ns / turn_ns);
  for (double end = now_s() + seconds; now_s() < end;)
    for (int i = 0; i < CONSTANTS; i++)
      x += constants[i](x, turns[i]);
  return x;
}

PLAIN static uint64_t run_injected(double seconds) {
  uint64_t x = 1;
  for (double end = now_s() + seconds; now_s() < end;)
    for (int round = 0; round < 4; round++)
      for (int i = 0; i < INJECTIONS_COUNT; i++) {
        struct injection *in = &injections[i];
        x += run_one(in, x, uniform() < in->share);
      }
  return x;
}

/// Sets what each loop's loads add to a slow run, ns: extra_ns[INJECTIONS_COUNT].
PLAIN static uint64_t measure_extra(double seconds, double *extra_ns) {
  enum { N = 1 << 16 };
  static double took[INJECTIONS_COUNT][2][N];
  int count[INJECTIONS_COUNT][2] = {0};
  uint64_t x = 1;
  for (double end = now_s() + seconds; now_s() < end;)
    for (int round = 0; round < 4; round++)
      for (int i = 0; i < INJECTIONS_COUNT; i++) {
        struct injection *in = &injections[i];
        int is_slow = uniform() < in->share;
        forget_branches();
        uint64_t begin = ticks();
        x += run_one(in, x, is_slow);
        double ns = (double)(ticks() - begin) * tick_ns;
        if (count[i][is_slow] < N)
          took[i][is_slow][count[i][is_slow]++] = ns;
      }
  for (int i = 0; i < INJECTIONS_COUNT; i++) {
    double slow_ns = middle(took[i][1], count[i][1]), fast_ns = middle(took[i][0], count[i][0]);
    extra_ns[i] = injections[i].share > 0 ? slow_ns - fast_ns : 0;
  }
  return x;
}

static void print_plan(double turn_ns, const double *extra_ns) {
  printf("turn %g 0 0 0 0\n", turn_ns);
  for (int i = 0; i < INJECTIONS_COUNT; i++)
    printf("%s %g %.2f %g %ld %ld\n", injections[i].name, injections[i].base_ns, extra_ns[i],
           injections[i].share, injections[i].turns, injections[i].extra);
}

/// As many loads as take what they should: at first by the cycles, then by what one took in the
/// middle loop, until that stays: a processor that was idle begins slowly.
static uint64_t make_plan(double turn_ns, double *extra_ns) {
  double load_ns = LOAD_CYCLES * turn_ns / CONSTANT_ADDS, each[INJECTIONS_COUNT];
  double took_ns = 0;
  uint64_t x = 0;
  for (int round = 0; round < 10 && fabs(took_ns - load_ns) > 0.02 * load_ns; round++) {
    int n = 0;
    load_ns = round ? took_ns : load_ns;
    for (int i = 0; i < INJECTIONS_COUNT; i++) {
      struct injection *in = &injections[i];
      in->turns = (long)(in->base_ns / turn_ns * CONSTANT_ADDS / SHORT_ADDS);
      if (in->share > 0)
        in->extra = (long)(in->extra_ns / load_ns + 0.5);
      if (in->turns < in->extra) // where such a load takes little longer, all turns have one
        in->turns = in->extra;
    }
    x += measure_extra(0.3, extra_ns);
    for (int i = 0; i < INJECTIONS_COUNT; i++)
      if (injections[i].share > 0)
        each[n++] = extra_ns[i] / (double)injections[i].extra;
    took_ns = middle(each, n);
  }
  return x;
}

PLAIN int main(int argc, char **argv) {
  static double extra_ns[INJECTIONS_COUNT];
  measure_tick();
  int is_plan = argc == 2 && strcmp(argv[1], "plan") == 0;
  int is_constant = argc == 4 && strcmp(argv[1], "constant") == 0;
  int is_truth = argc == 4 && strcmp(argv[1], "truth") == 0;
  double seconds = argc == 4 ? atof(argv[2]) : 0;
  double turn_ns = is_plan ? measure_turn() : seconds > 0 ? read_plan() : 0;
  if (!(turn_ns > 0)) {
    fputs("usage: detector plan | detector constant|injected|truth SECONDS SEED <PLAN\n", stderr);
    return 2;
  }
  uint64_t seed = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
  state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = is_plan       ? make_plan(turn_ns, extra_ns)
               : is_truth    ? measure_extra(seconds, extra_ns)
               : is_constant ? run_constant(seconds, turn_ns)
                             : run_injected(seconds);
  if (is_plan || is_truth)
    print_plan(turn_ns, extra_ns);
  return x == 42;
}
