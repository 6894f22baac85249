// checks_text.c - prints each check of reticle doctor, wrapped to the screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/checks_text.h"
#include "tools/model/doctor/checks.h"
#include "tools/support/text.h"

#include <string.h>

/// "  problem  debug information  text": where the text starts.
#define NAME_COLUMN 11
#define TEXT_COLUMN 28

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
    const char *state = check_state_name(check->state);
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
