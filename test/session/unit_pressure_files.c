// unit_pressure_files.c - where a process's cgroup lies, and numbers of the kernel's files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/account/pressure.h"
#include "test/unit.h"

#include <errno.h>
#include <string.h>

static void test_cgroups(void) {
  char folder[64];
  size_t root = 0;
  CHECK_EQUAL(rrt_pressure_parse_cgroup("0::/user.slice/a:b\n", folder, sizeof folder, &root), 0);
  CHECK_TEXT(folder, "/sys/fs/cgroup/user.slice/a:b");
  CHECK_EQUAL(root, strlen("/sys/fs/cgroup"));
  // Version 2 beside version 1, which has the processors.
  static const char both[] = "9:name=systemd:/x\n4:cpuset:/\n3:cpuacct,cpu:/docker/7\n0::/else\n";
  CHECK_EQUAL(rrt_pressure_parse_cgroup(both, folder, sizeof folder, &root), 0);
  CHECK_TEXT(folder, "/sys/fs/cgroup/cpu/docker/7");
  CHECK_EQUAL(root, strlen("/sys/fs/cgroup/cpu"));
  CHECK_EQUAL(rrt_pressure_parse_cgroup("1:cpu:/\n", folder, sizeof folder, &root), 0);
  CHECK_TEXT(folder, "/sys/fs/cgroup/cpu");
  // A group named as a controller, and controllers whose names begin as it does.
  CHECK_EQUAL(rrt_pressure_parse_cgroup("4:cpuset:/cpu:\n0::/cpu\n", folder, sizeof folder, &root),
              0);
  CHECK_TEXT(folder, "/sys/fs/cgroup/cpu");
  CHECK_EQUAL(root, strlen("/sys/fs/cgroup"));
  CHECK_EQUAL(rrt_pressure_parse_cgroup("4:cpuset:/\n", folder, sizeof folder, &root), -ENOENT);
  CHECK_EQUAL(rrt_pressure_parse_cgroup("", folder, sizeof folder, &root), -ENOENT);
  CHECK_EQUAL(rrt_pressure_parse_cgroup("0", folder, sizeof folder, &root), -ENOENT);
  CHECK_EQUAL(
      rrt_pressure_parse_cgroup("0::/0123456789012345678901234567890123456789012345678901\n",
                                folder, sizeof folder, &root),
      -ENOENT);
}

static void test_numbers(void) {
  static const char pressure[] = "some avg10=34.34 avg60=39.55 avg300=42.45 total=9950593069\n"
                                 "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
  uint64_t number = 0;
  CHECK_EQUAL(rrt_pressure_parse(pressure, "some ", "total", &number), 0);
  CHECK_EQUAL(number, 9950593069);
  CHECK_EQUAL(rrt_pressure_parse(pressure, "full ", "total", &number), 0);
  CHECK_EQUAL(number, 7);
  CHECK_EQUAL(rrt_pressure_parse(pressure, "none ", "total", &number), -ENODATA);
  CHECK_EQUAL(
      rrt_pressure_parse("nr_periods 5\nnr_throttled 3", "nr_throttled", "nr_throttled", &number),
      0);
  CHECK_EQUAL(number, 3);
  CHECK_EQUAL(rrt_pressure_parse("nr_throttled\n", "nr_throttled", "nr_throttled", &number),
              -ENODATA);
  CHECK_EQUAL(rrt_pressure_parse("nr_throttled x\n", "nr_throttled", "nr_throttled", &number),
              -ENODATA);
  CHECK_EQUAL(rrt_pressure_parse("", "a", "a", &number), -ENODATA);
}

int main(void) {
  RUN(test_cgroups);
  RUN(test_numbers);
  return unit_status();
}
