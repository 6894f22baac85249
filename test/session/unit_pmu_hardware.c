// unit_pmu_hardware.c - reading the processor's own counters; 77 where there is no PMU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/pmu.h"
#include "runtime/sys/counter.h"
#include "test/session/pmu_totals.h"
#include "test/unit.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VISITS = 200, ITERATIONS = 10000 };

static struct rrt_pmu_group group;
static const struct rrt_pmu_part whole = {1, 0};

static void use(const void *page) {
  group = (struct rrt_pmu_group){.count = 1};
  group.pages[0] = page;
}

static void turn(unsigned turns) {
  for (volatile unsigned i = 0; i < turns; i++) {
  }
}

/// The kernel's own page of a clock that is in no register.
static void test_software_clock(void) {
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                 .size = sizeof attr,
                                 .config = PERF_COUNT_SW_TASK_CLOCK,
                                 .exclude_kernel = 1};
  int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) {
    printf("  not allowed here\n");
    return;
  }
  void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  CHECK(page != MAP_FAILED);
  if (page != MAP_FAILED) {
    struct rrt_pmu_reading reading;
    use(page);
    rrt_pmu_read(&group, whole, 0, &reading);
    CHECK_EQUAL(reading.status, RRT_PMU_NOT_SCHEDULED);
    munmap(page, 4096);
  }
  close(fd);
}

/// Each iteration of the loop takes a cycle at least; twice as many take more.
static void test_cycles(void) {
  struct rrt_pmu_totals once = {0}, twice = {0};
  for (int i = 0; i < VISITS; i++) {
    struct rrt_pmu_reading begin, end;
    rrt_pmu_read(&group, whole, 0, &begin);
    turn(i & 1 ? 2 * ITERATIONS : ITERATIONS);
    rrt_pmu_read(&group, whole, 1, &end);
    add_visit(i & 1 ? &twice : &once, &group, whole, &begin, &end);
  }
  printf("  %llu of %d visits, %.2f cycles an iteration\n",
         (unsigned long long)(once.visits + twice.visits), VISITS,
         (double)once.counts[0] / (double)(once.visits * ITERATIONS));
  CHECK(once.visits > VISITS / 4 && twice.visits > VISITS / 4);
  CHECK(once.counts[0] >= once.visits * ITERATIONS);
  CHECK(twice.counts[0] / twice.visits > once.counts[0] / once.visits * 3 / 2);
}

int main(void) {
  uint32_t error = 0;
  RUN(test_software_clock);
  const void *page = rrt_sys_map_cycle_counter(&error);
  if (!page) {
    printf("no PMU here (errno %u)\n", error);
    return unit_status() ? 1 : 77;
  }
  use(page);
  RUN(test_cycles);
  return unit_status();
}
