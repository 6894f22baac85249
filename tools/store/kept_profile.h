// kept_profile.h - the profile that later results are written into: a file, or one of a study.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_KEPT_PROFILE_H
#define RETICLE_TOOLS_STORE_KEPT_PROFILE_H

#include "tools/profile/profile.h"
#include "tools/store/study/study_file.h"
#include "tools/support/problem.h"

struct kept_profile {
  const char *path;          ///< as named
  struct problems *problems; ///< get what fails
  struct profile profile;
  struct study_file study; ///< opened, where it is a study
  int64_t id;              ///< of the profile in the study; 0: the path is a profile
};

/// Reads the profile of the path; of a study the first one of the timing build. It is ended by
/// kept_profile_close. Returns false after saying why it can't.
bool kept_profile_open(const char *path, struct kept_profile *out, struct problems *problems);
/// Writes it back. Returns false after saying why it can't.
bool kept_profile_write(struct kept_profile *kept);
void kept_profile_close(struct kept_profile *kept);

#endif
