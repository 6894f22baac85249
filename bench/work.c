// work.c - loops whose time varies by their work, by the processor, or by both, as planted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Varying work: 500 to 64000 trips, each doubling as often; varying place: 16 KB or 4 MB, in random
// turns. work [ROUNDS]. Times each execution itself, too, and prints one line a loop: name, and the
// share of the variance that goes with the trip count.
// Each loop of class F ends after a number of trips known on entry; each of class P when the sum of
// what it read is reached.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES_TINY = 16, LINES_SMALL = 256, LINES_LARGE = 65536, TRIPS = 8, STRIDE = 3079 };

struct line {
  uint64_t one, rest[7];
};
static struct line lines[LINES_LARGE]; // 4 MB, of which the first 16 KB
// A product waits for the one before: a neighbour on the core takes units from it, but little time.
static volatile uint64_t once = 1;

#define NOINLINE __attribute__((noinline))
#define FIXED(name)                                                                                \
  NOINLINE uint64_t name(uint64_t start, uint64_t trips, uint64_t mask) {                          \
    uint64_t sum = 0;                                                                              \
    for (uint64_t i = 0; i < trips; i++)                                                           \
      sum += lines[(start + i * STRIDE) & mask].one ^ (sum & 1);                                   \
    return sum;                                                                                    \
  }
#define PATHS(name, before)                                                                        \
  NOINLINE uint64_t name(uint64_t start, uint64_t trips, uint64_t mask) {                          \
    uint64_t i = 0;                                                                                \
    for (uint64_t sum = 0; sum < trips; i++)                                                       \
      sum = before + lines[(start + i * STRIDE) & mask].one;                                       \
    return i;                                                                                      \
  }
FIXED(fixed_processor)
FIXED(fixed_work)
FIXED(fixed_both)
PATHS(paths_processor, sum)
PATHS(paths_work, (sum * once))
PATHS(paths_both, sum)

static uint32_t state = 1;
static uint32_t next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }

struct plan {
  const char *name;
  uint64_t (*run)(uint64_t, uint64_t, uint64_t);
  int varies_work, varies_place;
};
static const struct plan plans[] = {
    {"fixed_processor", fixed_processor, 0, 1}, {"fixed_work", fixed_work, 1, 0},
    {"fixed_both", fixed_both, 1, 1},           {"paths_processor", paths_processor, 0, 1},
    {"paths_work", paths_work, 1, 0},           {"paths_both", paths_both, 1, 1},
};
enum { PLANS = sizeof plans / sizeof plans[0] };

struct timed {
  double ns;
  unsigned trip, large;
};
static struct timed *timed[PLANS];

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// Of an execution over this much memory; beyond three times that, it was interrupted.
static double median_of(const struct timed *t, int count, unsigned trip, unsigned large) {
  double *some = malloc((size_t)count * sizeof *some);
  size_t n = 0;
  for (int i = 0; some && i < count; i++)
    if (t[i].trip == trip && t[i].large == large)
      some[n++] = t[i].ns;
  if (n)
    qsort(some, n, sizeof *some, compare);
  double median = n ? some[n / 2] : 0;
  free(some);
  return median;
}

// Var(E[t | trips]) / Var(t), interrupted executions left out.
static double work_share(const struct timed *t, int count) {
  double limit[TRIPS][2], n[TRIPS] = {0}, sum[TRIPS] = {0}, all = 0, total = 0, squares = 0;
  for (unsigned trip = 0; trip < TRIPS; trip++)
    for (unsigned large = 0; large < 2; large++)
      limit[trip][large] = 3 * median_of(t, count, trip, large);
  for (int i = 0; i < count; i++) {
    if (t[i].ns > limit[t[i].trip][t[i].large])
      continue;
    n[t[i].trip]++;
    sum[t[i].trip] += t[i].ns;
    all++;
    total += t[i].ns;
    squares += t[i].ns * t[i].ns;
  }
  double mean = total / all, between = 0;
  for (unsigned trip = 0; trip < TRIPS; trip++)
    if (n[trip] > 0)
      between += n[trip] * (sum[trip] / n[trip] - mean) * (sum[trip] / n[trip] - mean);
  return between / (squares - all * mean * mean);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 20000;
  for (size_t i = 0; i < LINES_LARGE; i++)
    lines[i].one = 1;
  for (int k = 0; k < PLANS; k++)
    if (!(timed[k] = malloc((size_t)rounds * sizeof *timed[k])))
      return 1;
  uint64_t sum = 0, start = 0;
  for (int round = 0; round < rounds; round++)
    for (int k = 0; k < PLANS; k++) {
      unsigned trip = plans[k].varies_work ? next() % TRIPS : TRIPS / 2;
      unsigned large = plans[k].varies_place ? next() % 2 : 0;
      // Where the place is not to vary: the loops before leave little of 16 KB in the first cache.
      unsigned span = !plans[k].varies_place ? LINES_TINY : large ? LINES_LARGE : LINES_SMALL;
      // Alone, work varies much: a neighbour on the core may change the time of each trip by half.
      uint64_t trips = plans[k].varies_place ? 1500 * (trip + 1) : UINT64_C(500) << trip;
      uint64_t mask = span - 1;
      double before = now_ns();
      sum += plans[k].run(start, trips, mask);
      timed[k][round] = (struct timed){now_ns() - before, trip, large};
      start += 12345;
    }
  for (int k = 0; k < PLANS; k++)
    printf("%s %.4f\n", plans[k].name, work_share(timed[k], rounds));
  return sum == 42;
}
