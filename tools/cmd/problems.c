// problems.c - prints problems in the one form that messages have, and has the table of statuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/problems.h"

#include "tools/support/messages.h"

#include <stdio.h>

/// The text is escaped already, and escaping it once more changes nothing.
static void show(const struct problem *problem, void *context) {
  (void)context;
  switch (problem->grade) {
  case PROBLEM_ERROR:
    message_error("%s", problem->text);
    break;
  case PROBLEM_WARNING:
    message_warning("%s", problem->text);
    break;
  case PROBLEM_NOTE:
    message_note("%s", problem->text);
    break;
  case PROBLEM_LINES:
    fputs(problem->text, stderr);
    break;
  }
}

struct problems *problems_shown(void) {
  static struct problems shown = {.hear = show};
  return &shown;
}

int exit_status(int kind) {
  switch (kind) {
  case PROBLEM_NONE:
    return EXIT_FINE;
  case PROBLEM_FINDING:
    return EXIT_FINDING;
  case PROBLEM_USAGE:
    return EXIT_USAGE;
  case PROBLEM_UNREADABLE:
    return EXIT_UNREADABLE;
  case PROBLEM_INCONCLUSIVE:
    return EXIT_INCONCLUSIVE;
  default:
    return kind;
  }
}
