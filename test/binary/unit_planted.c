// unit_planted.c - stall causes of recorded runs: from code, samples and cycles to the same names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hottest blocks of lit/tools/Inputs/planted.c, Intel Xeon (model 207), 2026-11-22, 1997 Hz:
// bytes of each instruction, and the samples that lay on it (not yet moved to the one before).
#include "test/unit.h"
#include "tools/analysis/block/blame.h"
#include "tools/program/evidence.h"

enum { INSTRUCTIONS_MOST = 20 };

static const struct recorded {
  const char *name;
  enum stall_cause expected;
  bool is_loop;
  double cycles, isolated;
  struct {
    const char *code; ///< in hex
    double samples;
  } instructions[INSTRUCTIONS_MOST];
} all[] = {
    {"divide",
     STALL_CAUSE_DIVIDER,
     true,
     15.7,
     15,
     {{"4989c8", 1},
      {"4809f8", 0},
      {"48ffc1", 0},
      {"4983c803", 0},
      {"31d2", 15},
      {"49f7f0", 17},
      {"4839ce", 485},
      {"75e9", 0}}},
    {"chase",
     STALL_CAUSE_D_CACHE,
     true,
     623,
     4.95,
     {{"488b00", 0}, {"48ffc9", 465}, {"4839ce", 13}, {"75f5", 0}}},
    {"chase_operand",
     STALL_CAUSE_D_CACHE,
     true,
     518,
     13.3,
     {{"6548ff0530940000", 0}, {"48034008", 0}, {"48ffce", 526}, {"75ef", 0}}},
    {"multiply",
     STALL_CAUSE_MULTIPLIER,
     true,
     13,
     12,
     {{"6548ff0548930000", 0},
      {"480fafc0", 0},
      {"480fafc0", 123},
      {"480fafc0", 133},
      {"480fafc0", 117},
      {"48ffce", 126},
      {"75e3", 0}}},
    {"float_divide",
     STALL_CAUSE_DIVIDER,
     true,
     14.3,
     13,
     {{"660f28d0", 0},
      {"660f28c1", 1},
      {"f20f5ec2", 0},
      {"48ffc8", 448},
      {"4839c6", 0},
      {"75ec", 0}}},
    {"store",
     STALL_CAUSE_WRITE_BUFFER,
     true,
     24.8,
     1.25,
     {{"4989c1", 1},
      {"4921d1", 324},
      {"4e8904c9", 21},
      {"49ffc0", 147},
      {"4883c008", 1},
      {"4c39c6", 4},
      {"75ea", 0}}},
    {"last_divide",
     STALL_CAUSE_DIVIDER,
     false,
     13.2,
     NAN,
     {{"6548ff05098c0000", 0},
      {"48b90000000000000080", 0},
      {"4809c8", 0},
      {"31d2", 61},
      {"48f7f6", 0},
      {"c3", 487}}},
    {"cheap",
     STALL_CAUSE_NONE,
     true,
     3.99,
     3.53,
     {{"4883c103", 39},
      {"4c31d1", 44},
      {"4883f005", 92},
      {"4c29d0", 54},
      {"4983c801", 76},
      {"4d01d0", 36},
      {"4d89cb", 47},
      {"4d89d1", 14},
      {"4c01d7", 20},
      {"4883e2fd", 60},
      {"4c31d2", 44},
      {"49ffc2", 70},
      {"4983c3f9", 41},
      {"49f7d1", 23},
      {"4d21d9", 45},
      {"4883cf09", 32},
      {"4939f2", 31},
      {"75c5", 0}}},
    {"scan",
     STALL_CAUSE_D_CACHE,
     true,
     16.8,
     1.25,
     {{"4c89db", 0},
      {"4c21c3", 3},
      {"480304da", 0},
      {"4983c308", 736},
      {"49ffca", 1},
      {"4c39d6", 13},
      {"75ea", 0}}},
};

static size_t parse(const char *hex, uint8_t *out) {
  size_t count = 0;
  for (; hex[0] && hex[1]; hex += 2) {
    const char digits[] = {hex[0], hex[1], 0};
    out[count++] = (uint8_t)strtoul(digits, NULL, 16);
  }
  return count;
}

static void look(const struct recorded *r, struct stall_tally *tally) {
  struct stall_instruction code[INSTRUCTIONS_MOST] = {0};
  double sampled[INSTRUCTIONS_MOST] = {0}, blamed[INSTRUCTIONS_MOST];
  struct stall_block block = {.executions = 1e6,
                              .cycles = r->cycles,
                              .isolated = r->isolated,
                              .loop = r->is_loop ? 0 : STALL_NO_LOOP};
  const struct stall_edge back = {0, 0, 1e6, false, false};
  const size_t parents[] = {STALL_NO_LOOP};
  struct stall_input in = {.instructions = code,
                           .blocks = &block,
                           .block_count = 1,
                           .edges = &back,
                           .edge_count = r->is_loop,
                           .loop_parents = parents,
                           .loop_count = 1};
  for (; block.count < INSTRUCTIONS_MOST && r->instructions[block.count].code; block.count++) {
    uint8_t bytes[16];
    size_t length = parse(r->instructions[block.count].code, bytes);
    evidence_describe(bytes, length, 0x1000, &code[block.count]);
    sampled[block.count] = r->instructions[block.count].samples;
  }
  in.instruction_count = block.count;
  blame_shift(&in, sampled, blamed);
  for (size_t i = 0; i < block.count; i++)
    code[i].time = blamed[i];
  block.limit = evidence_limit(&in, 0, BLOCK_CORE_GOLDEN_COVE);
  stall_causes_find(&in, NULL, tally);
}

static void test_recorded(void) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct stall_tally tally;
    look(&all[i], &tally);
    enum stall_cause named = stall_cause_named(&tally);
    if (named != all[i].expected)
      UNIT_FAIL("%s: %s is named, not %s", all[i].name, stall_cause_name(named),
                stall_cause_name(all[i].expected));
    CHECK_NEAR((tally.execution + tally.static_stall + tally.dynamic_stall + tally.mixed_stall -
                tally.gain) /
                   tally.time,
               1, 1e-9);
  }
}

// The same scan, were its samples blamed on where they lie: an addition of a constant.
static void test_unshifted(void) {
  struct recorded scan = all[sizeof all / sizeof *all - 1];
  struct stall_tally tally;
  CHECK_TEXT(scan.name, "scan");
  scan.instructions[4].samples = scan.instructions[3].samples;
  scan.instructions[3].samples = 0;
  look(&scan, &tally);
  CHECK_EQUAL(stall_cause_named(&tally), STALL_CAUSE_NONE);
}

// In place as by itself: nothing but the static stall is left, and no cache is suspected.
static void test_no_gap(void) {
  struct recorded scan = all[sizeof all / sizeof *all - 1];
  struct stall_tally tally;
  scan.cycles = scan.isolated;
  look(&scan, &tally);
  CHECK_EQUAL(stall_cause_named(&tally), STALL_CAUSE_NONE);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].high, 0, 1e-9);
}

int main(void) {
  RUN(test_recorded);
  RUN(test_unshifted);
  RUN(test_no_gap);
  return unit_status();
}
