// unit_topdown_estimate.c - shares without counters: ranges, sums, what is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_topdown.h"
#include "tools/analysis/topdown/topdown_estimate.h"

static struct quantity of(const struct topdown_result *result, const char *node) {
  return share(topdown_estimate_tree(), result, node);
}

static const char *leaf_name(size_t leaf) {
  return leaf == SIZE_MAX ? "" : topdown_estimate_tree()->nodes[leaf].name;
}

/// 1000 ns at one cycle a ns and 6 slots: 1200 instructions are 20 % of the slots.
static struct topdown_estimate_input make(void) {
  return (struct topdown_estimate_input){.tally = {.time = 1000, .execution = 200},
                                         .instructions = 1200,
                                         .cycles_per_ns = 1,
                                         .width = 6};
}

/// 600 ns in place, for which a load is a candidate cause; for 100 there is none.
static void test_memory(void) {
  struct topdown_estimate_input input = make();
  struct topdown_result result;
  size_t leaf;
  input.tally.static_stall = 100;
  input.tally.dynamic_stall = 700;
  input.tally.unexplained = 100;
  input.tally.groups[STALL_GROUP_MEMORY] = (struct stall_range){500, 600};
  input.tally.groups[STALL_GROUP_SPECULATION] = (struct stall_range){0, 100};
  input.tally.groups[STALL_GROUP_CORE] = (struct stall_range){100, 100};
  CHECK(!topdown_estimate(&input, &result, &leaf));
  CHECK_TEXT(leaf_name(leaf), "memory");
  CHECK_NEAR(of(&result, "memory").low, 0.5, 1e-9);
  CHECK_NEAR(of(&result, "memory").high, 0.7, 1e-9);
  CHECK_NEAR(of(&result, "retiring").value, 0.2, 1e-9);
  CHECK_NEAR(of(&result, "retiring").low, 0.15, 1e-9);
  CHECK_NEAR(of(&result, "retiring").high, 0.25, 1e-9);
  // What nothing explains may be anything: of the core, only what it takes by itself.
  CHECK_NEAR(of(&result, "core").high, 0.1 + 0.1 + 0.05, 1e-9);
  CHECK_NEAR(of(&result, "frontend").high, 0.1, 1e-9);
  CHECK_NEAR(of(&result, "bad_speculation").high, 0.2, 1e-9);
}

/// Ranges hold their values, and a child is no larger than its parent, whatever the tally.
static void test_sums(void) {
  uint64_t state = 88172645463325252u;
  for (int round = 0; round < 3000; round++) {
    double parts[14];
    for (int i = 0; i < 14; i++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      parts[i] = (double)(state % 1000);
    }
    struct topdown_estimate_input input = {
        .instructions = parts[0] * 6, .cycles_per_ns = 1, .width = 6};
    struct stall_tally *tally = &input.tally;
    *tally = (struct stall_tally){.execution = parts[1],
                                  .static_stall = parts[2],
                                  .dynamic_stall = parts[3],
                                  .mixed_stall = parts[4]};
    tally->time = 1 + parts[1] + parts[2] + parts[3] + parts[4];
    double left = parts[2] + parts[3] + parts[4];
    for (int g = 0; g < STALL_GROUPS; g++) {
      double high = left * parts[5 + g] / 1000;
      tally->groups[g] = (struct stall_range){high * parts[9 + g] / 1000, high};
    }
    tally->unexplained = left * parts[13] / 1000;
    struct topdown_result result;
    size_t leaf;
    CHECK(!topdown_estimate(&input, &result, &leaf));
    for (size_t i = 0; i < topdown_estimate_tree()->node_count; i++) {
      const struct quantity *s = &result.nodes[i].share;
      CHECK(s->low >= 0 && s->low <= s->value && s->value <= s->high && s->high <= 1);
      CHECK_TEXT(s->reason, "estimate");
    }
    CHECK(of(&result, "memory").value <= of(&result, "backend").value + 1e-9);
    CHECK(of(&result, "core").value <= of(&result, "backend").value + 1e-9);
  }
}

/// By itself a block waits for its core alone, and execution beyond retiring is the core's width.
static void test_core(void) {
  struct topdown_estimate_input input = make();
  struct topdown_result result;
  size_t leaf;
  input.tally.execution = 300;
  input.tally.static_stall = input.tally.unexplained = 700;
  CHECK(!topdown_estimate(&input, &result, &leaf));
  CHECK_TEXT(leaf_name(leaf), "core");
  CHECK_NEAR(of(&result, "core").low, 0.7 + 0.3 - 0.25, 1e-9);
  CHECK_NEAR(of(&result, "core").high, 0.7 + 0.3 - 0.15, 1e-9);
  CHECK_NEAR(of(&result, "memory").high, 0, 1e-9);
  CHECK_NEAR(of(&result, "frontend").high, 0, 1e-9);
}

static void test_retiring(void) {
  struct topdown_estimate_input input = make();
  struct topdown_result result;
  size_t leaf;
  input.tally.execution = 1000;
  input.instructions = 5600;
  CHECK(!topdown_estimate(&input, &result, &leaf));
  CHECK_TEXT(leaf_name(leaf), "retiring");
  CHECK_NEAR(of(&result, "retiring").high, 1, 1e-9);
}

/// Two that may both be the largest.
static void test_rival(void) {
  struct topdown_estimate_input input = make();
  struct topdown_result result;
  size_t leaf;
  input.tally.dynamic_stall = 800;
  input.tally.groups[STALL_GROUP_MEMORY] = (struct stall_range){300, 800};
  input.tally.groups[STALL_GROUP_SPECULATION] = (struct stall_range){0, 500};
  CHECK(!topdown_estimate(&input, &result, &leaf));
  CHECK_TEXT(leaf_name(leaf), "memory");
  CHECK_TEXT(leaf_name(topdown_estimate_rival(&result, leaf)), "mispredicts");
  input.tally.groups[STALL_GROUP_MEMORY] = (struct stall_range){700, 800};
  input.tally.groups[STALL_GROUP_SPECULATION] = (struct stall_range){0, 100};
  CHECK(!topdown_estimate(&input, &result, &leaf));
  CHECK(topdown_estimate_rival(&result, leaf) == SIZE_MAX);
}

static void test_refused(void) {
  struct topdown_estimate_input input = make();
  struct topdown_result result;
  size_t leaf;
  input.tally.uncounted = 501;
  CHECK(topdown_estimate(&input, &result, &leaf));
  input.tally.uncounted = 499;
  CHECK(!topdown_estimate(&input, &result, &leaf));
  input.width = 0;
  CHECK(topdown_estimate(&input, &result, &leaf));
  input = make();
  input.cycles_per_ns = NAN;
  CHECK(topdown_estimate(&input, &result, &leaf));
  input = make();
  input.tally.time = 0;
  CHECK(topdown_estimate(&input, &result, &leaf));
  CHECK(leaf == SIZE_MAX);
}

int main(void) {
  RUN(test_memory);
  RUN(test_sums);
  RUN(test_core);
  RUN(test_retiring);
  RUN(test_rival);
  RUN(test_refused);
  return unit_status();
}
