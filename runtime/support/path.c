// path.c - file names with %p %e %h %r.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/path.h"

#include "runtime/support/maps.h"
#include "runtime/support/options.h"
#include "runtime/support/rank.h"
#include "runtime/support/text.h"
#include "runtime/sys/folder.h"
#include "runtime/sys/sys.h"

// Both as they were at start: a child of a daemon is elsewhere, or has no /proc.
static struct {
  char folder[RRT_PATH_BYTES], exe[RRT_PATH_BYTES];
} state;

static void add_executable(struct rrt_text *text) {
  if (!state.exe[0])
    rrt_sys_readlink("/proc/thread-self/exe", state.exe, sizeof state.exe);
  size_t n = rrt_length(state.exe);
  const char *name = state.exe;
  for (size_t i = 0; i < n; i++)
    if (state.exe[i] == '/')
      name = state.exe + i + 1;
  rrt_text_add(text, *name ? name : "program");
  // A library with a runtime of its own must not write the file of another one in this process.
  if (!rrt_maps_in_executable()) {
    char library[256];
    rrt_maps_own_module(library, sizeof library);
    rrt_text_add(text, "+");
    rrt_text_add(text, library);
  }
}

static void add_rank(struct rrt_text *text, char *const *environment) {
  struct rrt_rank rank;
  rrt_rank_read(environment, &rank);
  rrt_text_add(text, rank.text ? rank.text : "0");
}

int rrt_path_expand(const char *pattern, char *const *environment, char out[RRT_PATH_BYTES]) {
  struct rrt_text text;
  rrt_text_init(&text, out, RRT_PATH_BYTES);
  if (pattern[0] != '/') {
    if (state.folder[0] || rrt_sys_getcwd(state.folder, sizeof state.folder) > 0) {
      rrt_text_add(&text, state.folder);
      if (state.folder[1])
        rrt_text_add(&text, "/");
    }
  }
  for (const char *p = pattern; *p; p++) {
    if (*p != '%' || !p[1]) {
      rrt_text_add_bytes(&text, p, 1);
      continue;
    }
    char host[65];
    switch (*++p) {
    case 'p':
      rrt_text_add_number(&text, rrt_sys_pid());
      break;
    case 'e':
      add_executable(&text);
      break;
    case 'h':
      rrt_sys_host(host, sizeof host);
      rrt_text_add(&text, host);
      break;
    case 'r':
      add_rank(&text, environment);
      break;
    case '%':
      rrt_text_add(&text, "%");
      break;
    default:
      rrt_text_add_bytes(&text, p - 1, 2);
    }
  }
  return text.cut ? -1 : 0;
}

char rrt_path_unknown(const char *pattern) {
  for (const char *p = pattern; *p; p++) {
    if (*p != '%' || !p[1])
      continue;
    p++;
    if (*p != 'p' && *p != 'e' && *p != 'h' && *p != 'r' && *p != '%')
      return *p;
  }
  return 0;
}

int rrt_path_has_pid(const char *pattern) {
  for (const char *p = pattern; *p; p++) {
    if (*p == '%' && p[1] == 'p')
      return 1;
    if (*p == '%' && p[1])
      p++;
  }
  return 0;
}

void rrt_path_append_pid(char path[RRT_PATH_BYTES]) {
  struct rrt_text text = {path, rrt_length(path), RRT_PATH_BYTES, 0};
  rrt_text_add(&text, ".");
  rrt_text_add_number(&text, rrt_sys_pid());
}

void rrt_path_make_new(char path[RRT_PATH_BYTES]) {
  size_t length = rrt_length(path), stem = length;
  char ending[16] = "";
  // reticle.app.4711.prof -> reticle.app.4711-2.prof
  if (length > 5 && rrt_equal(path + length - 5, ".prof")) {
    stem = length - 5;
    rrt_copy(ending, ".prof", 6);
  }
  struct rrt_sys_facts facts;
  for (uint64_t n = 2; rrt_sys_facts(path, &facts) == 0 && n < 10000; n++) {
    struct rrt_text text = {path, stem, RRT_PATH_BYTES, 0};
    rrt_text_add(&text, "-");
    rrt_text_add_number(&text, n);
    rrt_text_add(&text, ending);
  }
}
