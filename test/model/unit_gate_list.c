// unit_gate_list.c - how long a loop is taken to be, and its line in the list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/study/gate_list.h"

#define MILLION 1000000

static const struct quantity unknown = {.status = QUANTITY_TOO_FEW, .reason = ""};

static struct quantity ns(double value) { return quantity_of(value, value, value); }

static struct measured_loop loop_of(struct profile_loop *loop, uint64_t id, uint64_t executions) {
  *loop = (struct profile_loop){.id = id, .function = "f", .inlined_from = "f", .file = "a.c"};
  struct measured_loop m = {.loop = loop, .function = (char *)"f"};
  m.stats = (struct loop_stats){
      .executions = executions, .mean_ns = unknown, .p50_ns = unknown, .max_ns = unknown};
  return m;
}

/// Adds the list for the loop in a run of a second, beside a region that is over the budget by
/// itself.
static void list(struct measured_loop *loop, struct text *out) {
  struct profile_loop region;
  struct measured_loop loops[2] = {*loop, loop_of(&region, 2, 6 * MILLION)};
  loops[1].region = "parse";
  struct measurement m = {.loops = loops, .loop_count = 2};
  struct gate_choice choice;
  m.overview.cpu_ns = ns(1e9);
  CHECK(!gate_list_add(&m, GATE_BUDGET_PERMILLE, out, &choice));
}

static bool is_listed(struct measured_loop *loop) {
  struct text out = {0};
  list(loop, &out);
  bool found = strstr(text_get(&out), "\nloop:") != NULL;
  text_release(&out);
  return found;
}

static void test_duration(void) {
  struct profile_loop record;
  struct measured_loop loop = loop_of(&record, 1, 4 * MILLION);
  CHECK(!is_listed(&loop)); // 250 ns at most is all that is known
  loop.stats.mean_ns = ns(50);
  CHECK(is_listed(&loop));
  loop.stats.mean_ns = unknown;
  loop.stats.p50_ns = ns(50);
  CHECK(is_listed(&loop));
  loop.stats.p50_ns = unknown;
  loop.stats.max_ns = ns(50);
  loop.stats.samples = 1;
  CHECK(!is_listed(&loop));
  loop.stats.samples = 2;
  CHECK(is_listed(&loop));
  loop.stats.max_ns = ns(201);
  CHECK(!is_listed(&loop));
}

// A second by 10 million entries is 100 ns, without a sample; not where they lie in one another.
static void test_bound(void) {
  struct profile_loop record;
  struct measured_loop loop = loop_of(&record, 1, 10 * MILLION);
  CHECK(is_listed(&loop));
  loop.stats.mean_ns = ns(5000);
  CHECK(is_listed(&loop));
  loop.stats.is_recursive = true;
  CHECK(!is_listed(&loop));
}

static void test_line(void) {
  struct profile_loop record;
  struct text out = {0};
  struct measured_loop loop = loop_of(&record, 0xabc, 20 * MILLION);
  record.line = 7;
  loop.stats.mean_ns = ns(30);
  loop.inlined_into = (char *)"caller\nloop:*";
  list(&loop, &out);
  CHECK_CONTAINS(text_get(&out), "# Left out: 1 of 2 loops, 76.9 % of all entries. ");
  CHECK_CONTAINS(text_get(&out), "entries of about 30 ns\nloop:0000000000000abc\n");
  CHECK(!strstr(text_get(&out), "\nloop:*")); // no line by a name's grace
  text_release(&out);
  loop.region = "r";
  CHECK(!is_listed(&loop));
}

static void test_unknown(void) {
  struct measurement m = {.overview.cpu_ns = unknown};
  struct gate_choice choice;
  struct text out = {0};
  CHECK_TEXT(gate_list_add(&m, GATE_BUDGET_PERMILLE, &out, &choice),
             "the CPU time of the run isn't known");
  text_release(&out);
}

static void test_note(void) {
  struct profile_loop record;
  struct measured_loop loop = loop_of(&record, 1, 19 * MILLION);
  struct measurement m = {.loops = &loop, .loop_count = 1};
  m.overview.cpu_ns = ns(1e9);
  gate_list_note(&m);
  CHECK_EQUAL(m.notes.count, 0);
  loop.stats.executions = 21 * MILLION;
  gate_list_note(&m);
  CHECK_EQUAL(m.notes.count, 1);
  CHECK_TEXT(m.notes.items[0].code, "gate_cost");
  CHECK_CONTAINS(m.notes.items[0].text, "gates took about 2.1 % of the CPU time");
  notes_release(&m.notes);
}

int main(void) {
  RUN(test_duration);
  RUN(test_bound);
  RUN(test_line);
  RUN(test_unknown);
  RUN(test_note);
  return unit_status();
}
