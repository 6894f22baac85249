// out.c - names of the profile: by option out, and by default where that can't be written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/out.h"

#include "include/reticle/out.h"
#include "runtime/session/drain.h"
#include "runtime/session/place.h"
#include "runtime/session/place_say.h"
#include "runtime/session/session.h"
#include "runtime/support/deadline.h"
#include "runtime/support/environment.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"

#include <errno.h>

static char wanted[RRT_PATH_BYTES]; // not on a stack, which may be a handler's

static void check_name(const char *option, const char *pattern) {
  char found[] = {'%', rrt_path_unknown(pattern), 0};
  struct rrt_message m;
  if (!found[1] || !rrt_options.verbosity)
    return;
  rrt_message_start(&m, "warning: option ");
  rrt_text_add(&m.text, option);
  rrt_text_add(&m.text, ": '");
  rrt_text_add(&m.text, found);
  rrt_text_add(&m.text, "' is none of %p %e %h %r %%, and stays in the name");
  rrt_message_send(&m);
}

void rrt_out_check(void) {
  check_name("out", rrt_options.out);
  check_name("log_path", rrt_options.log_path);
}

void rrt_out_start(void) {
  if (rrt_path_expand(rrt_options.out, rrt_session.environment, rrt_session.path) < 0) {
    rrt_say("warning: option out: the name is longer than 4095 bytes; reticle.prof is used", NULL);
    rrt_path_expand("reticle.prof", rrt_session.environment, rrt_session.path);
  }
  // "out=folder/" is taken for the folder's name, as there is a way to go on with that.
  size_t length = rrt_length(rrt_session.path);
  while (length > 1 && rrt_session.path[length - 1] == '/')
    rrt_session.path[--length] = 0;
  rrt_place_start(rrt_path_has_pid(rrt_options.out));
  if (rrt_path_has_pid(rrt_options.out))
    rrt_path_make_new(rrt_session.path); // an earlier program of this process may have left one
}

int rrt_out_is_kept(void) { return !rrt_equal(rrt_session.path, "/dev/null"); }

// In front of the name, which stays.
static void set_folder(const char *folder, char path[RRT_PATH_BYTES]) {
  char name[320]; // of a program, 255 bytes at most, and a number
  struct rrt_text text;
  size_t at = rrt_length(path);
  while (at && path[at - 1] != '/')
    at--;
  rrt_text_init(&text, name, sizeof name);
  rrt_text_add(&text, path + at);
  rrt_text_init(&text, path, RRT_PATH_BYTES);
  rrt_text_add(&text, folder);
  rrt_text_add(&text, "/");
  rrt_text_add(&text, name);
}

int rrt_out_go_elsewhere(unsigned number) {
  const char *folder = rrt_environment_get(rrt_session.environment, "TMPDIR");
  if (number > 1)
    return -ENOENT;
  int r = rrt_drain_lock_within(rrt_deadline_left_ns(UINT64_MAX));
  if (r < 0)
    return r;
  if (!number)
    rrt_copy(wanted, rrt_session.path, sizeof wanted);
  rrt_path_expand(RETICLE_OUT_DEFAULT, rrt_session.environment, rrt_session.path);
  if (number)
    set_folder(folder && folder[0] == '/' ? folder : "/tmp", rrt_session.path);
  rrt_place_start(1);
  rrt_path_make_new(rrt_session.path);
  rrt_drain_unlock();
  return 0;
}

void rrt_out_settle(int error, int result, int is_end) {
  if (rrt_drain_lock_within(rrt_deadline_left_ns(UINT64_MAX)) < 0)
    return;
  const char *first = wanted[0] ? wanted : rrt_session.path;
  if (result >= 0 || !is_end)
    rrt_place_say_failed(first, error, result < 0 ? NULL : rrt_session.path);
  if (result < 0 && wanted[0]) {
    rrt_copy(rrt_session.path, wanted, sizeof wanted);
    rrt_place_start(rrt_path_has_pid(rrt_options.out));
  }
  wanted[0] = 0;
  rrt_drain_unlock();
}
