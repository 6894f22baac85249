// nearest.h - the known name that an unknown one was probably meant to be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_NEAREST_H
#define RETICLE_TOOLS_SUPPORT_NEAREST_H

#include <stddef.h>

/// The best candidate so far; start with {0}.
struct nearest {
  const char *name; ///< null if nothing is near
  size_t distance;
};

/// Offers a candidate. It is kept when it is nearer than the one before and near enough to be a
/// slip of the fingers: at most two letters, or a third of a longer word, are wrong, or one is the
/// other's beginning.
void nearest_add(struct nearest *best, const char *word, const char *candidate);

#endif
