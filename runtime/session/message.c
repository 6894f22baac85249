// message.c - the runtime's lines for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/message.h"

#include "runtime/sys/sys.h"

char rrt_log_path[4096];

void rrt_message_start(struct rrt_message *m, const char *text) {
  rrt_text_init(&m->text, m->buffer, sizeof m->buffer - 1); // room for the newline
  rrt_text_add(&m->text, "reticle[");
  rrt_text_add_number(&m->text, rrt_sys_pid());
  rrt_text_add(&m->text, "]: ");
  rrt_text_add(&m->text, text);
}

int rrt_message_open(void) {
  if (!rrt_log_path[0])
    return 2;
  int fd = rrt_sys_open_append(rrt_log_path);
  return fd < 0 ? 2 : fd;
}

void rrt_message_close(int fd) {
  if (fd != 2)
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
