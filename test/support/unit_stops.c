// unit_stops.c - stopped time: a nap that sees it, and which executions it is in
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/moment.h"
#include "runtime/support/fork.h"
#include "runtime/support/stops.h"
#include "test/unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_between(void) {
  rrt_stops_add(1000, 1500, 0);
  rrt_stops_add(3000, 3100, 0);
  CHECK_EQUAL(rrt_stops_count(), 2);
  CHECK_EQUAL(rrt_stops_between(0, 5000, 0), 600);
  CHECK_EQUAL(rrt_stops_between(1500, 2999, 0), 0); // between them
  CHECK_EQUAL(rrt_stops_between(900, 1600, 0), 500);
  CHECK_EQUAL(rrt_stops_between(2000, 3200, 0), 100);
  CHECK_EQUAL(rrt_stops_between(3101, 9000, 0), 0);
  CHECK_EQUAL(rrt_stops_between(0, 900, 0), 0);
  // Shorter than the stop: it began behind it, however early its begin is taken for.
  CHECK_EQUAL(rrt_stops_between(990, 1010, 100), 0);
  CHECK_EQUAL(rrt_stops_between(2990, 3080, 100), 90);
  // The end of a thread that another CPU's clock has in front of its begin.
  CHECK_EQUAL(rrt_stops_between(990, 980, 0), 0);
  rrt_fork_clear();
  CHECK_EQUAL(rrt_stops_between(0, 5000, 0), 0);
  CHECK_EQUAL(rrt_stops_count(), 0);
}

static void test_many(void) {
  const uint64_t all = 100000;
  for (uint64_t i = 0; i < all; i++)
    rrt_stops_add(1000 * i, 1000 * i + 100, 0);
  CHECK_EQUAL(rrt_stops_count(), all);
  CHECK_EQUAL(rrt_stops_between(0, 1000 * all, 0), 100 * all);
  // The newest are known one by one.
  CHECK_EQUAL(rrt_stops_between(1000 * (all - 1), 1000 * all, 0), 100);
  CHECK_EQUAL(rrt_stops_between(1000 * (all - 1) + 200, 1000 * all, 0), 0);
  rrt_fork_clear();
}

static uint64_t now_ns(void) { return rrt_sys_monotonic_raw_ns(); }

/// What a process sees that sleeps, and is stopped meanwhile.
struct seen {
  int results[64];
  uint64_t slept_ns, nap_ns;
};

static void child(int out) {
  enum { NAP_NS = 100000000 };
  struct rrt_sys_nap nap;
  struct seen seen = {0};
  int error = rrt_sys_nap_open(&nap), stopped = 0;
  if (write(out, &error, sizeof error) < 0)
    _exit(1);
  for (int i = 0; i < 64 && !stopped && !error; i++) {
    uint64_t start_ns = now_ns();
    stopped = seen.results[i] = rrt_sys_nap(&nap, NAP_NS, &seen.slept_ns);
    seen.nap_ns = now_ns() - start_ns;
    error |= rrt_sys_nap_is_cut(&nap) != 1;
    rrt_sys_nap_done(&nap);
    error |= rrt_sys_nap_is_cut(&nap) != 0;
  }
  seen.results[63] = error;
  if (write(out, &seen, sizeof seen) < 0)
    _exit(1);
  _exit(0);
}

/// Stopped for stop_ms: known to what a busy machine adds, and never too short.
static void stop_for(unsigned stop_ms) {
  int ends[2], error = 0;
  struct seen seen = {0};
  CHECK_EQUAL(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0)
    child(ends[1]);
  CHECK(read(ends[0], &error, sizeof error) == sizeof error && !error);
  usleep(130000); // in its second nap
  int status;
  kill(pid, SIGSTOP);
  waitpid(pid, &status, WUNTRACED);
  uint64_t from_ns = now_ns();
  usleep(1000 * stop_ms);
  uint64_t least_ns = now_ns() - from_ns;
  kill(pid, SIGCONT);
  CHECK(read(ends[0], &seen, sizeof seen) == sizeof seen);
  waitpid(pid, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_EQUAL(seen.results[0], 0);
  CHECK_EQUAL(seen.results[63], 0);
  CHECK(seen.nap_ns >= seen.slept_ns && seen.nap_ns - seen.slept_ns >= least_ns);
  CHECK(seen.slept_ns <= 100000000);
  close(ends[0]);
  close(ends[1]);
}

static void test_nap(void) {
  stop_for(20);  // ends before the nap would have
  stop_for(250); // and behind that
}

static void test_rate(void) {
  const struct rrt_moment from = {.ticks = 1000, .raw_ns = 500};
  struct rrt_moment to = {.ticks = 1000 + 600 * UINT64_C(2600000000),
                          .raw_ns = 500 + UINT64_C(600000000000)};
  CHECK_EQUAL(rrt_rate_between(&from, &to), 2600000000);
  to.raw_ns = 500 + RRT_RATE_LEAST_NS - 1;
  CHECK_EQUAL(rrt_rate_between(&from, &to), 0);
  struct rrt_moment now, later;
  rrt_moment_read(&now);
  usleep(20000);
  rrt_moment_read(&later);
  uint64_t rate = rrt_rate_between(&now, &later);
  CHECK(later.raw_ns - now.raw_ns >= 20000000 && later.ticks > now.ticks && rate > 1000000);
}

int main(void) {
  RUN(test_between);
  RUN(test_many);
  RUN(test_nap);
  RUN(test_rate);
  return unit_status();
}
