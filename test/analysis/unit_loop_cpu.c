// unit_loop_cpu.c - shares of CPU time: by facts, by what can't have waited, nested ones agreeing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/loop/loop_cpu.h"

#include <string.h>

enum { LOOPS = 3, FACTS = 40 };

static struct profile_loop loops[LOOPS];
static struct profile_fact facts[FACTS];
static struct loop_stats stats[LOOPS], cpu[LOOPS];
static struct profile profile;
static struct account account;

static void add_loop(size_t i, double total_ns, double p95_ns, uint32_t flags) {
  loops[i] = (struct profile_loop){
      .id = 100 + i, .function = "f", .depth = 1, .flags = flags, .executions = 1000};
  stats[i] = (struct loop_stats){.executions = 1000,
                                 .total_ns = quantity_of(total_ns, total_ns, total_ns),
                                 .p95_ns = quantity_of(p95_ns, p95_ns, p95_ns),
                                 .system_noise_ns = quantity_of(0, 0, 0)};
}

/// All of them take 100 us, of which they ran so long.
static void add_facts(uint64_t loop, uint64_t cpu_ns) {
  for (size_t i = 0; i < 10; i++)
    facts[profile.fact_count++] = (struct profile_fact){
        .loop = loop, .duration_ns = 100000, .cpu_ns = cpu_ns, .stands = 100000};
}

/// A second of wall-clock time, of which threads ran and waited so much.
static void begin(double ran, double waited) {
  memset(stats, 0, sizeof stats);
  account = (struct account){.user_ns = quantity_of(ran * 1e9, ran * 1e9, ran * 1e9),
                             .system_ns = quantity_of(0, 0, 0),
                             .runnable_ns = quantity_of(0, 0, 0),
                             .blocked_ns = quantity_of(waited * 1e9, waited * 1e9, waited * 1e9)};
  profile = (struct profile){.loops = loops, .facts = facts};
}

static void test_facts(void) {
  begin(0.5, 0.5);
  add_loop(0, 0.6e9, 110000, RETICLE_LOOP_HAS_CALLS);
  add_facts(100, 25000); // a quarter of 0.6 s
  profile.loop_count = 1;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  CHECK_NEAR(cpu[0].share.value, 0.3, 1e-6);
  CHECK_NEAR(cpu[0].share.low, 0.3, 1e-6); // all alike
  CHECK_NEAR(stats[0].total_ns.value, 0.6e9, 1);
  // Ten of a million executions say nothing of the others.
  begin(0.5, 0.5);
  add_loop(0, 0.6e9, 1000, RETICLE_LOOP_HAS_CALLS);
  add_facts(100, 25000);
  for (size_t i = 0; i < profile.fact_count; i++)
    facts[i].stands = 1000;
  loops[0].executions = 1000000;
  profile.loop_count = 1;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  CHECK(cpu[0].share.high > 0.9);
}

static void test_without_facts(void) {
  begin(0.5, 0.1);
  add_loop(0, 0.2e9, 1000, RETICLE_LOOP_HAS_CALLS); // too short to wait
  add_loop(1, 0.2e9, 50000, 0);                     // calls nothing
  add_loop(2, 0.2e9, 50000, RETICLE_LOOP_HAS_CALLS);
  profile.loop_count = 3;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  CHECK_NEAR(cpu[0].share.low, 0.4, 1e-6);
  CHECK_NEAR(cpu[1].share.low, 0.4, 1e-6);
  CHECK_NEAR(cpu[2].share.value, 0.4, 1e-6);
  CHECK_NEAR(cpu[2].share.low, 0.2, 1e-6); // all that threads waited may be its
}

/// Two threads on half a processor each: long executions have waited for it like everything else,
/// those of some us, of which few are switched out, have not.
static void test_busy_machine(void) {
  begin(0.5, 0);
  account.runnable_ns = quantity_of(0.5e9, 0.5e9, 0.5e9);
  add_loop(0, 0.8e9, 9e6, 0);
  add_loop(1, 0.8e9, 9e6, RETICLE_LOOP_HAS_CALLS);
  add_loop(2, 0.2e9, 6000, 0);
  for (int i = 0; i < 3; i++)
    stats[i].p50_ns = stats[i].p95_ns;
  profile.loop_count = 3;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(cpu[i].share.value, 0.8, 1e-6);
    CHECK_NEAR(cpu[i].share.low, 0.6, 1e-6); // all that threads waited may be its
    CHECK_NEAR(cpu[i].share.high, 1, 1e-6);
  }
  CHECK_NEAR(cpu[2].share.low, 0.4, 1e-6);
  // Two executions have no median.
  stats[0].p50_ns = quantity_none(QUANTITY_TOO_FEW, "too few samples for this percentile");
  loops[0].executions = 2;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  CHECK_NEAR(cpu[0].share.value, 0.8, 1e-6);
}

static void test_noise(void) {
  begin(0.5, 0.5);
  add_loop(0, 0.2e9, 1000, 0);
  stats[0].system_noise_ns = quantity_of(0.05e9, 0.05e9, 0.05e9);
  profile.loop_count = 1;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  CHECK_NEAR(cpu[0].share.value, 0.3, 1e-6);
}

/// Of the outer one it is known that it waited; the inner one, without facts, has no more.
static void test_nested(void) {
  begin(0.5, 0.5);
  add_loop(0, 0.9e9, 110000, RETICLE_LOOP_HAS_CALLS);
  add_loop(1, 0.8e9, 15000, RETICLE_LOOP_HAS_CALLS);
  loops[1].depth = 2;
  loops[1].flags |= (uint32_t)(loops[0].id & UINT16_MAX) << RETICLE_LOOP_OUTER_SHIFT;
  add_facts(100, 40000);
  profile.loop_count = 2;
  CHECK(loop_cpu(&profile, &account, stats, cpu));
  CHECK(cpu[1].share.value <= cpu[0].share.value + 1e-9);
  CHECK(cpu[0].share.value <= 1);
  CHECK_NEAR(cpu[0].share.value, 0.72, 0.05); // its own facts weigh more
}

static void test_unknown(void) {
  begin(0.5, 0.5);
  account.user_ns = quantity_none(QUANTITY_UNSUPPORTED, "no /proc");
  add_loop(0, 0.2e9, 1000, 0);
  profile.loop_count = 1;
  CHECK(!loop_cpu(&profile, &account, stats, cpu));
}

int main(void) {
  RUN(test_facts);
  RUN(test_without_facts);
  RUN(test_busy_machine);
  RUN(test_noise);
  RUN(test_nested);
  RUN(test_unknown);
  return unit_status();
}
