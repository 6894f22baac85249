// report.c - `reticle report` on the profile, in a child at exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/session.h"

#include "runtime/session/message.h"
#include "runtime/session/options.h"
#include "runtime/session/registry.h"
#include "runtime/session/text.h"
#include "runtime/sys/sys.h"

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

void rrt_report_run(void) {
  char buffer[RRT_PATH_BYTES];
  const char *tool = find_tool(buffer);
  const char *const argv[] = {"reticle", "report", "--at-exit", rrt_session.path, NULL};
  int status = -1;
  if (tool) {
    int fd = rrt_message_open();
    status = rrt_sys_run(tool, argv, rrt_session.environment, fd);
    rrt_message_close(fd);
  }
  if (status != 0 && status != 1) { // 1: a finding
    struct rrt_message m;
    rrt_message_start(&m, tool ? "warning: the report failed; "
                               : "the program reticle isn't in PATH; ");
    rrt_text_add(&m.text, "type: reticle report ");
    rrt_text_add(&m.text, rrt_session.path);
    rrt_message_send(&m);
  }
}
