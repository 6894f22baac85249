// Times, rates, shares and percentiles are right of runs from a second to ten years.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -fplugin=%plugin -O2 -g -I%src %s %rt_scripted -o %t/app
// RUN: env RETICLE_OPTIONS=report=0:verbosity=0:period=1:chain=0 %python %support/long_runs.py %reticle %t
#include "include/reticle.h"
#include "runtime/probe/clock/scripted.h"

#include <stdlib.h>

static volatile int turns = 10;

__attribute__((noinline)) void step(int count, uint64_t turn_ns) {
  for (int i = 0; i < count; i++)
    reticle_scripted_advance(turn_ns);
}

// A run of so many seconds: 180 executions of a thousandth of it and 20 of a 250th, 26 % in all;
// the second argument makes them that many times as long, at the cost of the rest. A sample tells
// its begin by the day until it is drained: of ten years it is at once.
int main(int count, char **arguments) {
  uint64_t run_ns = strtoull(arguments[1], NULL, 10) * 1000000000;
  uint64_t factor = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
  uint64_t usual_ns = factor * (run_ns / 1000), rest_ns = run_ns - 260 * usual_ns;
  for (int i = 0; i < 200; i++) {
    reticle_scripted_advance(rest_ns / 200);
    step(turns, (i % 10 ? usual_ns : 4 * usual_ns) / 10);
    if (run_ns / 1000000000 > 86400)
      reticle_report();
  }
  return 0;
}
