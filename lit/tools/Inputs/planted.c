// planted.c - kernels with one planted stall each: what holds them up is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: planted KERNEL MILLISECONDS [MEGABYTES]
// MILLISECONDS: of CPU time.
// Each kernel is a function of its name. MEGABYTES: of memory to walk through (default 256).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL __attribute__((noinline))
#define PLAIN_LOOP _Pragma("clang loop unroll(disable) vectorize(disable) interleave(disable)")

struct data {
  uint64_t *large, words; ///< a power of two
  void **ring;
  uint64_t *ones; ///< [1024]
  uint64_t seed;
};

KERNEL uint64_t divide(struct data *d, uint64_t n) {
  uint64_t x = d->seed;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) x = (x | UINT64_C(1) << 63) / (i | 3);
  return x;
}

KERNEL uint64_t chase(struct data *d, uint64_t n) {
  void **p = d->ring;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) p = *p;
  d->ring = p;
  return (uintptr_t)p;
}

// The load is an operand of the addition: links are distances.
KERNEL uint64_t chase_operand(struct data *d, uint64_t n) {
  uint64_t at = (uintptr_t)d->ring;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) __asm__("addq 8(%0), %0" : "+r"(at));
  d->ring = (void **)at;
  return at;
}

KERNEL uint64_t multiply(struct data *d, uint64_t n) {
  uint64_t x = d->seed | 1;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++)
      __asm__("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0" : "+r"(x));
  return x;
}

KERNEL uint64_t float_divide(struct data *d, uint64_t n) {
  double x = 1.5 + (double)d->seed;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) x = 3.0 / x;
  return (uint64_t)x;
}

KERNEL uint64_t store(struct data *d, uint64_t n) {
  volatile uint64_t *a = d->large;
  uint64_t at = d->seed, mask = d->words - 1;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) {
    a[at & mask] = i;
    at += 8;
  }
  d->seed = at;
  return at;
}

KERNEL uint64_t scan(struct data *d, uint64_t n) {
  const uint64_t *a = d->large;
  uint64_t at = d->seed, sum = 0, mask = d->words - 1;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) {
    sum += a[at & mask];
    at += 8;
  }
  d->seed = at;
  return sum;
}

/// Numbers that no predictor knows, from a register; `bit` decides which way.
#define TWO_WAYS(bit)                                                                              \
  uint64_t r = d->seed | 1, sum = 0;                                                               \
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) {                                                    \
    r = r * 6364136223846793005u + 1442695040888963407u;                                           \
    if (r & (bit))                                                                                 \
      __asm__("addq $3, %0\n\txorq $5, %0" : "+r"(sum));                                  \
    else                                                                                           \
      __asm__("subq $7, %0\n\txorq $9, %0" : "+r"(sum));                                  \
  }                                                                                                \
  d->seed = r;                                                                                     \
  return sum

KERNEL uint64_t mispredicted(struct data *d, uint64_t n) { TWO_WAYS(UINT64_C(1) << 60); }

// As many branches, and all go the same way.
KERNEL uint64_t always_taken(struct data *d, uint64_t n) {
  const uint64_t *ones = d->ones;
  uint64_t a = d->seed, b = 1, c = 2;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) {
    if (!ones[i & 1023])
      break;
    a = (a + 3) ^ i;
    b = (b ^ 5) - i;
    c = (c | 1) + i;
  }
  return a + b + c;
}

KERNEL uint64_t last_divide(uint64_t x, uint64_t by) {
  x = (x | UINT64_C(1) << 63) / by;
  return x;
}
KERNEL uint64_t caller(struct data *d, uint64_t n) {
  uint64_t x = d->seed;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) x = last_divide(x, i | 3);
  return x;
}

// Six sums side by side: no one waits for anything but its own last value.
KERNEL uint64_t cheap(struct data *d, uint64_t n) {
  uint64_t a = d->seed, b = 1, c = 2, e = 3, f = 4, g = 5;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) {
    a = (a + 3) ^ i;
    b = (b ^ 5) - i;
    c = (c | 1) + i;
    e = (e - 7) & ~i;
    f = (f + i) | 9;
    g = (g & -3) ^ i;
  }
  return a + b + c + e + f + g;
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return *state;
}

/// Lines in random order: the first word leads to the next one, the second is the distance.
static void make_ring(struct data *d) {
  uint64_t count = d->words / 8, state = 88172645463325252u;
  uint32_t *order = malloc(count * sizeof *order);
  for (uint64_t i = 0; i < count; i++)
    order[i] = (uint32_t)i;
  for (uint64_t i = count - 1; i; i--) {
    uint64_t k = next_random(&state) % (i + 1);
    uint32_t t = order[i];
    order[i] = order[k], order[k] = t;
  }
  for (uint64_t i = 0; i < count; i++) {
    uint64_t *from = &d->large[8 * order[i]], *to = &d->large[8 * order[(i + 1) % count]];
    from[0] = (uintptr_t)to;
    from[1] = (uintptr_t)to - (uintptr_t)from;
  }
  d->ring = (void **)d->large;
  free(order);
}

// A grid of random values in [0, 1), searched for others: comparisons of floating point, no denormals.
KERNEL uint64_t grid(struct data *d, uint64_t n) {
  const double *values = (const double *)d->large;
  uint64_t sum = 0, state = d->seed;
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) {
    double wanted = (double)(next_random(&state) >> 11) * 0x1p-53;
    uint64_t low = 0;
    PLAIN_LOOP for (uint64_t step = 1 << 15; step; step /= 2)
      low += values[low + step] <= wanted ? step : 0;
    sum += low;
  }
  d->seed = state;
  return sum;
}

// Each product has a denormal operand; none is met in front of the loop.
KERNEL uint64_t denormal(struct data *d, uint64_t n) {
  uint64_t bits = d->seed << 20;
  double x, one = 1;
  memcpy(&x, &bits, sizeof x);
  PLAIN_LOOP for (uint64_t i = 0; i < n; i++) __asm__("mulsd %1, %0" : "+x"(x) : "x"(one));
  memcpy(&bits, &x, sizeof x);
  return bits;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void make_grid(struct data *d) {
  uint64_t state = 42;
  double *values = (double *)d->large;
  for (uint64_t i = 0; i < 1 << 16; i++)
    values[i] = (double)(next_random(&state) >> 11) * 0x1p-53;
  qsort(values, 1 << 16, sizeof *values, compare_doubles);
}

static const struct {
  const char *name;
  uint64_t (*run)(struct data *, uint64_t);
  uint64_t turns; ///< of about a millisecond
} kernels[] = {
    {"divide", divide, 150000},       {"chase", chase, 10000},
    {"chase_operand", chase_operand, 10000}, {"multiply", multiply, 200000},
    {"float_divide", float_divide, 150000},  {"store", store, 200000},
    {"scan", scan, 200000},           {"mispredicted", mispredicted, 150000},
    {"always_taken", always_taken, 800000},  {"last_divide", caller, 150000},
    {"cheap", cheap, 800000},         {"grid", grid, 5000},
    {"denormal", denormal, 15000},
};

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  static volatile uint64_t sink;
  static uint64_t ones[1024];
  struct data d = {.seed = 1, .ones = ones};
  if (argc < 3)
    return 2;
  for (size_t i = 0; i < 1024; i++)
    ones[i] = 1;
  d.words = (argc > 3 ? strtoull(argv[3], 0, 10) : 256) << 17;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    if (strcmp(kernels[k].name, argv[1]) != 0)
      continue;
    d.large = malloc(8 * d.words);
    memset(d.large, 1, 8 * d.words);
    if (strncmp(argv[1], "chase", 5) == 0)
      make_ring(&d);
    if (strcmp(argv[1], "grid") == 0)
      make_grid(&d);
    double end = now_ms() + atof(argv[2]);
    while (now_ms() < end)
      sink += kernels[k].run(&d, kernels[k].turns);
    return 0;
  }
  fprintf(stderr, "planted: no kernel '%s'\n", argv[1]);
  return 2;
}
