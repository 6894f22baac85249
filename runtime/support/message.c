// message.c - the runtime's lines for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/message.h"

#include "runtime/support/deadline.h"
#include "runtime/sys/folder.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// What a message waits for a full pipe while the program runs; once, as the next one won't fare
// better.
#define WAIT_NS UINT64_C(1000000000)

char rrt_log_path[4096];

static struct {
  struct rrt_sys_file_id stderr_id;
  int had_stderr, had_terminal;
  uint32_t is_stuck;
  uint32_t said_closed;
} state;

static int is_same(const struct rrt_sys_file_id *a, const struct rrt_sys_file_id *b) {
  return a->device == b->device && a->inode == b->inode;
}

void rrt_message_begin(void) {
  int is_for_text;
  state.had_stderr = rrt_sys_descriptor_id(2, &state.stderr_id, &is_for_text) >= 0;
  state.had_terminal = rrt_sys_is_terminal(2);
}

// Daemons close their descriptors, and then a data file, a pipe or a socket may have the number 2.
// Who redirects standard error opens a log for appending, or gives it standard output's file. Many
// a program closes it at its end, to find errors of writing (GNU's do): the user is at the terminal
// still. A daemon has none.
static int standard_error(void) {
  struct rrt_sys_file_id id, output;
  int is_for_text, unused;
  if (rrt_sys_descriptor_id(2, &id, &is_for_text) < 0)
    return state.had_terminal ? rrt_sys_open_terminal() : -1;
  if (is_for_text || (state.had_stderr && is_same(&id, &state.stderr_id)))
    return 2;
  return rrt_sys_descriptor_id(1, &output, &unused) >= 0 && is_same(&id, &output) ? 2 : -1;
}

void rrt_message_start(struct rrt_message *m, const char *text) {
  rrt_text_init(&m->text, m->buffer, sizeof m->buffer - 1); // room for the newline
  rrt_text_add(&m->text, "reticle[");
  rrt_text_add_number(&m->text, rrt_sys_pid());
  rrt_text_add(&m->text, "]: ");
  rrt_text_add(&m->text, text);
}

const char *rrt_message_reason(int error) {
  static const struct {
    int error;
    const char *text;
  } known[] = {{-EACCES, "permission denied"},
               {-EPERM, "not permitted"},
               {-ENOENT, "no such folder"},
               {-ENOTDIR, "not a folder"},
               {-EISDIR, "a folder"},
               {-EROFS, "read-only"},
               {-ENOSPC, "no space left"},
               {-EDQUOT, "quota used up"},
               {-EFBIG, "limit of file sizes (ulimit -f)"},
               {-ENAMETOOLONG, "name too long"},
               {-EMFILE, "too many open files (ulimit -n)"},
               {-ENXIO, "nobody reads that pipe"},
               {-ELOOP, "a symbolic link of another user"},
               {-EEXIST, "taken"},
               {-ETIMEDOUT, "it took too long"},
               {-ENOMEM, "no memory"},
               {-ENODEV, "not a place for files"}};
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
    if (known[i].error == error)
      return known[i].text;
  return "input/output error";
}

static int put(int fd, const char *text, size_t bytes) {
  uint64_t wait_ns = rrt_deadline_left_ns(WAIT_NS);
  if (__atomic_load_n(&state.is_stuck, __ATOMIC_RELAXED))
    wait_ns = 0;
  uint64_t start = rrt_sys_monotonic_raw_ns();
  int r = rrt_sys_write_within(fd, text, bytes, wait_ns);
  if (r == -ETIMEDOUT)
    __atomic_store_n(&state.is_stuck, 1, __ATOMIC_RELAXED);
  rrt_deadline_spend(start);
  return r;
}

// Bytes of the UTF-8 character there; 0 if it is none, or one that a terminal obeys or hides:
// control characters, and marks of direction and width (U+200B to U+200F, U+2028 to U+202E, U+2060
// to U+206F).
static size_t character_bytes(const unsigned char *p, size_t left) {
  if (p[0] < 0x80)
    return p[0] >= ' ' && p[0] != 0x7f;
  size_t bytes = p[0] >= 0xf0 && p[0] < 0xf5   ? 4
                 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                                               : 0;
  if (!bytes || bytes > left)
    return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((p[i] & 0xc0) != 0x80)
      return 0;
  if (bytes == 2)
    return p[0] == 0xc2 && p[1] < 0xa0 ? 0 : 2;
  int is_mark =
      p[0] == 0xe2 &&
      ((p[1] == 0x80 && ((p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
       (p[1] == 0x81 && p[2] >= 0xa0 && p[2] <= 0xaf));
  return is_mark ? 0 : bytes;
}

// Names of files and programs may hold anything; a line of ours is one line, and colours nothing.
static void clean(char *text, size_t length) {
  for (size_t at = 0, bytes; at < length; at += bytes ? bytes : 1)
    if (!(bytes = character_bytes((const unsigned char *)text + at, length - at)))
      text[at] = '?';
}

static int put_line(int fd, struct rrt_message *m) {
  clean(m->buffer, m->text.length);
  m->buffer[m->text.length] = '\n';
  return put(fd, m->buffer, m->text.length + 1);
}

// Once, on stderr, which the sideline hasn't got.
static void say_closed(const char *reason) {
  struct rrt_message m;
  int fd = standard_error();
  if (fd < 0 || __atomic_exchange_n(&state.said_closed, 1, __ATOMIC_RELAXED))
    return;
  rrt_message_start(&m, "warning: log_path ");
  rrt_text_add(&m.text, rrt_log_path);
  rrt_text_add(&m.text, " can't be used (");
  rrt_text_add(&m.text, reason);
  rrt_text_add(&m.text, "): messages go to stderr; name a file of yours");
  put_line(fd, &m);
  rrt_message_close(fd);
}

static int has_log(void) {
  return rrt_log_path[0] && !__atomic_load_n(&state.said_closed, __ATOMIC_RELAXED);
}

int rrt_message_open(void) {
  struct rrt_sys_facts facts;
  if (!has_log())
    return standard_error();
  int fd = rrt_sys_open_log(rrt_log_path);
  int r = fd < 0 ? fd : rrt_sys_facts_of(fd, &facts);
  // Somebody else's file, or one that has another name elsewhere, isn't a log of ours.
  const char *reason = r < 0                                        ? rrt_message_reason(r)
                       : facts.kind != RRT_SYS_FILE                 ? NULL
                       : facts.links > 1                            ? "a file with other names, too"
                       : facts.user && facts.user != rrt_sys_user() ? "another user's file"
                                                                    : NULL;
  if (!reason)
    return fd;
  if (fd >= 0)
    rrt_sys_close(fd);
  say_closed(reason);
  return standard_error();
}

void rrt_message_close(int fd) {
  if (fd > 2 || fd == 0 || fd == 1)
    rrt_sys_close(fd);
}

int rrt_message_send(struct rrt_message *m) {
  int fd = rrt_message_open(), was_log = has_log();
  int r = put_line(fd, m);
  rrt_message_close(fd);
  if (r >= 0 || !was_log)
    return r;
  say_closed(rrt_message_reason(r)); // a full disk, for one, is found only now
  fd = standard_error();
  r = put_line(fd, m);
  rrt_message_close(fd);
  return r;
}

void rrt_say(const char *first, const char *second) {
  struct rrt_message m;
  rrt_message_start(&m, first);
  if (second)
    rrt_text_add(&m.text, second);
  rrt_message_send(&m);
}
