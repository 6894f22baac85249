// run_family.c - finds files of ended children, merges those of one program, removes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/child/run_family.h"

#include "tools/profile/merge/merge.h"
#include "tools/run/child/run_profile.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A child's profile.
struct child {
  char *path, *target; ///< target: null once it is merged, or where it can't be
  struct profile profile;
};

static bool is_member(const struct run_family *family, uint64_t pid) {
  bool is = pid == (uint64_t)family->root;
  for (size_t i = 0; i < family->count && !is; i++)
    is = family->children[i] == pid;
  return is;
}

/// Takes a child into the family. A parent may come behind its child: asked for until none is new.
static bool adopt(struct run_family *family, const struct profile_env *env) {
  if (is_member(family, env->pid) || !is_member(family, env->parent_pid))
    return false;
  family->children = memory_resized(family->children, family->count + 1, sizeof *family->children);
  family->children[family->count++] = env->pid;
  return true;
}

static bool is_over(const struct profile *profile) {
  return profile->health.ended_by != RETICLE_ENDED_RUNNING ||
         (kill((pid_t)profile->env.pid, 0) != 0 && errno == ESRCH);
}

/// The name with "children" in the place of the process id; null: it has none.
static char *target_of(const char *path, uint64_t pid) {
  char digits[24];
  size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, pid);
  const char *last = NULL, *name = strrchr(path, '/');
  for (const char *at = name ? name : path; (at = strstr(at, digits)); at++)
    last = at;
  if (!last)
    return NULL;
  struct text target = {0};
  text_add_bytes(&target, path, (size_t)(last - path));
  text_add(&target, "children");
  text_add(&target, last + length);
  return target.data;
}

static void merge_into(const char *target, struct child *children, size_t count,
                       struct problems *problems) {
  const struct profile **in = memory_zeroed(count + 1, sizeof *in);
  struct profile before = {0}, merged;
  struct profile_error error;
  size_t have = 0;
  bool fine = true;
  if (access(target, F_OK) == 0) {
    fine = profile_read(target, &before, &error) == 0;
    in[have++] = &before;
  }
  for (size_t i = 0; i < count; i++)
    if (children[i].target && strcmp(children[i].target, target) == 0)
      in[have++] = &children[i].profile;
  have = profile_drop_repeats(in, have);
  if (fine && (fine = profile_merge(in, have, &merged, &error) == 0)) {
    fine = profile_write(&merged, target, &error) == 0;
    profile_release(&merged);
  }
  if (!fine)
    problem_error(problems, "run: children's profiles stay as they are: %s", error.text);
  profile_release(&before);
  free(in);
  char *done = text_copy(target);
  for (size_t i = 0; i < count; i++)
    if (children[i].target && strcmp(children[i].target, done) == 0) {
      if (fine)
        unlink(children[i].path);
      free(children[i].target);
      children[i].target = NULL;
    }
  free(done);
}

void run_family_fold(struct run_family *family) {
  struct run_profiles found;
  run_profile_all(family->pattern, family->since, &found);
  struct child *children = memory_zeroed(found.count + 1, sizeof *children);
  struct profile_error error;
  size_t count = 0;
  for (size_t i = 0; i < found.count; i++)
    if (profile_read(found.paths[i], &children[count].profile, &error) == 0)
      children[count++].path = found.paths[i];
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t i = 0; i < count; i++)
      is_new |= adopt(family, &children[i].profile.env);
  }
  for (size_t i = 0; i < count; i++) {
    uint64_t pid = children[i].profile.env.pid;
    if (pid != (uint64_t)family->root && is_member(family, pid) && is_over(&children[i].profile))
      children[i].target = target_of(children[i].path, pid);
  }
  for (size_t i = 0; i < count; i++)
    if (children[i].target)
      merge_into(children[i].target, children, count, family->problems);
  for (size_t i = 0; i < count; i++)
    profile_release(&children[i].profile);
  free(children);
  run_profiles_release(&found);
}

void run_family_release(struct run_family *family) {
  free(family->children);
  *family = (struct run_family){0};
}
