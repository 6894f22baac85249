// khashl.c - lookups in klib's table of 120-byte buckets, of which three of four miss.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   ./khashl [RECORDS [LOOKUPS]]      with klib's khashl.h; APART 1: keys in a table of their own
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <khashl.h>

#define APART 0

typedef struct {
  char data[112];
} record_t;
#define eq(a, b) ((a) == (b))
#if APART
KHASHL_SET_INIT(static, table_t, table, uint64_t, kh_hash_uint64, eq)
#define RECORD(t, k) records[k]
#else
KHASHL_MAP_INIT(static, table_t, table, uint64_t, record_t, kh_hash_uint64, eq)
#define RECORD(t, k) kh_val(t, k)
#endif

static uint64_t key_of(uint64_t i) { return i * 2654435761u; }

int main(int argc, char **argv) {
  uint64_t n = argc > 1 ? strtoull(argv[1], 0, 10) : 700000, sum = 0;
  uint64_t lookups = argc > 2 ? strtoull(argv[2], 0, 10) : 20000000, x = 88172645463325252ull;
  table_t *t = table_init();
  for (uint64_t i = 0; i < n; i++) {
    int absent;
    table_put(t, key_of(i), &absent);
  }
#if APART
  record_t *records = malloc(kh_capacity(t) * sizeof *records);
#endif
  for (uint64_t i = 0; i < n; i++)
    memset(&RECORD(t, table_get(t, key_of(i))), (int)i, sizeof(record_t));
  for (uint64_t i = 0; i < lookups; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    khint_t k = table_get(t, key_of(x % (4 * n)));
    if (k != kh_end(t))
      sum += (uint64_t)RECORD(t, k).data[3];
  }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
