// detector.c - loops of known steadiness for bench/detector.py
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: detector plan                    prints NAME BASE_NS EXTRA_NS SHARE TURNS EXTRA a line
//        detector constant SECONDS SEED <PLAN
//        detector injected SECONDS SEED <PLAN
//        detector truth SECONDS SEED <PLAN     runs as injected, prints the plan as it really was
//
// A loop is a chain of dependent additions: as many core cycles as additions, whatever memory does.
// An injected loop takes extra additions in one turn of some runs, chosen at random; the branch is
// inside of an asm statement, so the compiler (and with it the work class) sees one path. `plan`
// finds how many additions make so many ns, on a copy. What they take in the run, mispredictions
// included, is another matter: `truth` runs the same loops in the same turns, with probes off, and
// a plain fenced clock around each. A run of its own, so that the others start at once. What calls
// the loops has no probes: inside of a sample of less than 50 us others wait (option
// nested_after_us).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TURN "add %[x], %[x]\n\tadd %[x], %[x]\n\tadd %[x], %[x]\n\tadd %[x], %[x]\n\t"
#define TURN_ADDS 8
#define PLAIN __attribute__((noinline, no_instrument_function))

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

/// x through TURN_ADDS additions; turns: of them.
#define CONSTANT_BODY                                                                              \
  for (long i = 0; i < turns; i++)                                                                 \
    __asm__ volatile(TURN TURN : [x] "+r"(x));                                                     \
  return x;

/// In turn `slow`, `extra` additions more.
#define INJECTED_BODY                                                                              \
  for (long i = 0; i < turns; i++) {                                                               \
    long left = extra;                                                                             \
    __asm__ volatile(TURN TURN "cmp %[i], %[slow]\n\t"                                             \
                               "jne 2f\n"                                                          \
                               "1:\n\t"                                                            \
                               "add %[x], %[x]\n\t"                                                \
                               "dec %[left]\n\t"                                                   \
                               "jnz 1b\n"                                                          \
                               "2:"                                                                \
                     : [x] "+r"(x), [left] "+r"(left)                                              \
                     : [i] "r"(i), [slow] "r"(slow)                                                \
                     : "cc");                                                                      \
  }                                                                                                \
  return x;

#define CONSTANT(n)                                                                                \
  __attribute__((noinline)) static uint64_t constant_##n(uint64_t x, long turns) { CONSTANT_BODY }
#define INJECTED(name)                                                                             \
  __attribute__((noinline)) static uint64_t name(uint64_t x, long turns, long slow, long extra) {  \
    INJECTED_BODY                                                                                  \
  }

#define TEN(X, d) X(d##0) X(d##1) X(d##2) X(d##3) X(d##4) X(d##5) X(d##6) X(d##7) X(d##8) X(d##9)
#define FIFTY(X) TEN(X, 0) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)
FIFTY(CONSTANT)
enum { CONSTANTS = 50 };
#define NAME(n) constant_##n,
static uint64_t (*const constants[CONSTANTS])(uint64_t, long) = {FIFTY(NAME)};

PLAIN static uint64_t plain_constant(uint64_t x, long turns){CONSTANT_BODY} PLAIN static uint64_t
    plain_injected(uint64_t x, long turns, long slow, long extra){INJECTED_BODY}

/// name, base ns, extra ns, share of slow runs
#define INJECTIONS(X)                                                                              \
  X(base_200_extra_10, 200, 10, 0.10)                                                              \
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
  uint64_t (*run)(uint64_t, long, long, long);
  double base_ns, extra_ns, share;
  long turns, extra; ///< found by calibration
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

/// What `extra` additions in a random share of the runs add to such a run, ns.
static double measure_extra(const struct injection *in, long extra) {
  enum { N = 2000 };
  static double slow[N], fast[N];
  int slows = 0, fasts = 0;
  uint64_t x = 1;
  double share = in->share > 0.03 ? in->share : 0.03;
  for (int i = 0; i < 60 * N && slows < 300; i++) {
    int is_slow = uniform() < share;
    long turn = is_slow ? in->turns / 2 : -1;
    uint64_t a = ticks();
    x = plain_injected(x, in->turns, turn, extra);
    double ns = (double)(ticks() - a) * tick_ns;
    if (is_slow)
      slow[slows++] = ns;
    else if (fasts < N)
      fast[fasts++] = ns;
  }
  return usual(slow, slows) - usual(fast, fasts) + (x == 42) * 0;
}

static void print_row(const struct injection *in, double extra_ns) {
  printf("%s %g %.2f %g %ld %ld\n", in->name, in->base_ns, extra_ns, in->share, in->turns,
         in->extra);
}

static void print_plan(void) {
  double turn_ns = measure_turn(), add_ns = turn_ns / TURN_ADDS;
  printf("turn %g 0 0 0 0\n", turn_ns);
  for (int i = 0; i < INJECTIONS_COUNT; i++) {
    struct injection *in = &injections[i];
    in->turns = (long)(in->base_ns / turn_ns);
    in->extra = in->share > 0 ? 1 + (long)(in->extra_ns / add_ns) : 0;
    for (int round = 0; round < 3 && in->share > 0; round++) {
      in->extra += (long)((in->extra_ns - measure_extra(in, in->extra)) / add_ns);
      in->extra = in->extra > 1 ? in->extra : 1;
    }
    print_row(in, in->share > 0 ? measure_extra(in, in->extra) : 0);
  }
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
        x += in->run(x, in->turns, uniform() < in->share ? in->turns / 2 : -1, in->extra);
      }
  return x;
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

/// As a cold call does in front of a sample: what branches went before tells nothing any more.
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

PLAIN static uint64_t run_truth(double seconds, double turn_ns) {
  enum { N = 1 << 16 };
  static double took[INJECTIONS_COUNT][2][N];
  int count[INJECTIONS_COUNT][2] = {0};
  uint64_t x = 1;
  for (double end = now_s() + seconds; now_s() < end;)
    for (int round = 0; round < 4; round++)
      for (int i = 0; i < INJECTIONS_COUNT; i++) {
        struct injection *in = &injections[i];
        int is_slow = uniform() < in->share;
        long slow = is_slow ? in->turns / 2 : -1;
        __asm__ volatile("" : "+r"(slow)); // chosen here, not behind the first reading
        forget_branches();
        uint64_t begin = ticks();
        x += in->run(x, in->turns, slow, in->extra);
        double ns = (double)(ticks() - begin) * tick_ns;
        if (count[i][is_slow] < N)
          took[i][is_slow][count[i][is_slow]++] = ns;
      }
  printf("turn %g 0 0 0 0\n", turn_ns);
  for (int i = 0; i < INJECTIONS_COUNT; i++) {
    double slow_ns = middle(took[i][1], count[i][1]), fast_ns = middle(took[i][0], count[i][0]);
    print_row(&injections[i], injections[i].share > 0 ? slow_ns - fast_ns : 0);
  }
  return x;
}

PLAIN int main(int argc, char **argv) {
  measure_tick();
  if (argc == 2 && strcmp(argv[1], "plan") == 0) {
    print_plan();
    return 0;
  }
  double seconds = argc == 4 ? atof(argv[2]) : 0, turn_ns = seconds > 0 ? read_plan() : 0;
  int is_constant = argc > 1 && strcmp(argv[1], "constant") == 0;
  int is_truth = argc > 1 && strcmp(argv[1], "truth") == 0;
  if (!(turn_ns > 0)) {
    fputs("usage: detector plan | detector constant|injected|truth SECONDS SEED <PLAN\n", stderr);
    return 2;
  }
  state = (strtoull(argv[3], NULL, 10) + 1) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = is_constant ? run_constant(seconds, turn_ns)
               : is_truth  ? run_truth(seconds, turn_ns)
                           : run_injected(seconds);
  return x == 42;
}
