// unit_finding.c - most to gain first, but a layout stands before the loops that it mends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/measurement/lazy.h"

#include <math.h>

#include <stdio.h>
#include <string.h>

static struct findings findings;

static void add(enum finding_code code, const char *about, double gain, const char *remedy) {
  struct finding *finding = findings_add(&findings, code);
  snprintf(finding->about, sizeof finding->about, "%s", about);
  snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy);
  finding->proof = FINDING_ESTIMATE;
  finding->gain = quantity_of(gain, 0.8 * gain, 1.2 * gain);
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
  CHECK_TEXT(text_get(&findings.items[1].change), "the layout of S1: reticle show S1");
  CHECK_TEXT(text_get(&findings.items[3].change), "the layout of S1: reticle show S1");
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
static void add_waits(const char *about, double share) {
  add(FINDING_WAITS_FOR_CPU, about, 0, "");
  struct finding *finding = &findings.items[findings.count - 1];
  finding->gain = quantity_none(QUANTITY_UNSUPPORTED, "not known");
  finding->at_stake = share;
}

/// It is no CPU time, and stands behind what is.
static void test_waits(void) {
  add_waits("L1", 0.08);
  add(FINDING_STALL_MEMORY, "L3", 0.07, "");
  add_waits("L2", 0.09);
  add_waits("L4", 0.05);
  finding_loops_fold(&findings);
  CHECK_TEXT(order(), "L3 L2");
  CHECK_EQUAL(findings.items[1].base, FINDING_OF_THREADS);
  CHECK_TEXT(text_get(&findings.items[1].text), "; so did L1, L4");
  finding_loops_fold(&findings);
  CHECK_TEXT(order(), "L3 L2");
  findings_release(&findings);
  add(FINDING_STALL_MEMORY, "L3", 0.07, "");
  finding_loops_fold(&findings);
  CHECK_TEXT(order(), "L3");
  findings_release(&findings);
}

/// What is at stake counts as half, plain heat as a quarter.
static void test_at_stake(void) {
  add(FINDING_LIBRARY_CALL, "L1", 0, "");
  add(FINDING_LAYOUT_ORDER, "S1", 0.02, "");
  add(FINDING_STALL_CORE, "L2", 0.3, "");
  add(FINDING_HOT, "L3", 0, "");
  for (size_t i = 0; i < 4; i += 3) {
    findings.items[i].gain = quantity_none(QUANTITY_UNSUPPORTED, "not known");
    findings.items[i].proof = FINDING_UNPROVEN;
    findings.items[i].at_stake = findings.items[i].share = 0.8;
  }
  text_add(&findings.items[0].change, "reserve the room ahead");
  CHECK_TEXT(order(), "L1 L2 L3 S1");
  CHECK_EQUAL(findings.items[0].severity, FINDING_MEDIUM);
  findings_release(&findings);
}

/// A call without a known remedy is plain heat; a cause that tells of its place's heat stands where
/// that would.
static void test_heat(void) {
  add(FINDING_LIBRARY_CALL, "L1", 0, "");
  add(FINDING_STALL_CORE, "L2", 0.3, "");
  add(FINDING_STALL_SPECULATION, "L3", 0.1, "");
  findings.items[0].gain = quantity_none(QUANTITY_UNSUPPORTED, "not known");
  findings.items[0].at_stake = findings.items[0].share = 0.8;
  CHECK_TEXT(order(), "L2 L1 L3");
  findings.items[2].heat = 0.9;
  CHECK_TEXT(order(), "L2 L3 L1");
  findings_release(&findings);
}

static struct quantity wide(double value, double low, double high) {
  return quantity_of(value, low, high);
}

/// The middle ranks, not the upper end; what may be nothing, or isn't known to a factor of 4,
/// stands behind; what was measured stands in front, if it is worth it.
static void test_shown(void) {
  add(FINDING_STALL_CORE, "L1", 0.015, "");
  add(FINDING_STALL_CORE, "L2", 0.012, "");
  findings.items[1].gain = wide(0.012, 0.010, 0.024);
  add(FINDING_STALL_CORE, "L3", 0, "");
  findings.items[2].gain = wide(0.5, 0, 0.92);
  add(FINDING_STALL_CORE, "L4", 0, "");
  findings.items[3].gain = wide(0.4, 0.1, 0.7);
  CHECK_TEXT(order(), "L1 L2 L3 L4");
  CHECK(!findings.items[1].is_possible && findings.items[2].is_possible &&
        findings.items[3].is_possible);
  CHECK_EQUAL(findings.items[2].severity, FINDING_LOW);
  findings.items[1].proof = FINDING_MEASURED; // what it costs: no change was made
  CHECK_TEXT(order(), "L1 L2 L3 L4");
  findings.items[1].code = FINDING_LAYOUT_ORDER;
  findings.items[3].proof = FINDING_REFUTED;
  CHECK_TEXT(order(), "L2 L1 L3 L4");
  findings_release(&findings);
}

static const char *gain_of(const struct finding *finding) {
  static char text[200];
  struct text out = {0};
  finding_add_gain(finding, finding_base_words(finding), &out);
  snprintf(text, sizeof text, "%s", text_get(&out));
  text_release(&out);
  return text;
}

static void test_words(void) {
  add(FINDING_STALL_CORE, "L1", 0.5, "");
  struct finding *f = &findings.items[0];
  CHECK_TEXT(gain_of(f), "saves about 50 % of the CPU time (40 % to 60 %, estimate)");
  f->proof = FINDING_MEASURED;
  CHECK_TEXT(gain_of(f), "costs 50 % of the CPU time (40 % to 60 %, measured)");
  f->code = FINDING_LAYOUT_ORDER;
  CHECK_TEXT(gain_of(f), "saves 50 % of the CPU time (40 % to 60 %, measured)");
  f->code = FINDING_STALL_CORE;
  f->proof = FINDING_REFUTED;
  CHECK_TEXT(gain_of(f), "refuted");
  f->proof = FINDING_UNPROVEN;
  f->gain = quantity_none(QUANTITY_UNSUPPORTED, "");
  CHECK_TEXT(gain_of(f), "gain not known");
  f->at_stake = 0.25;
  f->is_possible = true;
  CHECK_TEXT(gain_of(f), "possible: costs at most 25 % of the CPU time");
  f->code = FINDING_HOT;
  f->is_possible = false;
  f->share = 0.625;
  CHECK_TEXT(gain_of(f), "takes 62 % of the CPU time");
  findings_release(&findings);
  add(FINDING_PARALLEL_WAITS, "W1", 0.5, "");
  CHECK_TEXT(gain_of(&findings.items[0]),
             "saves about 50 % of its threads' time (40 % to 60 %, estimate)");
  findings_release(&findings);
}

/// Whatever was measured, a gain stays within its place: beyond it by more than an error it is
/// none.
static void test_rules(void) {
  static const double numbers[] = {-1, 0, 0.01, 0.3, 0.31, 0.9, 1, 2.19, 80.54, INFINITY, NAN};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  for (size_t a = 0; a < COUNT * COUNT * COUNT; a++) {
    add(FINDING_UNSTEADY, "L1", 0, "");
    findings.items[0].share = numbers[a % COUNT];
    findings.items[0].gain.value = numbers[a / COUNT % COUNT];
    findings.items[0].gain.low = findings.items[0].gain.high = findings.items[0].at_stake =
        numbers[a / COUNT / COUNT];
    if (findings.items[0].share < 0) // no such place
      findings.items[0].share = 0;
    order();
    const char *rule = finding_broken_rule(&findings.items[0]);
    if (rule)
      printf("share %g, gain %g, ends %g\n", numbers[a % COUNT], numbers[a / COUNT % COUNT],
             numbers[a / COUNT / COUNT]);
    CHECK(!rule);
    findings_release(&findings);
  }
  add(FINDING_UNSTEADY, "L1", 2.19, "");
  findings.items[0].share = 0.98;
  CHECK_TEXT(finding_broken_rule(&findings.items[0]), "a gain above the share of its place");
  order();
  CHECK_EQUAL(findings.items[0].gain.status, QUANTITY_TOO_NOISY);
  findings_release(&findings);
  add(FINDING_UNSTEADY, "L1", 0.3, "");
  findings.items[0].share = 0.31;
  order();
  CHECK_NEAR(findings.items[0].gain.high, 0.31, 1e-9);
  findings_release(&findings);
}

static struct quantity ns(double value) { return quantity_of(value, value, value); }

/// A proxy's 2,223 faults weren't 10 ms each: samples of the kernel are of the network's
/// interrupts.
static void test_interrupts_are_no_faults(void) {
  CHECK_NEAR(finding_faults_ns(0.67e9, 2223), 66.69e6, 1);
  CHECK_NEAR(finding_faults_ns(0.5e9, 543000), 0.5e9, 1);
}

/// SoX writes 16 kB at a time: nothing to gather, as its time is the kernel's.
static void test_written(void) {
  struct heat_time t = {.user_ns = 8e6, .system_ns = 92e6};
  CHECK_EQUAL(finding_call_remedy("fwrite", &t), REMEDY_WRITE_LARGER);
  t = (struct heat_time){.user_ns = 92e6, .system_ns = 8e6};
  CHECK_EQUAL(finding_call_remedy("fwrite", &t), REMEDY_WRITE_MORE_AT_ONCE);
  t = (struct heat_time){.user_ns = 8e6, .fault_ns = 92e6};
  CHECK_EQUAL(finding_call_remedy("fwrite", &t), REMEDY_NONE);
  CHECK_EQUAL(finding_call_remedy("memset", &t), REMEDY_CLEAR_LESS);
}

/// haproxy's clock is read by one line, inlined into two functions; in a loop it is another matter.
static void test_copies_of_a_call(void) {
  static char clock_name[] = "clock_gettime", function[] = "now_cpu_time";
  static const struct measured_loop loop;
  struct heat_place places[] = {{.function = function, .linkage = "enter"},
                                {.function = function, .linkage = "leave"},
                                {.function = function, .linkage = "poll", .loop = &loop}};
  const struct heat heat = {.places = places, .place_count = 3};
  struct heat_call a = {.callee = clock_name, .place = 0, .file = "clock.c", .line = 68}, b = a;
  b.place = 1;
  CHECK(finding_calls_are_one(&heat, &a, &b));
  b.line = 70;
  CHECK(!finding_calls_are_one(&heat, &a, &b));
  b = a;
  b.place = 2;
  CHECK(!finding_calls_are_one(&heat, &a, &b));
}

/// LULESH's kernel time is that of its faults; 10 us a fault is something else; a few faults are no
/// finding.
static void test_faults(void) {
  struct measurement m = {.account = {.threads_ns = ns(4.26e9),
                                      .user_ns = ns(3.32e9),
                                      .system_ns = ns(0.86e9),
                                      .minor_faults = 543000},
                          .lazy = lazy_new()};
  finding_faults_add(&m, &findings);
  CHECK_EQUAL(findings.count, 1);
  CHECK_EQUAL(findings.items[0].code, FINDING_FAULTS);
  CHECK_NEAR(findings.items[0].gain.high, 0.86 / 4.18, 1e-3);
  CHECK_NEAR(findings.items[0].gain.low, 0,
             1e-9); // they may all be of memory touched for the first time
  CHECK(strstr(text_get(&findings.items[0].text), "543k page faults, of at most 1.58 us each"));
  findings_release(&findings);
  m.account.minor_faults = 320000; // 2.7 us: at most 2 of it are the fault's
  finding_faults_add(&m, &findings);
  CHECK_NEAR(findings.items[0].gain.high, 0.64 / 4.18, 1e-3);
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
  lazy_free(m.lazy);
}

int main(void) {
  RUN(test_words);
  RUN(test_rules);
  RUN(test_shown);
  RUN(test_copies_of_a_call);
  RUN(test_written);
  RUN(test_faults);
  RUN(test_interrupts_are_no_faults);
  RUN(test_remedies);
  RUN(test_without);
  RUN(test_at_stake);
  RUN(test_heat);
  RUN(test_waits);
  return unit_status();
}
