// place_say.c - the messages on a profile's place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/place_say.h"

#include "runtime/session/place.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"

enum { SAID = 2 };

static struct {
  uint32_t is_full;
  struct rrt_message message;
} said[SAID];

static struct rrt_message *begin_message(const char *text) {
  for (unsigned i = 0; i < SAID && rrt_options.verbosity; i++)
    if (!__atomic_load_n(&said[i].is_full, __ATOMIC_ACQUIRE)) {
      rrt_message_start(&said[i].message, text);
      return &said[i].message;
    }
  return NULL;
}

static void end_message(const struct rrt_message *m) {
  for (unsigned i = 0; i < SAID; i++)
    if (m == &said[i].message)
      __atomic_store_n(&said[i].is_full, 1, __ATOMIC_RELEASE);
}

void rrt_place_say(void) {
  for (unsigned i = 0; i < SAID; i++)
    if (__atomic_load_n(&said[i].is_full, __ATOMIC_ACQUIRE) &&
        rrt_message_send(&said[i].message) >= 0)
      __atomic_store_n(&said[i].is_full, 0, __ATOMIC_RELEASE);
}

void rrt_place_say_foreign(const char *path, const char *what, const char *beside) {
  struct rrt_message *m = begin_message("warning: ");
  if (!m)
    return;
  rrt_text_add(&m->text, path);
  rrt_text_add(&m->text, " is ");
  rrt_text_add(&m->text, what);
  rrt_text_add(&m->text, " and stays as it is; ");
  rrt_text_add(&m->text, "the profile is ");
  rrt_text_add(&m->text, beside);
  rrt_text_add(&m->text, "; set option out= to a new file");
  end_message(m);
}

void rrt_place_say_shared(const char *path, uint64_t pid, const char *beside) {
  struct rrt_message *m = begin_message("note: ");
  if (!m)
    return;
  rrt_text_add(&m->text, path);
  rrt_text_add(&m->text, " is the profile of process ");
  rrt_text_add_number(&m->text, pid);
  rrt_text_add(&m->text, ", this one's is ");
  rrt_text_add(&m->text, beside);
  rrt_text_add(&m->text, "; %p in option out= names the process, %r the MPI rank");
  end_message(m);
}

void rrt_place_say_kept(const char *path, uint64_t pid, const char *kept) {
  struct rrt_message *m = begin_message("note: ");
  if (!m)
    return;
  rrt_text_add(&m->text, "the profile of process ");
  rrt_text_add_number(&m->text, pid);
  rrt_text_add(&m->text, ", which has ended, is no longer ");
  rrt_text_add(&m->text, path);
  rrt_text_add(&m->text, " but ");
  rrt_text_add(&m->text, kept);
  end_message(m);
}

void rrt_place_say_failed(const char *path, int error, const char *elsewhere) {
  struct rrt_message *m = begin_message("warning: ");
  if (!m)
    return;
  rrt_text_add(&m->text, path);
  rrt_text_add(&m->text, ": cannot be written (");
  rrt_text_add(&m->text, rrt_message_reason(error));
  rrt_text_add(&m->text, "); ");
  if (elsewhere) {
    rrt_text_add(&m->text, "the profile is ");
    rrt_text_add(&m->text, elsewhere);
    rrt_text_add(&m->text, "; ");
  }
  rrt_text_add(&m->text, "set option out= to a file in a writable folder");
  end_message(m);
}
