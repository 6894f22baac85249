// unit_budgets.c - lines of a file of budgets, which loop has which, and what is no budget.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/loop/budgets.h"

#include <unistd.h>

static const char *write_file(const char *content) {
  static char path[] = "/tmp/unit_budgets.XXXXXX";
  static bool is_made;
  if (!is_made)
    close(mkstemp(path));
  is_made = true;
  FILE *stream = fopen(path, "w");
  fputs(content, stream);
  fclose(stream);
  return path;
}

static const struct profile_loop loop = {.id = 0x16d55eef1af1d9b5,
                                         .function = "_ZN4game4stepEv",
                                         .inlined_from = "",
                                         .file = "src/game.cc",
                                         .line = 12};

static double limit_of(const char *content) {
  struct budgets budgets;
  double limit = -1;
  if (!budgets_read(write_file(content), &budgets, NULL))
    return -2;
  const struct budget *found = budgets_find(&budgets, &loop);
  limit = found ? found->limit : -1;
  budgets_release(&budgets);
  return limit;
}

static void test_find(void) {
  CHECK_NEAR(limit_of("game::step 5%\n"), 0.05, 1e-9);
  CHECK_NEAR(limit_of("_ZN4game4stepEv 5%"), 0.05, 1e-9);
  CHECK_NEAR(limit_of("game.cc\t2.5 %   # its file\n"), 0.025, 1e-9);
  CHECK_NEAR(limit_of("src/game.cc 0%\n"), 0, 1e-9);
  CHECK_NEAR(limit_of("16d55eef 7%\n"), 0.07, 1e-9);
  CHECK_NEAR(limit_of("ame.cc 7%\n16d55 9%\nstep 3%\n"), -1, 1e-9);
  CHECK_NEAR(limit_of("game.cc 1%\n\n# the last that fits\ngame::step 4%\n"), 0.04, 1e-9);
  CHECK_NEAR(limit_of(""), -1, 1e-9);
}

static void test_bad(void) {
  CHECK_NEAR(limit_of("game.cc\n"), -2, 1e-9);
  CHECK_NEAR(limit_of("5%\n"), -2, 1e-9);
  CHECK_NEAR(limit_of("game.cc 5\n"), -2, 1e-9);
  CHECK_NEAR(limit_of("game.cc -5%\n"), -2, 1e-9);
  CHECK_NEAR(limit_of("game.cc nan%\n"), -2, 1e-9);
  CHECK_NEAR(limit_of("game.cc 5%%\n"), -2, 1e-9);
  struct budgets budgets;
  CHECK(!budgets_read("/nonexistent/budgets", &budgets, NULL));
}

int main(void) {
  RUN(test_find);
  RUN(test_bad);
  unlink(write_file(""));
  return unit_status();
}
