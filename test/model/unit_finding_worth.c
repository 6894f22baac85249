// unit_finding_worth.c - findings whose loops overlap count once; others add up, to 1 at most.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/finding/finding_worth.h"

#include <stdio.h>

enum { LOOPS = 4 };

/// Loops of a function each, by line; those that don't call are of class F.
static struct profile_loop records[LOOPS] = {
    {.id = 1,
     .function = "f",
     .file = "a.c",
     .line = 10,
     .depth = 1,
     .work_class = RETICLE_WORK_CLASS_P},
    {.id = 2,
     .function = "f",
     .file = "a.c",
     .line = 12,
     .depth = 2,
     .work_class = RETICLE_WORK_CLASS_F},
    {.id = 3,
     .function = "f",
     .file = "a.c",
     .line = 20,
     .depth = 1,
     .work_class = RETICLE_WORK_CLASS_F},
    {.id = 4,
     .function = "g",
     .file = "a.c",
     .line = 30,
     .depth = 1,
     .work_class = RETICLE_WORK_CLASS_F},
};
static struct measured_loop loops[LOOPS];
static struct struct_pair pairs[] = {{3, 0}, {4, 0}};
static struct measurement m = {.loops = loops,
                               .loop_count = LOOPS,
                               .structs = {.pairs = (void *)pairs, .pair_count = 2, .count = 1}};

static struct finding finding_on(const char *about, double gain, enum finding_proof proof) {
  struct finding finding = {.proof = proof, .gain = quantity_of(gain, gain / 2, gain)};
  snprintf(finding.about, sizeof finding.about, "%s", about);
  return finding;
}

static double worth(struct finding a, struct finding b, enum finding_proof least) {
  struct finding items[] = {a, b};
  struct findings findings = {.items = items, .count = 2};
  return findings_worth(&m, &findings, least);
}

static double of(const char *a, const char *b) {
  return worth(finding_on(a, 0.3, FINDING_ESTIMATE), finding_on(b, 0.2, FINDING_ESTIMATE),
               FINDING_UNPROVEN);
}

static void test_overlaps(void) {
  CHECK_NEAR(of("L2", "L3"), 0.5, 1e-9);
  CHECK_NEAR(of("L1", "L2"), 0.3, 1e-9); // one in the other
  CHECK_NEAR(of("L1", "L3"), 0.5, 1e-9); // one behind the other
  CHECK_NEAR(of("S1", "L4"), 0.3, 1e-9); // uses the struct
  CHECK_NEAR(of("S1", "L2"), 0.5, 1e-9);
  CHECK_NEAR(of("A1", "L2"), 0.3, 1e-9); // may be anywhere
}

static void test_calls(void) {
  CHECK_NEAR(of("L1", "L4"), 0.5, 1e-9);
  records[0].work_class = RETICLE_WORK_CLASS_C;
  CHECK_NEAR(of("L1", "L4"), 0.3, 1e-9);
  CHECK_NEAR(of("L1", "L3"), 0.5, 1e-9); // of its own function, and not inside
  records[0].work_class = RETICLE_WORK_CLASS_P;
}

static void test_limits(void) {
  struct finding high = finding_on("L2", 0.8, FINDING_ESTIMATE),
                 other = finding_on("L4", 0.7, FINDING_MEASURED);
  CHECK_NEAR(worth(high, other, FINDING_UNPROVEN), 1, 1e-9);
  CHECK_NEAR(worth(high, other, FINDING_MEASURED), 0.7, 1e-9);
  other.proof = FINDING_REFUTED;
  CHECK_NEAR(worth(high, other, FINDING_UNPROVEN), 0.8, 1e-9);
  high.gain = quantity_none(QUANTITY_TOO_FEW, "few");
  CHECK_NEAR(worth(high, other, FINDING_UNPROVEN), 0, 1e-9);
}

int main(void) {
  for (size_t i = 0; i < LOOPS; i++)
    loops[i] = (struct measured_loop){.loop = &records[i], .rank = i + 1};
  RUN(test_overlaps);
  RUN(test_calls);
  RUN(test_limits);
  return unit_status();
}
