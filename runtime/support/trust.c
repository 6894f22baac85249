// trust.c - looks at owner and mode of a file and of the folders above it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/trust.h"

#include "runtime/support/message.h"
#include "runtime/sys/folder.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { GROUP_WRITES = 0020, OTHERS_WRITE = 0002, IS_STICKY = 01000 };

static void say_unknown(const char *path, int error, struct rrt_text *why) {
  rrt_text_add(why, path);
  rrt_text_add(why, " can't be looked at (");
  rrt_text_add(why, rrt_message_reason(error));
  rrt_text_add(why, ")");
}

// In a sticky folder another user may have given a file of ours a second name, so the file's own
// isn't one. Folders have one name.
static int is_trusted(const char *path, int holds_file, struct rrt_text *why) {
  struct rrt_sys_facts facts;
  int r = rrt_sys_facts(path, &facts);
  if (r < 0) {
    say_unknown(path, r, why);
    return 0;
  }
  if (facts.user && facts.user != rrt_sys_user()) {
    rrt_text_add(why, path);
    rrt_text_add(why, " belongs to user ");
    rrt_text_add_number(why, facts.user);
    rrt_text_add(why, ", not to you or root: use a reticle of your own");
    return 0;
  }
  // Where each user has a group of the same number (user private groups), that is its owner alone.
  uint32_t others = facts.group == facts.user ? OTHERS_WRITE : GROUP_WRITES | OTHERS_WRITE;
  int is_spared = facts.kind == RRT_SYS_LINK || // its mode means nothing
                  (facts.kind == RRT_SYS_FOLDER && (facts.mode & IS_STICKY) && !holds_file);
  if (is_spared || !(facts.mode & others))
    return 1;
  rrt_text_add(why, facts.mode & OTHERS_WRITE ? "everybody can write to "
                                              : "other users of its group can write to ");
  rrt_text_add(why, path);
  if (facts.mode & IS_STICKY) {
    rrt_text_add(why, ": put it into a folder of its own");
  } else {
    rrt_text_add(why, ": chmod go-w ");
    rrt_text_add(why, path);
  }
  return 0;
}

// All parts of the path from the first on; it is the same again afterwards.
static int are_trusted(char *path, struct rrt_text *why) {
  size_t last = 0;
  for (size_t i = 0; path[i]; i++)
    if (path[i] == '/')
      last = i;
  if (path[0] == '/' && !is_trusted("/", !last, why))
    return 0;
  for (size_t i = 1; i <= last; i++) {
    if (path[i] != '/' || path[i - 1] == '/')
      continue;
    path[i] = 0;
    int fine = is_trusted(path, i == last, why);
    path[i] = '/';
    if (!fine)
      return 0;
  }
  return is_trusted(path, 0, why);
}

int rrt_trust_program(const char *path, char real[RRT_PATH_BYTES], struct rrt_text *why) {
  static char named[RRT_PATH_BYTES]; // not on a stack, which may be a handler's
  struct rrt_text text;
  rrt_text_init(&text, named, sizeof named);
  rrt_text_add(&text, path);
  int r = text.cut ? -ENAMETOOLONG : rrt_sys_real_path(path, real, RRT_PATH_BYTES);
  if (r < 0)
    say_unknown(path, r, why);
  // What it leads to; then as it is named, for whoever can change a link on the way.
  return r >= 0 && are_trusted(real, why) && are_trusted(named, why);
}
