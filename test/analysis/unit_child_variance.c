// unit_child_variance.c - which inner loops make executions long or short.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/loop/child_variance.h"

enum { FRAMES = 200, INNER = 4, STEP = 1 << 16, LOOPS = 4 };

struct made {
  struct profile_sample raw[LOOPS][FRAMES * INNER];
  struct profile_loop loops[LOOPS];
  struct profile profile;
};

static void add(struct made *made, int loop, double at, double ticks, uint32_t thread) {
  struct profile_loop *l = &made->loops[loop];
  made->raw[loop][l->raw_count++] = (struct profile_sample){.duration_ticks = (uint64_t)ticks,
                                                            .when = (uint32_t)(at / STEP),
                                                            .weight = 1,
                                                            .thread = thread};
  l->raw = made->raw[loop];
  l->weighted_ticks += (uint64_t)ticks;
  l->executions++;
}

// Frames in two threads, one behind the other: physics that varies in four parts of which each is
// timed, rendering that hardly does, and a rest that varies, too. The last loop is around each
// frame.
static void make(struct made *made, double physics, double rest) {
  uint64_t state = 7;
  double at[2] = {STEP * 10, STEP * 13};
  *made = (struct made){.profile = {.loops = made->loops, .loop_count = LOOPS}};
  for (int i = 0; i < FRAMES; i++) {
    uint32_t thread = (uint32_t)i % 2;
    double begin = at[thread], now = begin + STEP;
    for (int k = 0; k < INNER; k++) {
      double part = STEP * (10 + physics * unit_uniform(&state));
      add(made, 1, now, part, thread);
      now += part;
    }
    double render = STEP * (20 + 0.1 * unit_uniform(&state));
    add(made, 2, now, render, thread);
    now += render + STEP * rest * unit_uniform(&state);
    add(made, 0, begin, now - begin, thread);
    add(made, 3, begin, now - begin + 100, thread);
    at[thread] = now + STEP * 3;
  }
}

static void find(struct made *made, struct child_variance *out, size_t *count) {
  *count = child_variance_of(&made->profile, &made->loops[0], out);
}

static void test_one(void) {
  static struct made made;
  struct child_variance out[CHILD_VARIANCE_MOST];
  size_t count;
  make(&made, 10, 0);
  find(&made, out, &count);
  CHECK_EQUAL(count, 1); // not the rendering, nor the loop around
  CHECK(out[0].loop == &made.loops[1]);
  CHECK(out[0].share.value > 0.95 && out[0].share.high <= 1 && out[0].share.low > 0.8);
}

// Four parts of variance 10^2 / 12 each, and a rest of 20^2 / 12.
static void test_half(void) {
  static struct made made;
  struct child_variance out[CHILD_VARIANCE_MOST];
  size_t count;
  make(&made, 10, 20);
  find(&made, out, &count);
  CHECK_EQUAL(count, 1);
  CHECK_NEAR(out[0].share.value, 0.5, 0.15);
  CHECK(out[0].share.low <= 0.5 && out[0].share.high >= 0.5);
  // A choice of the samples, as reservoirs have: the same.
  for (size_t i = 0; i < made.loops[1].raw_count / 2; i++)
    made.raw[1][i] = made.raw[1][2 * i + 1];
  made.loops[1].raw_count /= 2;
  find(&made, out, &count);
  CHECK_EQUAL(count, 1);
  CHECK_NEAR(out[0].share.value, 0.5, 0.25);
}

// Executed once in each frame, and not always timed.
static void test_once(void) {
  static struct made made;
  struct child_variance out[CHILD_VARIANCE_MOST];
  size_t count, kept = 0;
  make(&made, 10, 0);
  struct profile_loop *physics = &made.loops[1];
  for (size_t i = 0; i < FRAMES; i++) {
    struct profile_sample all = made.raw[1][INNER * i];
    for (size_t k = 1; k < INNER; k++)
      all.duration_ticks += made.raw[1][INNER * i + k].duration_ticks;
    all.weight = i % 10 == 0 ? 2 : 1; // the one before wasn't
    if (i % 10 != 9)
      made.raw[1][kept++] = all;
  }
  physics->raw_count = kept;
  physics->executions = FRAMES;
  find(&made, out, &count);
  CHECK_EQUAL(count, 1);
  CHECK(out[0].loop == physics && out[0].share.value > 0.95 && out[0].share.low > 0.9);
}

static void test_nothing(void) {
  static struct made made;
  struct child_variance out[CHILD_VARIANCE_MOST];
  size_t count;
  make(&made, 0, 20);
  find(&made, out, &count);
  CHECK_EQUAL(count, 0);
  made.loops[0].raw_count = 10; // too few
  find(&made, out, &count);
  CHECK_EQUAL(count, 0);
  make(&made, 10, 0); // shorter than the steps of their begins tell
  made.profile.env.when_shift = 24;
  find(&made, out, &count);
  CHECK_EQUAL(count, 0);
}

int main(void) {
  RUN(test_one);
  RUN(test_half);
  RUN(test_once);
  RUN(test_nothing);
  return unit_status();
}
