// messages.c - formats a message and writes it at once: errors, warnings, notes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/messages.h"

#include "tools/support/text.h"

#include <stdarg.h>
#include <unistd.h>

static void message_put(const char *kind, const char *format, va_list arguments) {
  struct text line = {0};
  text_add(&line, "reticle: ");
  text_add(&line, kind);
  text_vprintf(&line, format, arguments);
  text_add(&line, "\n");
  // A closed stderr is no reason to stop: the exit status still tells.
  if (write(STDERR_FILENO, line.data, line.length) < 0)
    line.length = 0;
  text_release(&line);
}

void message_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  message_put("error: ", format, arguments);
  va_end(arguments);
}

void message_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  message_put("warning: ", format, arguments);
  va_end(arguments);
}

void message_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  message_put("", format, arguments);
  va_end(arguments);
}
