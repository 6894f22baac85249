// check_tree.c - asks git for a worktree of the base.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/check/check_tree.h"

#include "tools/run/child/git.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool add_worktree(const char *base, const char *temporary, struct check_tree *out,
                         struct problems *problems) {
  struct text answer = {0}, revision = {0};
  text_format(&revision, "%s^{commit}", base);
  char *const parse[] = {(char *)"git", (char *)"rev-parse", (char *)"--verify",
                         (char *)"-q",  revision.data,       NULL};
  bool fine = git_ask(temporary, parse, &answer);
  if (!fine) {
    problem_error(problems,
                  "check: --base: '%s' is no folder, and git knows no revision of that name here%s"
                  "%s: give a folder with the base's sources, or fetch the revision",
                  base, answer.length ? ": " : "", text_get(&answer));
  } else {
    struct text path = {0};
    out->revision = text_copy(text_get(&answer));
    text_format(&path, "%s/base", temporary);
    char *const add[] = {(char *)"git",      (char *)"worktree", (char *)"add", (char *)"-q",
                         (char *)"--detach", path.data,          out->revision, NULL};
    fine = git_ask(temporary, add, &answer);
    if (!fine)
      problem_error(problems, "check: git worktree add: %s", text_get(&answer));
    out->worktree = path.data;
  }
  text_release(&answer);
  text_release(&revision);
  return fine;
}

bool check_tree_open(const char *base, const char *temporary, struct check_tree *out,
                     struct problems *problems) {
  struct text answer = {0}, path = {0};
  *out = (struct check_tree){.revision = text_copy("")};
  if (is_folder(base)) {
    out->path = realpath(base, NULL);
    if (!out->path)
      problem_error(problems, "check: --base: %s: %s", base, strerror(errno));
    return out->path;
  }
  free(out->revision);
  out->revision = NULL;
  // What is built may be a part of the repository.
  char *const prefix[] = {(char *)"git", (char *)"rev-parse", (char *)"--show-prefix", NULL};
  bool fine = add_worktree(base, temporary, out, problems) && git_ask(temporary, prefix, &answer);
  if (fine) {
    text_format(&path, "%s/%s", out->worktree, text_get(&answer));
    fine = is_folder(text_get(&path));
    if (!fine)
      problem_error(problems, "check: --base: %s has no folder %s", base, text_get(&answer));
    out->path = path.data;
  }
  text_release(&answer);
  return fine;
}

bool check_tree_enter(const char *folder, struct problems *problems) {
  // A program that trusts PWD does so on both sides.
  char *here = chdir(folder) == 0 ? getcwd(NULL, 0) : NULL;
  bool fine = here && setenv("PWD", here, 1) == 0;
  if (!fine)
    problem_error(problems, "check: %s: %s", folder, strerror(errno));
  free(here);
  return fine;
}

void check_tree_close(struct check_tree *tree, struct problems *problems) {
  if (tree->worktree && is_folder(tree->worktree)) {
    struct text answer = {0}, temporary = {0};
    text_format(&temporary, "%.*s", (int)(strrchr(tree->worktree, '/') - tree->worktree),
                tree->worktree);
    char *const remove[] = {(char *)"git",     (char *)"worktree", (char *)"remove",
                            (char *)"--force", tree->worktree,     NULL};
    if (!git_ask(text_get(&temporary), remove, &answer))
      problem_warning(problems, "check: git worktree remove: %s: %s", tree->worktree,
                      text_get(&answer));
    text_release(&answer);
    text_release(&temporary);
  }
  free(tree->path);
  free(tree->worktree);
  free(tree->revision);
}
