// notes.h - what the reader of a report has to know besides the numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_NOTES_H
#define RETICLE_TOOLS_SUPPORT_NOTES_H

#include <stddef.h>

struct note {
  const char *code; ///< stable word for scripts: "killed", "binary_changed", ...
  char *text;       ///< one line, lower case, with the fix
};

/// Start with {0}.
struct notes {
  struct note *items; ///< [count]
  size_t count;
  size_t capacity;
};

void notes_add(struct notes *notes, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void notes_release(struct notes *notes);

#endif
