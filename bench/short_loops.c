// short_loops.c - short loops of five kinds; prints what a turn costs with their calls or without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: short_loops KIND EXECUTIONS WITH [NODES]; prints ns of CPU time of a turn of the outer
// loop.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
  struct node *next;
  uint64_t key, value;
};

static uint64_t state = 88172645463325252u, nodes_count = 4096;
static uint32_t numbers[64];
static struct node **table, *nodes;
static char words[1024][24];
static uint64_t sorted[4096];
volatile uint64_t sink;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

__attribute__((noinline)) static uint64_t sum(uint64_t from, uint64_t count) {
  uint64_t s = 0;
  for (uint64_t i = 0; i < count; i++) {
    s += numbers[(from + i) & 63];
    __asm__ volatile("" ::"r"(s));
  }
  return s;
}

__attribute__((noinline)) static uint64_t lookup(uint64_t key) {
  for (struct node *n = table[key % nodes_count]; n; n = n->next)
    if (n->key == key)
      return n->value;
  return 0;
}

__attribute__((noinline)) static uint64_t compare(const char *a, const char *b) {
  while (*a == *b && *a) {
    a++;
    b++;
  }
  return (uint64_t)(*a - *b);
}

__attribute__((noinline)) static uint64_t search(uint64_t key) {
  uint64_t low = 0, high = 4096;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__attribute__((noinline)) static uint64_t chain(uint64_t x, int count) {
  for (int i = 0; i < count; i++) {
    x += x >> 3;
    __asm__ volatile("" : "+r"(x));
  }
  return x;
}

static void make(void) {
  table = calloc(nodes_count, sizeof *table);
  nodes = calloc(nodes_count, sizeof *nodes);
  for (uint64_t i = 0; i < nodes_count; i++) {
    struct node **bucket = &table[i * 7919 % nodes_count];
    nodes[i] = (struct node){*bucket, i * 7919, i};
    *bucket = &nodes[i];
  }
  for (uint32_t i = 0; i < 64; i++)
    numbers[i] = i;
  for (uint64_t i = 0; i < 4096; i++)
    sorted[i] = i * (UINT64_MAX / 4096);
  for (int i = 0; i < 1024; i++)
    snprintf(words[i], sizeof words[i], "word%u", (unsigned)(next_random() % 100000));
}

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  int kind = *argv[1] - '0', with = *argv[3] == '1';
  uint64_t turns = strtoull(argv[2], NULL, 0), s = 0, x = 1;
  if (argc > 4)
    nodes_count = strtoull(argv[4], NULL, 0);
  make();
  double start = cpu_ns();
  for (uint64_t i = 0; i < turns; i++) {
    uint64_t r = next_random();
    if (with) {
      if (kind == 0)
        s += sum(r & 31, 1 + (r >> 40 & 3));
      else if (kind == 1)
        s += lookup(r % nodes_count * 7919);
      else if (kind == 2)
        s += compare(words[r & 1023], words[r >> 20 & 1023]);
      else if (kind == 3)
        s += search(r);
      else
        x = chain(x ^ r, 8 + with);
    }
    s ^= r * 0x9E3779B97F4A7C15u;
  }
  sink = s + x;
  printf("%.3f\n", (cpu_ns() - start) / (double)turns);
}
