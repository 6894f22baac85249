// unload.c - a library that carries the runtime is closed: what it took from the process goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that is opened again has a new runtime, which knows nothing of the last one. Its
// destructors run at the end of the process, too, when threads may still be in its code: what is
// registered with the library for its end is called by exit before them, by dlclose among them.
#include "runtime/session/unload.h"

#include "runtime/feature/feature.h"
#include "runtime/session/owner.h"
#include "runtime/session/session.h"
#include "runtime/session/sideline.h"
#include "runtime/support/fork.h"
#include "runtime/support/maps.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"

extern int __cxa_atexit(void (*)(void *), void *, void *) __attribute__((weak));
extern char __dso_handle[] __attribute__((weak, visibility("hidden")));

// FILES: 12 MB of the smallest profiles. LEAST: as of children (children.c).
enum { FILES = 1024, LEAST = 24, NAME_BYTES = 256 };

static struct {
  uint32_t is_watched;
} state;
static struct {
  uint32_t has_begun, is_exit;
} process RRT_PER_PROCESS;

static void at_end(void *unused) {
  (void)unused;
  process.is_exit = !process.has_begun;
}

// In front of __cxa_finalize in a library, which crtbegin.o calls: its destructor comes first in
// the link, and so last.
__attribute__((destructor)) static void begin(void) { process.has_begun = 1; }

void rrt_unload_watch(void) {
  if (!rrt_maps_in_executable() && __cxa_atexit && __dso_handle)
    state.is_watched = __cxa_atexit(at_end, NULL, __dso_handle) == 0;
}

// --- profiles of earlier times -------------------------------------------------------------------

struct file {
  char name[NAME_BYTES];
  uint64_t time_ns, bytes;
};

struct files {
  int folder;
  const char *own;  // the newest one's name
  const char *stem; // app+plugin.so.4711
  size_t stem_length;
  const char *ending; // behind -N: .prof
  uint32_t count;
  uint64_t bytes;
  struct file *all; // [count]
};

static void visit(const char *name, void *context) {
  struct files *files = context;
  struct rrt_sys_facts facts;
  const char *rest = name;
  uint64_t number;
  for (size_t i = 0; i < files->stem_length; i++)
    if (*rest++ != files->stem[i])
      return;
  size_t digits = *rest == '-' ? rrt_parse_number(rest + 1, &number) : 0;
  rest += digits ? digits + 1 : 0;
  if (!rrt_equal(rest, files->ending) || rrt_equal(name, files->own) ||
      rrt_length(name) >= NAME_BYTES || files->count == FILES ||
      rrt_sys_facts_at(files->folder, name, &facts) < 0 || facts.kind != RRT_SYS_FILE ||
      facts.user != rrt_sys_user())
    return;
  struct file *f = &files->all[files->count++];
  rrt_copy(f->name, name, rrt_length(name) + 1);
  f->time_ns = facts.time_ns;
  f->bytes = facts.bytes;
  files->bytes += facts.bytes;
}

static void drop_old(struct files *files) {
  uint64_t now_s = rrt_sys_time_s();
  struct rrt_owner owner;
  while (files->count >= LEAST) {
    struct file *oldest = files->all;
    for (struct file *f = files->all; f < files->all + files->count; f++)
      oldest = f->time_ns < oldest->time_ns ? f : oldest;
    if (oldest->time_ns / 1000000000u + rrt_options.keep >= now_s &&
        files->bytes <= rrt_options.keep_bytes && files->count < FILES)
      return;
    if (rrt_owner_read(files->folder, oldest->name, &owner) == 0 && rrt_owner_is_self(&owner))
      rrt_sys_unlink_at(files->folder, oldest->name);
    files->bytes -= oldest->bytes;
    *oldest = files->all[--files->count];
  }
}

// PATH is the option's, or it and the number of the process (place.c); and -N where that was there.
static void name_all(struct files *files, char path[RRT_PATH_BYTES]) {
  size_t length;
  files->ending = "";
  if (!rrt_path_has_pid(rrt_options.out))
    rrt_path_append_pid(path);
  else if ((length = rrt_length(path)) > 5 && rrt_equal(path + length - 5, ".prof"))
    files->ending = ".prof";
  length = rrt_length(path) - rrt_length(files->ending);
  size_t slash = length;
  while (slash && path[slash - 1] != '/')
    slash--;
  files->stem = path + slash;
  files->stem_length = length - slash;
}

static void clean(void) {
  char path[RRT_PATH_BYTES], folder[RRT_PATH_BYTES];
  struct files files = {.own = rrt_session.path};
  struct rrt_text text;
  for (const char *p = rrt_session.path; *p; p++)
    files.own = *p == '/' ? p + 1 : files.own;
  if (rrt_path_expand(rrt_options.out, rrt_session.environment, path) < 0 ||
      !(files.all = rrt_sys_map(FILES * sizeof *files.all)))
    return;
  rrt_text_init(&text, folder, sizeof folder);
  rrt_text_add_bytes(&text, rrt_session.path, (size_t)(files.own - rrt_session.path));
  files.folder = rrt_sys_open_folder(folder[0] ? folder : ".");
  if (files.folder < 0)
    return;
  name_all(&files, path);
  rrt_sys_visit_folder(folder[0] ? folder : ".", UINT32_MAX, visit, &files);
  drop_old(&files);
  rrt_sys_close(files.folder);
}

// -------------------------------------------------------------------------------------------------

void rrt_unload(void) {
  if (!state.is_watched || process.is_exit || rrt_sideline_runs())
    return;
  if (rrt_session.path[0])
    clean();
  RRT_FEATURES_CALL(unload);
  rrt_sys_unmap_own();
}
