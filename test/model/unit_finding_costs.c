// unit_finding_costs.c - the first screen: a row a problem, none that was tried, none on nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/finding/finding_costs.h"
#include "tools/model/finding/finding_parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 5 };
static struct finding items[8];
static struct findings findings = {.items = items};
static struct program_trials trials;

static struct finding *add(enum finding_code code, const char *about, double share) {
  struct finding *f = &items[findings.count++];
  *f = (struct finding){.code = code, .at_stake = share, .share = share};
  f->gain = quantity_none(QUANTITY_UNSUPPORTED, "not known");
  snprintf(f->about, sizeof f->about, "%s", about);
  return f;
}

/// "L1 L2": what the rows are about.
static const char *rows_of(bool is_study) {
  static char out[80];
  const struct finding *rows[MOST];
  size_t count = finding_costs(&findings, &trials, is_study, rows, MOST);
  *out = 0;
  for (size_t i = 0; i < count; i++)
    snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", i ? " " : "", rows[i]->about);
  findings.count = 0;
  return out;
}

static void test_one_a_place(void) {
  add(FINDING_STALL_MEMORY, "L1", 0.5);
  add(FINDING_UNSTEADY, "L1", 0.3);
  add(FINDING_UNSTEADY, "L2", 0.2);
  CHECK_TEXT(rows_of(true), "L1 L2");
}

static void test_possible(void) {
  add(FINDING_UNSTEADY, "L1", 0.4)->is_possible = true;
  add(FINDING_UNSTEADY, "L2", 0.3)->is_possible = true;
  add(FINDING_UNSTEADY, "L3", 0.2);
  add(FINDING_STALL_MEMORY, "L4", 0.1)->is_possible = true;
  for (size_t i = 0; i < 4; i++)
    items[i + 4] = items[i];
  CHECK_TEXT(rows_of(true), "L3");
  memcpy(items, items + 4, 4 * sizeof *items);
  findings.count = 4;
  CHECK_TEXT(rows_of(false), "L1 L3 L4"); // one of a kind
}

static void test_next_to_nothing(void) {
  add(FINDING_UNSTEADY, "L1", 0.009);
  add(FINDING_UNSTEADY, "L2", 0.2)->gain = quantity_of(0.001, 0.0005, 0.002);
  add(FINDING_UNSTEADY, "L3", 0.01);
  add(FINDING_HEAP_WASTE, "A1", 0); // not known
  CHECK_TEXT(rows_of(true), "L3 A1");
}

static void test_heat_is_elsewhere(void) {
  add(FINDING_HOT, "L1", 0.9);
  add(FINDING_LIBRARY_CALL, "L2", 0.5); // nothing is known to help
  struct finding *f = add(FINDING_LIBRARY_CALL, "L3", 0.4);
  text_add(&f->change, "find the length once");
  CHECK_TEXT(rows_of(true), "L3");
  text_release(&f->change);
}

/// An estimate of 14 % that a trial has at 0.98 isn't told.
static void test_tried(void) {
  struct program_trial trial = {.name = "layout-array", .result = CHANGE_DOES_NOT_PAY};
  text_add(&trial.place, "S1 order");
  trials = (struct program_trials){.items = &trial, .count = 1};
  add(FINDING_LAYOUT_ARRAY, "S1", 0.14);
  add(FINDING_LAYOUT_ARRAY, "S2", 0.12);
  add(FINDING_LAYOUT_SPLIT, "S3", 0.1)->proof = FINDING_REFUTED;
  CHECK_TEXT(rows_of(true), "S2");
  trial.result = CHANGE_NOT_TRIED;
  add(FINDING_LAYOUT_ARRAY, "S1", 0.14);
  CHECK_TEXT(rows_of(true), "S1");
  text_release(&trial.place);
  trials = (struct program_trials){0};
}

/// A loop that waits for a struct's fields: what was measured of its layouts, not an estimate.
static void test_layout_that_pays(void) {
  static const struct measurement m;
  struct program_trial tried[2] = {
      {.id = "R1",
       .name = "layout-array",
       .result = CHANGE_PAYS,
       .saved = quantity_of(0.14, 0.04, 0.21)},
      {.id = "R2", .name = "layout-order", .result = CHANGE_DOES_NOT_PAY}};
  struct finding *f = add(FINDING_STALL_MEMORY, "L4", 0.3);
  text_add(&tried[0].place, "S1 order");
  text_add(&tried[0].write, "px in an array of its own");
  text_add(&tried[1].place, "S1 order");
  text_add(&f->change, "1.0x to 3.2x (estimate)");
  snprintf(f->remedy, sizeof f->remedy, "S1");
  trials = (struct program_trials){.items = tried, .count = 2};
  finding_trial_add(&m, &trials, f);
  CHECK_TEXT(text_get(&f->change), "R1: px in an array of its own; saves 14 %, measured");
  text_clear(&f->change);
  text_add(&f->change, "1.0x to 3.2x (estimate)");
  tried[0].result = CHANGE_REFUTED;
  finding_trial_add(&m, &trials, f);
  CHECK_TEXT(text_get(&f->change),
             "1.0x to 3.2x (estimate); tried, and no gain was shown: layout-array, layout-order");
  snprintf(f->remedy, sizeof f->remedy, "S11"); // another struct
  text_clear(&f->change);
  finding_trial_add(&m, &trials, f);
  CHECK_TEXT(text_get(&f->change), "");
  text_release(&f->change);
  for (size_t i = 0; i < 2; i++) {
    text_release(&tried[i].place);
    text_release(&tried[i].write);
  }
  findings.count = 0;
  trials = (struct program_trials){0};
}

int main(void) {
  RUN(test_layout_that_pays);
  RUN(test_one_a_place);
  RUN(test_possible);
  RUN(test_next_to_nothing);
  RUN(test_heat_is_elsewhere);
  RUN(test_tried);
  return unit_status();
}
