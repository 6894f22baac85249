// unit_processors.c - which processor comes next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/trace.h"
#include "test/unit.h"

static void test_next_in_a_circle(void) {
  struct rrt_processors three = {.bytes = 16};
  three.mask[0] = UINT64_C(1) << 2 | UINT64_C(1) << 63;
  three.mask[1] = 1;
  CHECK_EQUAL(rrt_sys_next_processor(&three, 2), 63);
  CHECK_EQUAL(rrt_sys_next_processor(&three, 63), 64);
  CHECK_EQUAL(rrt_sys_next_processor(&three, 64), 2);
  CHECK_EQUAL(rrt_sys_next_processor(&three, 5), 63); // not one of them
}

static void test_no_other(void) {
  struct rrt_processors one = {.bytes = 8}, unknown = {.bytes = 0};
  one.mask[0] = 1 << 3;
  CHECK_EQUAL(rrt_sys_next_processor(&one, 3), 3);
  CHECK_EQUAL(rrt_sys_next_processor(&unknown, 3), 3);
  CHECK_EQUAL(rrt_sys_next_processor(&one, -1), -1);
}

static void test_they_come_back(void) {
  struct rrt_processors before, between, after;
  rrt_sys_get_processors(&before);
  CHECK(before.bytes > 0);
  rrt_sys_stay_on((int)rrt_sys_current_cpu());
  rrt_sys_get_processors(&between);
  CHECK_EQUAL(rrt_sys_next_processor(&between, (int)rrt_sys_current_cpu()), rrt_sys_current_cpu());
  rrt_sys_set_processors(&before);
  rrt_sys_get_processors(&after);
  for (size_t i = 0; i < before.bytes / 8; i++)
    CHECK_EQUAL(after.mask[i], before.mask[i]);
}

int main(void) {
  RUN(test_next_in_a_circle);
  RUN(test_no_other);
  RUN(test_they_come_back);
  return unit_status();
}
