// check_tree.h - the folder with the base's sources: a folder that is there, or a git worktree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHECK_CHECK_TREE_H
#define RETICLE_TOOLS_RUN_CHECK_CHECK_TREE_H

#include "tools/support/problem.h"

#include <stdbool.h>

/// Start with check_tree_open, end with check_tree_close.
struct check_tree {
  char *path;     ///< where the base is built: the folder that corresponds to the current one
  char *worktree; ///< a worktree that was made for it; null: the folder was there
  char *revision; ///< full name of the base's commit; "" if it is a folder
};

/// Takes a folder, or makes a worktree of a git revision below `temporary`. False after saying why
/// it can't.
bool check_tree_open(const char *base, const char *temporary, struct check_tree *out,
                     struct problems *problems);
/// Makes it the current folder. False after saying why it can't be.
bool check_tree_enter(const char *folder, struct problems *problems);
/// Removes the worktree.
void check_tree_close(struct check_tree *tree, struct problems *problems);

#endif
