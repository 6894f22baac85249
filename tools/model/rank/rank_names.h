// rank_names.h - ranks, processes and their threads in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_RANK_RANK_NAMES_H
#define RETICLE_TOOLS_MODEL_RANK_RANK_NAMES_H

#include "tools/profile/rank.h"
#include "tools/support/text.h"

/// "rank 3 of 8 on node17", "8 ranks of 8 on 2 hosts"; nothing where no process is a rank.
void rank_names_add_job(const struct profile *profile, struct text *out);

/// Whether it is of one rank of a job of several.
bool rank_names_has_others(const struct profile *profile);

/// "rank 3", or "process 4711" where it is none.
void rank_names_add_process(const struct profile *profile, const struct profile_process *process,
                            struct text *out);

/// "thread 5" of a profile of one process; in a merged one numbers of threads start anew in each:
/// "rank 3 thread 1".
void rank_names_add_thread(const struct profile *profile, uint32_t thread, struct text *out);

#endif
