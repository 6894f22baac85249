// dhat_blocks.c - blocks of one size a site, whose words are touched rarely or often: bench/dhat.py
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   dhat_blocks ROUNDS PAUSE_US
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS = 200 };

// Barriers keep the calls from becoming jumps.
#define SITE(name, bytes)                                                                          \
  __attribute__((noinline)) static void *name(void) {                                              \
    void *p = malloc(bytes);                                                                       \
    __asm__ volatile("" : "+r"(p)::"memory");                                                      \
    return p;                                                                                      \
  }
SITE(order_lines, 152)
SITE(pair, 24)
SITE(table, 504)
SITE(untouched, 104)
SITE(bytes, 72)

static volatile int32_t *orders[BLOCKS], *pairs[BLOCKS], *tables[BLOCKS], *idle[BLOCKS];
static volatile char *texts[BLOCKS];

// Word W of the blocks every EVERY rounds.
static void touch(volatile int32_t **blocks, long round, int word, int every) {
  if (round % every == 0)
    for (int i = 0; i < BLOCKS; i++)
      blocks[i][word]++;
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 0, pause_us = argc > 2 ? atol(argv[2]) : 0;
  if (rounds <= 0) {
    fprintf(stderr, "usage: dhat_blocks ROUNDS PAUSE_US\n");
    return 2;
  }
  for (int i = 0; i < BLOCKS; i++) {
    orders[i] = order_lines();
    pairs[i] = pair();
    tables[i] = table();
    idle[i] = untouched();
    texts[i] = bytes();
  }
  for (long round = 0; round < rounds; round++) {
    touch(orders, round, 0, 1);
    touch(orders, round, 9, 4);
    touch(orders, round, 20, 16);
    touch(orders, round, 37, 64);
    touch(pairs, round, 2, 1);
    touch(pairs, round, 4, 8);
    for (int word = 0; word < 126; word += 9)
      touch(tables, round, word, 1 + word);
    for (int i = 0; i < BLOCKS; i++)
      texts[i][round % 2 ? 0 : 33]++; // one byte of a word
    if (pause_us)
      usleep((useconds_t)pause_us);
  }
  long sum = 0;
  for (int i = 0; i < BLOCKS; i++) {
    sum += orders[i][0] + pairs[i][2] + tables[i][0] + texts[i][33];
    free((void *)orders[i]), free((void *)pairs[i]), free((void *)tables[i]),
        free((void *)texts[i]);
  }
  printf("%ld\n", sum);
  return 0;
}
