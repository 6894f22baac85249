// profile_list.h - the profiles that operands name: files, and folders of files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_PROFILE_LIST_H
#define RETICLE_TOOLS_STORE_PROFILE_LIST_H

#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Start with profile_list_make, end with profile_list_release.
struct profile_list {
  char **paths; ///< [count]
  size_t count;
};

/// Files are taken as they are named; of a folder each regular file in it that begins as profiles
/// do, by name. Folders in folders are left alone.
///
/// command  named in messages
///
/// Returns false after saying which operand can't be read, or which folder has no profile.
bool profile_list_make(const char *command, char *const *operands, size_t count,
                       struct profile_list *out, struct problems *problems);
void profile_list_release(struct profile_list *list);

/// Leaves those of one rank of a job.
///
/// Returns false after saying what can't be read, or which ranks there are where none is left.
bool profile_list_choose_rank(const char *command, uint32_t rank, struct profile_list *list,
                              struct problems *problems);

#endif
