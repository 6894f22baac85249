// message.h - the runtime's lines for people: reticle[pid]: ...
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_MESSAGE_H
#define RETICLE_RUNTIME_SUPPORT_MESSAGE_H

#include "runtime/support/text.h"

/// One line; goes out in a single write to stderr, or to log_path.
struct rrt_message {
  struct rrt_text text;
  char buffer[1536];
};

void rrt_message_start(struct rrt_message *message, const char *text);
/// 0, or below 0 where nobody has got it.
int rrt_message_send(struct rrt_message *message);

/// A whole line of two parts at once; second may be null.
void rrt_say(const char *first, const char *second);

/// At start: remembers what standard error is.
void rrt_message_begin(void);

/// What a negative errno of a file's means, in words.
const char *rrt_message_reason(int error);

/// Where messages go: a descriptor to be given back to rrt_message_close; negative: nowhere. That
/// of a pipe at log_path doesn't block. Once log_path could not be used, it is stderr.
int rrt_message_open(void);
void rrt_message_close(int fd);

/// log_path with % replaced; "" for stderr. Set once at start.
extern char rrt_log_path[4096];

#endif
