// unit_problem.c - problems are kept in order, or heard at once and not kept; names are escaped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/support/problem.h"

static void test_kept(void) {
  struct problems problems = {0};
  problem_error(&problems, "%s: %d of %d", "a\nb", 1, 2);
  problem_lines(&problems, "one\ntwo\n");
  problem_warning(&problems, "odd");
  for (int i = 0; i < 10; i++)
    problem_note(&problems, "note %d", i);
  CHECK(problems.count == 13);
  CHECK(problems.items[0].grade == PROBLEM_ERROR);
  CHECK(strcmp(problems.items[0].text, "a\\nb: 1 of 2") == 0);
  CHECK(problems.items[1].grade == PROBLEM_LINES);
  CHECK(strcmp(problems.items[1].text, "one\ntwo\n") == 0);
  CHECK(problems.items[2].grade == PROBLEM_WARNING);
  CHECK(problems.items[12].grade == PROBLEM_NOTE);
  CHECK(strcmp(problems.items[12].text, "note 9") == 0);
  problems_release(&problems);
  CHECK(!problems.count && !problems.items);
}

static void hear(const struct problem *problem, void *context) {
  unsigned *seen = context;
  *seen = 10 * *seen + problem->grade + 1;
}

static void test_heard(void) {
  unsigned seen = 0;
  struct problems problems = {.hear = hear, .context = &seen};
  problem_note(&problems, "a");
  problem_error(&problems, "b");
  CHECK(seen == 31 && !problems.count);
  problems_release(&problems);
  CHECK(problems.hear == hear);
  problem_error(NULL, "nobody wants to know");
  problem_lines(NULL, "nor this");
}

int main(void) {
  RUN(test_kept);
  RUN(test_heard);
  return unit_status();
}
