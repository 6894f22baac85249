// unit_visit_recurrence.c - how many elements no window has, and how often those in one come back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visit_recurrence.h"

#include "test/unit.h"

#include <math.h>
#include <stdlib.h>

enum { WINDOWS = 10, VISITS = 2000, SIZE = 32, ALL = WINDOWS * VISITS };

static struct visit_place places[2] = {{.exposure = EXPOSURE_INDEPENDENT},
                                       {.exposure = EXPOSURE_SEARCH}};
static struct visit all[ALL];
static struct visit_window windows[WINDOWS];
static struct visits visits = {.places = places,
                               .place_count = 2,
                               .all = all,
                               .count = ALL,
                               .windows = windows,
                               .window_count = WINDOWS};
static uint64_t state = 1;

static uint64_t draw(uint64_t among) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint64_t)((double)(state >> 11) * 0x1p-53 * (double)among);
}

static void cut_windows(void) {
  for (size_t i = 0; i < WINDOWS; i++)
    windows[i] = (struct visit_window){.visits = all + i * VISITS, .count = VISITS};
}

static size_t different(void) {
  static char seen[1 << 20];
  size_t count = 0;
  for (size_t i = 0; i < sizeof seen; i++)
    seen[i] = 0;
  for (size_t i = 0; i < ALL; i++)
    count += !seen[all[i].element / SIZE]++;
  return count;
}

/// All elements of `among` are visited as often: those of one window as often as those of none.
static void check_uniform(uint64_t among) {
  struct visit_recurrence back;
  for (size_t i = 0; i < ALL; i++)
    all[i] = (struct visit){.element = draw(among) * SIZE};
  cut_windows();
  visit_recurrence_make(&visits, SIZE, &back);
  double unseen = (double)among - (double)different();
  CHECK_NEAR(back.groups[0].unseen / unseen, 1, 0.15);
  double known = 0;
  for (size_t i = 0; i < ALL; i++) {
    CHECK_EQUAL(back.group[i], 0);
    known += visit_recurrence_known(&back, i) / ALL;
  }
  CHECK_NEAR(known, 1 - unseen / (double)among, 0.1);
  visit_recurrence_release(&back);
}

static void test_uniform(void) {
  check_uniform(20000);
  check_uniform(100000);
}

/// Every other visit is of one of ten elements: those are known, the rest as before.
static void test_hot(void) {
  struct visit_recurrence back;
  for (size_t i = 0; i < ALL; i++)
    all[i] = (struct visit){.element = (i % 2 ? draw(10) : 10 + draw(40000)) * SIZE};
  cut_windows();
  visit_recurrence_make(&visits, SIZE, &back);
  double hot = 0, cold = 0;
  for (size_t i = 0; i < ALL; i++)
    *(all[i].element < 10 * SIZE ? &hot : &cold) += visit_recurrence_known(&back, i) / (ALL / 2);
  CHECK_NEAR(hot, 1, 1e-9);
  CHECK_NEAR(cold, 0.22, 0.05); // 1 - exp(-1/4), of those that ALL / 2 visits came to
  visit_recurrence_release(&back);
}

/// Steps of a search are groups of their own: the first ones come back each time.
static void test_search(void) {
  enum { STEPS = 16, ELEMENTS = 1 << STEPS };
  struct visit_recurrence back;
  for (size_t i = 0; i < ALL;) {
    uint64_t wanted = draw(ELEMENTS), at = 0;
    for (uint64_t half = ELEMENTS / 2; half && i < ALL; half /= 2) {
      all[i++] = (struct visit){.element = (at + half) * SIZE, .place = 1};
      at += at + half <= wanted ? half : 0;
    }
  }
  cut_windows();
  visit_recurrence_make(&visits, SIZE, &back);
  for (size_t i = 0; i < ALL; i++) {
    uint64_t number = all[i].element / SIZE, low = number & -number;
    double known = visit_recurrence_known(&back, i);
    if (low >= ELEMENTS / 32) // of 31 elements
      CHECK_NEAR(known, 1, 0.01);
    else if (low == 1) // of 32,768, 1,250 searches
      CHECK(known < 0.15);
  }
  visit_recurrence_release(&back);
}

/// A single window tells nothing of what comes back.
static void test_one_window(void) {
  struct visits one = visits;
  struct visit_recurrence back;
  for (size_t i = 0; i < ALL; i++)
    all[i] = (struct visit){.element = i / 2 * SIZE};
  windows[0] = (struct visit_window){.visits = all, .count = ALL};
  one.window_count = 1;
  visit_recurrence_make(&one, 0, &back);
  CHECK_EQUAL(back.groups[0].in_windows[1], ALL / 2);
  CHECK_NEAR(visit_recurrence_known(&back, 0), 0, 0.001);
  CHECK(back.groups[0].unseen > ALL);
  visit_recurrence_release(&back);
}

int main(void) {
  RUN(test_uniform);
  RUN(test_hot);
  RUN(test_search);
  RUN(test_one_window);
  return unit_status();
}
