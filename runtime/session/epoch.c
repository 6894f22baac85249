// epoch.c - closes an epoch's file, begins the next, and removes old ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/epoch.h"

#include "runtime/session/children.h"
#include "runtime/session/session.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"
#include "runtime/sys/folder.h"
#include "runtime/sys/sys.h"

// FILES_MAX: a week of epochs of three minutes.
enum { FILES_MAX = 4096, FILES_LEAST = 3 };

struct file {
  uint32_t number, closed_s; // seconds since 1970, good until 2106
  uint64_t bytes;
};

static struct {
  struct file *files; // [count], ascending by number: this run's, and an earlier one's here
  uint64_t start_s, start_ns;
} state;
static struct {
  uint32_t count;
  uint32_t number; // 0: not begun
} process RRT_PER_PROCESS;

// The length of PATH without its ".prof", and that ending.
static size_t stem_of(const char *path, const char **ending) {
  size_t length = rrt_length(path);
  *ending = length > 5 && rrt_equal(path + length - 5, ".prof") ? path + length - 5 : "";
  return length - rrt_length(*ending);
}

// reticle.app.4711.prof -> reticle.app.4711.e12.prof
static void name_file(uint32_t n, char out[RRT_PATH_BYTES]) {
  struct rrt_text text;
  const char *ending;
  size_t stem = stem_of(rrt_session.path, &ending);
  rrt_text_init(&text, out, RRT_PATH_BYTES);
  rrt_text_add_bytes(&text, rrt_session.path, stem);
  rrt_text_add(&text, ".e");
  rrt_text_add_number(&text, n);
  rrt_text_add(&text, ending);
}

static void remember(const struct file *f) {
  if (process.count == FILES_MAX) // of a run with a larger table: the oldest are left alone
    return;
  uint32_t at = process.count++;
  for (; at && state.files[at - 1].number > f->number; at--)
    state.files[at] = state.files[at - 1];
  state.files[at] = *f;
}

// 0 unless it is a file of this user's.
static int read_facts(struct file *f) {
  char path[RRT_PATH_BYTES];
  struct rrt_sys_facts facts;
  name_file(f->number, path);
  if (rrt_sys_facts(path, &facts) < 0 || facts.kind != RRT_SYS_FILE || facts.user != rrt_sys_user())
    return 0;
  f->bytes = facts.bytes;
  f->closed_s = (uint32_t)(facts.time_ns / 1000000000u);
  return 1;
}

struct search {
  const char *name; // of the profile without its folder
  size_t stem;
  const char *ending;
};

// Takes over what an earlier run with the same name left.
static void visit(const char *name, void *context) {
  const struct search *s = context;
  for (size_t i = 0; i < s->stem; i++)
    if (name[i] != s->name[i])
      return;
  const char *rest = name + s->stem;
  uint64_t value;
  if (rest[0] != '.' || rest[1] != 'e' || rest[2] == '0')
    return;
  size_t digits = rrt_parse_number(rest + 2, &value);
  if (!digits || value >= UINT32_MAX || !rrt_equal(rest + 2 + digits, s->ending))
    return;
  struct file f = {.number = (uint32_t)value};
  if (read_facts(&f))
    remember(&f);
}

static void find_files(void) {
  char folder[RRT_PATH_BYTES];
  struct rrt_text text;
  struct search s;
  size_t slash = rrt_length(rrt_session.path);
  while (slash && rrt_session.path[slash - 1] != '/')
    slash--;
  rrt_text_init(&text, folder, sizeof folder);
  rrt_text_add_bytes(&text, rrt_session.path, slash);
  s.name = rrt_session.path + slash;
  s.stem = stem_of(rrt_session.path, &s.ending) - slash;
  rrt_sys_visit_folder(folder, UINT32_MAX, visit, &s);
}

static void begin(void) {
  state.start_s = rrt_sys_time_s();
  state.start_ns = rrt_sys_monotonic_raw_ns();
}

static int is_on(void) {
  struct rrt_sys_facts facts;
  if (!rrt_options.epoch || !rrt_options.sample)
    return 0;
  if (process.number)
    return 1;
  // Before something else stood there and the path became another one, or for ever at a device.
  if (rrt_sys_facts(rrt_session.path, &facts) == 0 && facts.kind != RRT_SYS_FILE)
    return 0;
  if (!state.files && !(state.files = rrt_sys_map(FILES_MAX * sizeof *state.files)))
    return 0;
  process.count = 0;
  find_files();
  process.number = process.count ? state.files[process.count - 1].number + 1 : 1;
  begin();
  state.start_s = rrt_session.start_time_s;
  state.start_ns = rrt_session.start_raw_ns;
  return 1;
}

uint32_t rrt_epoch_number(void) { return is_on() ? process.number : 0; }
uint64_t rrt_epoch_start_s(void) { return is_on() ? state.start_s : 0; }

int rrt_epoch_is_over(void) {
  return is_on() && rrt_sys_monotonic_raw_ns() - state.start_ns >= rrt_options.epoch * 1000000000u;
}

void rrt_epoch_path(char out[RRT_PATH_BYTES]) { name_file(process.number, out); }

static void drop_oldest(void) {
  char path[RRT_PATH_BYTES];
  name_file(state.files[0].number, path);
  rrt_sys_unlink(path);
  process.count--;
  for (uint32_t i = 0; i < process.count; i++)
    state.files[i] = state.files[i + 1];
}

// Never the last three, whatever their age and size.
static void drop_old(void) {
  uint64_t now_s = rrt_sys_time_s(), bytes = 0, others = rrt_children_bytes();
  for (uint32_t i = 0; i < process.count; i++)
    bytes += state.files[i].bytes;
  while (process.count > FILES_LEAST &&
         (state.files[0].closed_s + rrt_options.keep < now_s ||
          bytes + others > rrt_options.keep_bytes || process.count == FILES_MAX)) {
    bytes -= state.files[0].bytes;
    drop_oldest();
  }
  rrt_children_add_epochs(bytes);
}

void rrt_epoch_next(int is_written) {
  if (is_written) {
    struct file f = {.number = process.number};
    if (read_facts(&f))
      remember(&f);
    process.number++;
    drop_old();
  }
  begin();
}

void rrt_epoch_skip(void) { process.number++; }
