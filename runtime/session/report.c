// report.c - `reticle block` and `reticle report` on the profile, in a child at exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/session.h"

#include "runtime/session/registry.h"
#include "runtime/support/deadline.h"
#include "runtime/support/environment.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"
#include "runtime/support/trust.h"
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

// Not on a stack, which may be a handler's.
static struct {
  const char *path; // null: `why` not, or there is none
  char found[RRT_PATH_BYTES], real[RRT_PATH_BYTES], why[1024];
} tool;

// RETICLE_TOOL, then where the plug-in saw it, then the PATH. Who sets the environment has named
// the first, and could load any library into this process; of the others only the place is known.
static void find_tool(void) {
  struct rrt_text why;
  rrt_text_init(&why, tool.why, sizeof tool.why);
  tool.path = NULL;
  const char *given = rrt_environment_get(rrt_session.environment, "RETICLE_TOOL");
  if (given && *given && is_program(given)) {
    tool.path = given;
    return;
  }
  const char *found = rrt_registry_tool();
  if (!found[0] || !is_program(found))
    found = find_in_path(tool.found) == 0 ? tool.found : NULL;
  if (!found)
    return;
  rrt_text_add(&why, found);
  rrt_text_add(&why, " isn't run: ");
  if (rrt_trust_program(found, tool.real, &why)) {
    tool.path = tool.real;
    tool.why[0] = 0;
    return;
  }
  rrt_text_add(&why, ", or name it in RETICLE_TOOL if you trust it; ");
}

static int run(const char *path, const char *const *argv) {
  int fd = rrt_message_open();
  if (fd != 2)
    rrt_sys_make_blocking(fd); // the tool doesn't try again
  uint64_t start = rrt_sys_monotonic_raw_ns();
  int status = rrt_sys_run(path, argv, rrt_environment_of_tool(rrt_session.environment), fd,
                           rrt_deadline_left_ns(RRT_DEADLINE_S * UINT64_C(1000000000)));
  rrt_deadline_spend(start);
  rrt_message_close(fd);
  return status;
}

// Runs the tool on the profile; says so where that didn't work out.
//
// failed   what is missing then
// command  with which one gets it
static void run_tool(const char *const *argv, const char *failed, const char *command) {
  struct rrt_message m;
  find_tool();
  int status = tool.path ? run(tool.path, argv) : 0;
  if (tool.path && (status == 0 || status == 1)) // 1: a finding, or no block has a value
    return;
  rrt_message_start(&m, failed);
  if (status == -ETIMEDOUT)
    rrt_text_add(&m.text, "stopped, as a program must not wait longer than 5 s at its end; ");
  else if (tool.why[0])
    rrt_text_add(&m.text, tool.why);
  else if (!tool.path)
    rrt_text_add(&m.text, "the program reticle isn't in PATH; ");
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
  run_tool(argv, "warning: blocks weren't measured; ", "block --save ");
}

void rrt_report_run(void) {
  const char *const argv[] = {"reticle", "report", "--at-exit", rrt_session.path, NULL};
  run_tool(argv, "warning: the report failed; ", "report ");
}
