// rank.c - the feature `rank`: which rank of a parallel job the process is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/session/session.h"
#include "runtime/support/chunk.h"
#include "runtime/support/strings.h"

static struct {
  int is_known;
  struct reticle_file_rank record;
} state;

static void know(const struct reticle_file_env *env) {
  const struct rrt_rank *rank = &rrt_session.rank;
  if (rank->text && !state.is_known)
    state.record = (struct reticle_file_rank){.host = env->host,
                                              .rank = rank->rank,
                                              .size = rank->size,
                                              .local_rank = rank->local_rank,
                                              .launcher = rrt_strings_add(rank->launcher),
                                              .job = rrt_strings_add(rank->job)};
  state.is_known = rank->text != NULL;
  state.record.start_time_s = env->start_time_s;
  state.record.pid = env->pid;
}

static void write(struct rrt_checkpoint *c) {
  (void)c;
  if (state.is_known)
    rrt_chunk_write("ranks", &state.record, sizeof state.record, 1);
}

const struct rrt_feature rrt_feature_rank = {.know = know, .write = write};
