// table.c - an open-addressing hash table whose slots hold a key and a large value
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: table LOG2_SLOTS LOOKUPS
//
// Two of three slots are taken, and half of the lookups find nothing. CHANGED: keys in an array of
// their own.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef CHANGED
struct value {
  char value[120];
};
static uint64_t *keys;
static struct value *values;
#define KEY(i) keys[i]
#define VALUE(i) values[i].value
#else
struct slot {
  uint64_t key;
  char value[120];
};
static struct slot *slots;
#define KEY(i) slots[i].key
#define VALUE(i) slots[i].value
#endif

static uint64_t mask;

static uint64_t hash(uint64_t key) {
  key *= UINT64_C(0x9e3779b97f4a7c15);
  return key ^ key >> 29;
}

/// The key's slot, or the free one where it would be.
__attribute__((noinline)) static uint64_t find(uint64_t key) {
  uint64_t at = hash(key) & mask;
  while (KEY(at) && KEY(at) != key)
    at = (at + 1) & mask;
  return at;
}

int main(int argc, char **argv) {
  unsigned bits = argc > 2 ? (unsigned)atoi(argv[1]) : 20;
  long lookups = argc > 2 ? atol(argv[2]) : 12000000, sum = 0;
  uint64_t count = UINT64_C(1) << bits, state = 1;
  mask = count - 1;
#ifdef CHANGED
  keys = calloc(count, sizeof(uint64_t));
  values = calloc(count, sizeof(struct value));
  if (!keys || !values)
    return 1;
#else
  slots = calloc(count, sizeof(struct slot));
  if (!slots)
    return 1;
#endif
  for (uint64_t i = 1; i <= count / 3 * 2; i++) {
    uint64_t at = find(2 * i);
    KEY(at) = 2 * i;
    VALUE(at)[0] = (char)i;
  }
  for (long k = 0; k < lookups; k++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint64_t key = 2 + (state >> 20) % (count / 3 * 4), at = find(key);
    if (KEY(at))
      sum += VALUE(at)[0];
  }
  printf("%ld\n", sum);
  return 0;
}
