// budgets.h - what a gate allows single loops and functions, from a small file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line each, "#" starts a comment, the last one that fits counts:
//
//   parse_line      5%     # all loops of the function
//   src/table.c     10%    # of the file, by its name or the end of its path
//   16d55eef1af1    1%     # the loop of the stable id, or what starts with it
#ifndef RETICLE_TOOLS_MODEL_LOOP_BUDGETS_H
#define RETICLE_TOOLS_MODEL_LOOP_BUDGETS_H

#include "tools/profile/profile.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct budget {
  char *name;
  double limit; ///< a share: 0.05
};

/// End with budgets_release.
struct budgets {
  struct budget *items; ///< [count]
  size_t count;
};

/// "2%", "2.5 %": a share of 0 and more. False if it isn't one.
bool budget_parse(const char *text, double *limit);

/// Reads a file. False after saying what is wrong with it, and where.
bool budgets_read(const char *path, struct budgets *out, struct problems *problems);

/// The one that fits the loop; null: none does.
const struct budget *budgets_find(const struct budgets *budgets, const struct profile_loop *loop);
void budgets_release(struct budgets *budgets);

#endif
