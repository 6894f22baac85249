// profile_gather.c - merges a few files at once, and many by levels, with two looks at each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/profile_gather.h"

#include "tools/profile/merge/merge.h"
#include "tools/profile/merge/reduce.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/string_table.h"

#include <stdlib.h>

struct gather {
  struct problems *problems;
  char *const *paths; ///< [count]
  size_t count;
  struct profile *held; ///< [count] whole, or of many what profile_drop_repeats looks at
  const struct profile **kept;
  struct string_table texts; ///< of those that aren't whole
  bool is_many;
};

static int fail(const struct profile_error *error, struct problems *problems) {
  if (error->code == RETICLE_E_MEMORY)
    memory_exhausted();
  problem_error(problems, "%s", error->text);
  return PROBLEM_UNREADABLE;
}

static const char *keep(struct gather *gather, const char *text) {
  size_t number = string_table_add(&gather->texts, text);
  if (number == SIZE_MAX)
    memory_exhausted();
  return gather->texts.texts[number];
}

/// Leaves what tells runs apart. The arrays, of one record each, are freed by release_marks.
static struct profile mark_of(struct gather *gather, const struct profile *whole) {
  struct profile mark = {.env = whole->env, .health = whole->health};
  mark.env.executable = keep(gather, whole->env.executable);
  mark.env.host = keep(gather, whole->env.host);
  if (whole->object_count) {
    mark.objects = memory_zeroed(1, sizeof *mark.objects);
    mark.objects[mark.object_count++].module = keep(gather, whole->objects[0].module);
  }
  if (whole->rank_count == 1) {
    mark.ranks = memory_zeroed(1, sizeof *mark.ranks);
    mark.ranks[mark.rank_count++].rank = whole->ranks->rank;
  }
  if (whole->epoch_count) {
    mark.epochs = memory_zeroed(whole->epoch_count, sizeof *mark.epochs);
    for (; mark.epoch_count < whole->epoch_count; mark.epoch_count++)
      mark.epochs[mark.epoch_count] = whole->epochs[mark.epoch_count];
  }
  return mark;
}

static void release(struct gather *gather) {
  for (size_t i = 0; i < gather->count; i++) {
    struct profile *held = &gather->held[i];
    if (!gather->is_many) {
      profile_release(held);
      continue;
    }
    free(held->objects);
    free(held->ranks);
    free(held->epochs);
  }
  free(gather->held);
  free(gather->kept);
  string_table_release(&gather->texts);
}

/// Reads those that stay once more, one after the other.
static int reduce(const struct gather *gather, size_t runs, struct profile *out) {
  struct profile_reduction *reduction = memory_zeroed(1, sizeof *reduction);
  struct profile_error error;
  int result = 0;
  for (size_t i = 0; result == 0 && i < runs; i++) {
    struct profile profile;
    result = profile_read(gather->paths[gather->kept[i] - gather->held], &profile, &error);
    if (result == 0)
      result = profile_reduce_add(reduction, &profile, &error);
  }
  if (result == 0)
    result = profile_reduce_finish(reduction, out, &error);
  profile_reduce_release(reduction);
  free(reduction);
  return result == 0 ? PROBLEM_NONE : fail(&error, gather->problems);
}

static int merge(struct gather *gather, size_t *repeated, struct profile *out) {
  struct profile_error error;
  size_t runs = profile_drop_repeats(gather->kept, gather->count);
  *repeated = gather->count - runs;
  if (gather->is_many)
    return reduce(gather, runs, out);
  return profile_merge(gather->kept, runs, out, &error) == 0 ? PROBLEM_NONE
                                                             : fail(&error, gather->problems);
}

int profile_gather(char *const *paths, size_t count, bool all,
                   void (*visit)(void *context, const struct profile *profile, const char *path),
                   void *context, size_t *repeated, struct profile *out,
                   struct problems *problems) {
  struct gather gather = {.problems = problems,
                          .paths = paths,
                          .count = count,
                          .held = memory_zeroed(count, sizeof *gather.held),
                          .kept = memory_zeroed(count, sizeof *gather.kept),
                          .is_many = count > PROFILE_GATHER_HELD};
  int status = PROBLEM_NONE;
  for (size_t i = 0; i < count && (all || status == PROBLEM_NONE); i++) {
    struct profile profile;
    struct profile_error error;
    gather.kept[i] = &gather.held[i];
    if (profile_read(paths[i], &profile, &error) != 0) {
      status = fail(&error, problems);
      continue;
    }
    if (visit)
      visit(context, &profile, paths[i]);
    gather.held[i] = gather.is_many ? mark_of(&gather, &profile) : profile;
    if (gather.is_many)
      profile_release(&profile);
  }
  if (status == PROBLEM_NONE)
    status = merge(&gather, repeated, out);
  release(&gather);
  return status;
}
