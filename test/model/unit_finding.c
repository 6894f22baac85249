// unit_finding.c - most to gain first, but a layout stands before the loops that it mends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/finding_parts.h"

#include <stdio.h>
#include <string.h>

static struct findings findings;

static void add(enum finding_code code, const char *about, double gain, const char *remedy) {
  struct finding *finding = findings_add(&findings, code);
  snprintf(finding->about, sizeof finding->about, "%s", about);
  snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy);
  finding->proof = FINDING_ESTIMATE;
  finding->gain = quantity_of(gain, 0, gain);
}

/// "S1 L2 ...", in order.
static const char *order(void) {
  static char line[200];
  findings_order(&findings);
  *line = 0;
  for (size_t i = 0; i < findings.count; i++)
    snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", i ? " " : "",
             findings.items[i].about);
  return line;
}

static void test_remedies(void) {
  add(FINDING_STALL_MEMORY, "L3", 0.28, "S1");
  add(FINDING_BIMODAL, "L1", 0.25, "");
  add(FINDING_LAYOUT_SPLIT, "S1", 0.22, "");
  add(FINDING_STALL_MEMORY, "L4", 0.10, "S1");
  CHECK_TEXT(order(), "S1 L3 L1 L4");
  CHECK_TEXT(text_get(&findings.items[1].change), "the layout of S1, as above");
  CHECK_TEXT(text_get(&findings.items[3].change), "the layout of S1, as above");
  findings_release(&findings);
}

static void test_without(void) {
  add(FINDING_STALL_MEMORY, "L3", 0.28, "S2"); // no finding on its layout: the change stays
  add(FINDING_BIMODAL, "L1", 0.25, "");
  add(FINDING_LAYOUT_ORDER, "S1", 0.22, "");
  CHECK_TEXT(order(), "L3 L1 S1");
  CHECK(!strstr(text_get(&findings.items[0].change), "above"));
  findings_release(&findings);
  add(FINDING_STALL_MEMORY, "L3", 0.28, "S1"); // refuted: last, and no remedy
  add(FINDING_LAYOUT_ORDER, "S1", 0.22, "");
  findings.items[1].proof = FINDING_REFUTED;
  CHECK_TEXT(order(), "L3 S1");
  CHECK(!strstr(text_get(&findings.items[0].change), "above"));
  findings_release(&findings);
}

/// What waits for a processor is no loop's own: one finding, on the one that lost most.
static void test_waits(void) {
  add(FINDING_WAITS_FOR_CPU, "L1", 0.08, "");
  add(FINDING_STALL_MEMORY, "L3", 0.07, "");
  add(FINDING_WAITS_FOR_CPU, "L2", 0.09, "");
  add(FINDING_WAITS_FOR_CPU, "L4", 0.05, "");
  finding_loops_fold(&findings);
  CHECK_TEXT(order(), "L2 L3");
  CHECK_TEXT(text_get(&findings.items[0].text), "; so did L1, L4");
  finding_loops_fold(&findings);
  CHECK_TEXT(order(), "L2 L3");
  findings_release(&findings);
  add(FINDING_STALL_MEMORY, "L3", 0.07, "");
  finding_loops_fold(&findings);
  CHECK_TEXT(order(), "L3");
  findings_release(&findings);
}

/// What is at stake stands behind what is known to be gained, however much it is.
static void test_at_stake(void) {
  add(FINDING_UNSTEADY, "L1", 0, "");
  findings.items[0].gain = quantity_none(QUANTITY_UNSUPPORTED, "its work isn't known");
  findings.items[0].proof = FINDING_UNPROVEN;
  findings.items[0].at_stake = 0.8;
  add(FINDING_LAYOUT_ORDER, "S1", 0.02, "");
  add(FINDING_STALL_CORE, "L2", 0.3, "");
  add(FINDING_WORK, "L3", 0, "");
  findings.items[3].gain = findings.items[0].gain;
  findings.items[3].at_stake = 0.01;
  add(FINDING_STALL_CORE, "L4", 0.004, "");
  CHECK_TEXT(order(), "L2 S1 L1 L4 L3");
  CHECK_EQUAL(findings.items[2].severity, FINDING_MEDIUM);
  CHECK_EQUAL(findings.items[4].severity, FINDING_LOW);
  findings_release(&findings);
}

int main(void) {
  RUN(test_remedies);
  RUN(test_without);
  RUN(test_at_stake);
  RUN(test_waits);
  return unit_status();
}
