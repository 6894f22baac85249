// checks.c - the list of checks, their states and remedies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/doctor/checks.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdlib.h>

static char *print(const char *format, va_list arguments) {
  struct text text = {0};
  text_vprintf(&text, format, arguments);
  return text.data ? text.data : text_copy("");
}

void checks_add(struct checks *checks, enum check_state state, const char *part, const char *name,
                const char *format, ...) {
  if (checks->count == checks->capacity) {
    size_t capacity = 2 * checks->capacity + 16;
    struct check *items = memory_resized(checks->items, capacity, sizeof(*items));
    checks->items = items;
    checks->capacity = capacity;
  }
  va_list arguments;
  va_start(arguments, format);
  checks->items[checks->count++] =
      (struct check){.state = state, .part = part, .name = name, .text = print(format, arguments)};
  va_end(arguments);
}

void checks_remedy(struct checks *checks, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  checks->items[checks->count - 1].remedy = print(format, arguments);
  va_end(arguments);
}

void checks_release(struct checks *checks) {
  for (size_t i = 0; i < checks->count; i++) {
    free(checks->items[i].text);
    free(checks->items[i].remedy);
  }
  free(checks->items);
  *checks = (struct checks){0};
}

bool checks_have_problem(const struct checks *checks) {
  for (size_t i = 0; i < checks->count; i++)
    if (checks->items[i].state == CHECK_PROBLEM)
      return true;
  return false;
}

const char *check_state_name(enum check_state state) {
  switch (state) {
  case CHECK_OK:
    return "ok";
  case CHECK_NOTE:
    return "note";
  case CHECK_PROBLEM:
    return "problem";
  }
  return "unknown";
}
