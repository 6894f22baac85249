// unit_draw.c - which objects are looked at: each with the same chance, one of each row
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/draw.h"
#include "test/unit.h"

#include <pthread.h>

enum { EVERY = 8, SMALL = 100 };

static void test_all(void) {
  rrt_draw_open(1);
  for (int i = 0; i < 100; i++)
    CHECK_EQUAL(rrt_draw(16), 1);
  CHECK_EQUAL(rrt_draw_again(16, 16, 0), 1);
}

/// One of each 8 in a row stands for 8, so any number of rows has as many as there were.
static void test_rows(void) {
  enum { ROWS = 100000 };
  uint32_t at[EVERY] = {0};
  rrt_draw_open(EVERY);
  for (int row = 0; row < ROWS; row++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < EVERY; i++) {
      uint32_t weight = rrt_draw(SMALL);
      at[i] += weight > 0;
      sum += weight;
    }
    CHECK_EQUAL(sum, EVERY);
  }
  for (uint32_t i = 0; i < EVERY; i++)
    CHECK_NEAR(at[i], ROWS / EVERY, 4 * sqrt(ROWS * 7.0 / 64));
}

/// Whatever turns the program takes: two sites by turns, three, eight.
static void test_turns(void) {
  enum { OBJECTS = 240000 };
  rrt_draw_open(EVERY);
  for (uint32_t sites = 2; sites <= 8; sites++) {
    uint64_t sums[8] = {0};
    for (uint32_t i = 0; i < OBJECTS; i++)
      sums[i % sites] += rrt_draw(SMALL);
    for (uint32_t i = 0; i < sites; i++) {
      double objects = (double)OBJECTS / sites;
      CHECK_NEAR((double)sums[i], objects, 4 * sqrt((EVERY - 1) * objects) + 1);
    }
  }
}

static void test_large(void) {
  rrt_draw_open(EVERY);
  for (int i = 0; i < 100; i++)
    CHECK_EQUAL(rrt_draw(RETICLE_DRAW_BYTES), 1);
  // What has become large, or was; and what stays small is looked at as before.
  CHECK_EQUAL(rrt_draw_again(RETICLE_DRAW_BYTES, SMALL, 0), 1);
  CHECK_EQUAL(rrt_draw_again(SMALL, SMALL + 8, 1), EVERY);
  CHECK_EQUAL(rrt_draw_again(SMALL, SMALL + 8, 0), 0);
  uint64_t sum = 0;
  for (int i = 0; i < 8000; i++)
    sum += rrt_draw_again(SMALL, RETICLE_DRAW_BYTES, i % 2);
  CHECK_NEAR((double)sum, 8000, EVERY);
}

static void *first(void *sum) {
  *(uint64_t *)sum += rrt_draw(SMALL);
  return NULL;
}

/// The first object of a thread has no other chance.
static void test_threads(void) {
  enum { THREADS = 2000 };
  uint64_t sum = 0;
  rrt_draw_open(EVERY);
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, first, &sum), 0);
    pthread_join(thread, NULL);
  }
  CHECK_NEAR((double)sum, THREADS, 4 * sqrt(THREADS * 7.0));
}

int main(void) {
  RUN(test_all);
  RUN(test_rows);
  RUN(test_turns);
  RUN(test_large);
  RUN(test_threads);
  return unit_status();
}
