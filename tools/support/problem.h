// problem.h - what went wrong or is worth saying, as a value that goes up: commands alone print.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_PROBLEM_H
#define RETICLE_TOOLS_SUPPORT_PROBLEM_H

#include <stddef.h>

/// What a function returns that may fail: the kind of problem that kept it from its work. The
/// command makes an exit status of it. What runs programs may return 128 + the signal that ended it
/// instead.
enum problem_kind {
  PROBLEM_NONE,
  PROBLEM_FINDING,      ///< all went well, and what was looked for is there
  PROBLEM_USAGE,        ///< what was asked for can't be
  PROBLEM_UNREADABLE,   ///< a file, a program or this machine doesn't give what is needed
  PROBLEM_INCONCLUSIVE, ///< it can't be told
};

enum problem_grade {
  PROBLEM_ERROR,
  PROBLEM_WARNING,
  PROBLEM_NOTE,  ///< what is being done, where that is not obvious
  PROBLEM_LINES, ///< lines as they are, which belong to the problem before or behind them
};

/// One of them. The text: object first, lower case, have/need numbers, then the fix; one line
/// without its end, but for PROBLEM_LINES.
struct problem {
  enum problem_grade grade;
  char *text;
};

/// Problems in the order in which they came. Start with {0} to keep them, with `hear` to be told of
/// each at once, as where one waits for what is being done: nothing is kept then.
struct problems {
  void (*hear)(const struct problem *problem, void *context); ///< null: they are kept
  void *context;                                              ///< for hear
  struct problem *items;                                      ///< [count]
  size_t count, capacity;
};
void problems_release(struct problems *problems);

/// Adds one. Strings (%s) are escaped as by text_printf.
///
/// problems  null: nobody wants to know
void problem_error(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void problem_warning(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void problem_note(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Adds lines that are fit to be shown: they aren't escaped.
void problem_lines(struct problems *problems, const char *lines);

#endif
