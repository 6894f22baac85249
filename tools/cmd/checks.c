// checks.c - findings of the doctor: what was looked at, how it is, and the remedy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/checks.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

/// "  problem  debug information  text": where the text starts.
#define NAME_COLUMN 11
#define TEXT_COLUMN 28

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

static const char *state_name(enum check_state state) {
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

static void add_wrapped(const struct terminal *terminal, struct text *out, enum style style,
                        const char *string) {
  struct text wrapped = {0};
  text_add_wrapped(&wrapped, string, TEXT_COLUMN, TEXT_COLUMN, terminal->width);
  terminal_add(terminal, out, style, text_get(&wrapped));
  text_add(out, "\n");
  text_release(&wrapped);
}

void checks_print(const struct checks *checks, const struct terminal *terminal, struct text *out) {
  static const enum style styles[] = {STYLE_GOOD, STYLE_CAUTION, STYLE_BAD};
  const char *part = "";
  for (size_t i = 0; i < checks->count; i++) {
    const struct check *check = &checks->items[i];
    if (strcmp(part, check->part) != 0) {
      part = check->part;
      text_add(out, i ? "\n" : "");
      terminal_printf(terminal, out, STYLE_HEADING, "%s\n", part);
    }
    const char *state = state_name(check->state);
    text_add(out, "  ");
    terminal_add(terminal, out, styles[check->state], state);
    text_add_repeated(out, " ", NAME_COLUMN - 2 - strlen(state));
    text_add_name(out, check->name);
    text_add_repeated(out, " ", TEXT_COLUMN - NAME_COLUMN - strlen(check->name));
    add_wrapped(terminal, out, STYLE_PLAIN, check->text);
    if (check->remedy) {
      text_add_repeated(out, " ", TEXT_COLUMN - 3);
      text_add(out, "-> ");
      add_wrapped(terminal, out, STYLE_COMMAND, check->remedy);
    }
  }
}

struct json *checks_json(const struct checks *checks) {
  struct json *array = json_array_new();
  for (size_t i = 0; i < checks->count; i++) {
    const struct check *check = &checks->items[i];
    struct json *object = json_append(array, json_object_new());
    json_put_text(object, "state", state_name(check->state));
    json_put_text(object, "part", check->part);
    json_put_text(object, "name", check->name);
    json_put_text(object, "text", check->text);
    json_put_text_or_null(object, "remedy", check->remedy ? check->remedy : "");
  }
  return array;
}
