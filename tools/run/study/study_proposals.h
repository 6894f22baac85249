// study_proposals.h - the changes that findings ask for, and those that are always worth a try.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_STUDY_STUDY_PROPOSALS_H
#define RETICLE_TOOLS_RUN_STUDY_STUDY_PROPOSALS_H

#include "tools/model/trial/copy_place.h"
#include "tools/model/trial/trial_form.h"
#include "tools/support/problem.h"

#include <stdint.h>

struct proposal {
  const struct trial_form *form;
  uint64_t loop;       ///< id; 0: the whole program
  double worth;        ///< share of the CPU time that it may save at most; 0: not known
  const char *finding; ///< code of what asks for it; "" for nothing
  bool is_drawn;       ///< copies of the loop can be drawn within a run, at the place
  struct copy_place place;
};

/// From a study, which is closed: in the order in which they are to be tried.
///
/// out  gets [result], to be freed
///
/// Returns 0 too where it can't be read, which was said then.
size_t study_proposals_make(const char *path, struct proposal **out, struct problems *problems);

#endif
