// report.c - `reticle block` and `reticle report` on the profile, in a child at exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/session.h"

#include "runtime/session/registry.h"
#include "runtime/support/deadline.h"
#include "runtime/support/environment.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { EXECUTABLE = 1 };

static int is_program(const char *path) { return rrt_sys_access(path, EXECUTABLE) == 0; }

static int find_in_path(char out[RRT_PATH_BYTES]) {
  const char *p = rrt_environment_get(rrt_session.environment, "PATH");
  while (p && *p) {
    struct rrt_text text;
    size_t n = 0;
    while (p[n] && p[n] != ':')
      n++;
    rrt_text_init(&text, out, RRT_PATH_BYTES);
    rrt_text_add_bytes(&text, p, n);
    rrt_text_add(&text, "/reticle");
    if (n && !text.cut && is_program(out))
      return 0;
    p += n;
    p += *p == ':';
  }
  return -1;
}

// RETICLE_TOOL, then where the plug-in saw it, then the PATH.
static const char *find_tool(char buffer[RRT_PATH_BYTES]) {
  const char *given = rrt_environment_get(rrt_session.environment, "RETICLE_TOOL");
  if (rrt_session.privileged)
    given = NULL;
  if (given && *given && is_program(given))
    return given;
  if (rrt_registry_tool()[0] && is_program(rrt_registry_tool()))
    return rrt_registry_tool();
  return !rrt_session.privileged && find_in_path(buffer) == 0 ? buffer : NULL;
}

// Runs the tool. Returns its exit status, -ETIMEDOUT, another one below 0 if it can't be run.
static int run_tool(const char *const *argv, int *is_found) {
  char buffer[RRT_PATH_BYTES];
  const char *tool = find_tool(buffer);
  *is_found = tool != NULL;
  if (!tool)
    return -1;
  int fd = rrt_message_open();
  if (fd != 2)
    rrt_sys_make_blocking(fd); // the tool doesn't try again
  uint64_t start = rrt_sys_monotonic_raw_ns();
  int status = rrt_sys_run(tool, argv, rrt_environment_of_tool(rrt_session.environment), fd,
                           rrt_deadline_left_ns(RRT_DEADLINE_S * UINT64_C(1000000000)));
  rrt_deadline_spend(start);
  rrt_message_close(fd);
  return status;
}

static void say_failed(const char *failed, const char *command, int status, int is_found) {
  struct rrt_message m;
  rrt_message_start(&m, is_found ? failed : "the program reticle isn't in PATH; ");
  if (status == -ETIMEDOUT)
    rrt_text_add(&m.text, "stopped, as a program must not wait longer than 5 s at its end; ");
  rrt_text_add(&m.text, "type: reticle ");
  rrt_text_add(&m.text, command);
  rrt_text_add(&m.text, rrt_session.path);
  rrt_message_send(&m);
}

void rrt_report_blocks(void) {
  char most[24];
  struct rrt_text text;
  rrt_text_init(&text, most, sizeof most);
  rrt_text_add_number(&text, rrt_options.blocks);
  const char *const argv[] = {"reticle",   "block", "--at-exit",      "--save",
                              "--hottest", most,    rrt_session.path, NULL};
  int is_found, status = run_tool(argv, &is_found);
  if (status != 0 && status != 1) // 1: no block has a value
    say_failed("warning: blocks weren't measured; ", "block --save ", status, is_found);
}

void rrt_report_run(void) {
  const char *const argv[] = {"reticle", "report", "--at-exit", rrt_session.path, NULL};
  int is_found, status = run_tool(argv, &is_found);
  if (status != 0 && status != 1) // 1: a finding
    say_failed("warning: the report failed; ", "report ", status, is_found);
}
