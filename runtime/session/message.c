// message.c - the runtime's lines for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/message.h"

#include "runtime/sys/sys.h"

char rrt_log_path[4096];

static struct rrt_sys_file_id stderr_id;
static int had_stderr;

void rrt_message_begin(void) {
  int is_for_text;
  had_stderr = rrt_sys_descriptor_id(2, &stderr_id, &is_for_text) >= 0;
}

// Daemons close their descriptors, and then a data file or a socket may have the number 2. Who
// redirects standard error opens a file for writing only.
static int standard_error(void) {
  struct rrt_sys_file_id id;
  int is_for_text;
  if (rrt_sys_descriptor_id(2, &id, &is_for_text) < 0)
    return -1;
  int is_same = had_stderr && id.device == stderr_id.device && id.inode == stderr_id.inode;
  return is_same || is_for_text ? 2 : -1;
}

void rrt_message_start(struct rrt_message *m, const char *text) {
  rrt_text_init(&m->text, m->buffer, sizeof m->buffer - 1); // room for the newline
  rrt_text_add(&m->text, "reticle[");
  rrt_text_add_number(&m->text, rrt_sys_pid());
  rrt_text_add(&m->text, "]: ");
  rrt_text_add(&m->text, text);
}

// Once, on stderr.
static void say_closed(long error) {
  static uint32_t said;
  struct rrt_message m;
  if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    return;
  rrt_message_start(&m, "warning: log_path ");
  rrt_text_add(&m.text, rrt_log_path);
  rrt_text_add(&m.text, " can't be opened (errno ");
  rrt_text_add_number(&m.text, (uint64_t)-error);
  rrt_text_add(&m.text, "): messages go to stderr\n");
  rrt_sys_write(standard_error(), m.buffer, m.text.length);
}

int rrt_message_open(void) {
  if (!rrt_log_path[0])
    return standard_error();
  int fd = rrt_sys_open_append(rrt_log_path);
  if (fd >= 0)
    return fd;
  say_closed(fd);
  return standard_error();
}

void rrt_message_close(int fd) {
  if (fd > 2 || fd == 0 || fd == 1)
    rrt_sys_close(fd);
}

void rrt_message_send(struct rrt_message *m) {
  m->buffer[m->text.length] = '\n';
  int fd = rrt_message_open();
  rrt_sys_write(fd, m->buffer, m->text.length + 1);
  rrt_message_close(fd);
}

void rrt_say(const char *first, const char *second) {
  struct rrt_message m;
  rrt_message_start(&m, first);
  if (second)
    rrt_text_add(&m.text, second);
  rrt_message_send(&m);
}
