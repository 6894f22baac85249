// trust.h - whether a program that was found, and not named by the user, may be run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_TRUST_H
#define RETICLE_RUNTIME_SUPPORT_TRUST_H

#include "runtime/support/path.h"
#include "runtime/support/text.h"

/// Whether nobody but the effective user and root can have put the file there: it, its links and
/// all folders above belong to these two, and others can't write to them. A group of the owner's
/// own number is the owner. A folder with the sticky bit may be above the file's own, as others
/// can't rename or remove there what isn't theirs.
///
/// real  gets the path to run, without links
/// why   else gets what is wrong, and what to do about it
int rrt_trust_program(const char *path, char real[RRT_PATH_BYTES], struct rrt_text *why);

#endif
