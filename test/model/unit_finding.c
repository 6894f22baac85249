// unit_finding.c - most to gain first, but a layout stands before the loops that it mends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/finding/finding_parts.h"

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

/// In the order of the number that is shown: of an estimate the most that it may be.
static void test_shown(void) {
  add(FINDING_STALL_CORE, "L1", 0.015, "");
  add(FINDING_STALL_CORE, "L2", 0, "");
  findings.items[1].gain = quantity_of(0.012, 0.001, 0.024);
  CHECK_TEXT(order(), "L2 L1");
  findings.items[0].proof = findings.items[1].proof = FINDING_MEASURED;
  CHECK_TEXT(order(), "L1 L2");
  findings_release(&findings);
}

static struct quantity ns(double value) { return quantity_of(value, value, value); }

/// LULESH's kernel time is that of its faults; 10 us a fault is something else; a few faults are no
/// finding.
static void test_faults(void) {
  struct measurement m = {.account = {.threads_ns = ns(4.26e9),
                                      .user_ns = ns(3.32e9),
                                      .system_ns = ns(0.86e9),
                                      .minor_faults = 543000}};
  finding_faults_add(&m, &findings);
  CHECK_EQUAL(findings.count, 1);
  CHECK_EQUAL(findings.items[0].code, FINDING_FAULTS);
  CHECK_NEAR(findings.items[0].gain.high, 0.86 / 4.26, 1e-3);
  CHECK(findings.items[0].gain.low == 0);
  CHECK(strstr(text_get(&findings.items[0].text), "543k page faults: 1.58 us"));
  findings_release(&findings);
  m.account.minor_faults = 320000; // 2.7 us: at most 2 of it are the fault's
  finding_faults_add(&m, &findings);
  CHECK_NEAR(findings.items[0].gain.high, 0.64 / 4.26, 1e-3);
  findings_release(&findings);
  m.account.minor_faults = 86000;
  finding_faults_add(&m, &findings);
  m.account.minor_faults = 543000;
  m.account.system_ns = ns(0.1e9);
  finding_faults_add(&m, &findings);
  m.account.system_ns = quantity_none(QUANTITY_UNSUPPORTED, "no /proc");
  finding_faults_add(&m, &findings);
  m.account.system_ns = ns(0.86e9);
  m.account.no_counts = "no getrusage";
  finding_faults_add(&m, &findings);
  CHECK_EQUAL(findings.count, 0);
  findings_release(&findings);
}

int main(void) {
  RUN(test_shown);
  RUN(test_faults);
  RUN(test_remedies);
  RUN(test_without);
  RUN(test_at_stake);
  RUN(test_waits);
  return unit_status();
}
