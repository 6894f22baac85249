// finding_table.c - prints findings: a row, the evidence and the change for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/finding_table.h"

#include "tools/support/names.h"

#include <string.h>

/// Where evidence and change stand.
#define INDENT 6

static enum style style_of(const struct finding *finding) {
  return finding->severity == FINDING_HIGH     ? STYLE_BAD
         : finding->severity == FINDING_MEDIUM ? STYLE_CAUTION
                                               : STYLE_PLAIN;
}

static void add_line(const char *label, const struct text *text, const struct terminal *terminal,
                     struct text *out) {
  struct text line = {0};
  text_add(&line, label);
  text_add(&line, text_get(text));
  text_add_repeated(out, " ", INDENT);
  text_add_wrapped(out, text_get(&line), INDENT, INDENT, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

static void add_finding(const struct finding *finding, const struct terminal *terminal,
                        struct text *out) {
  struct text title = {0}, gain = {0};
  text_add(out, "  ");
  terminal_add(terminal, out, style_of(finding), finding_code_name(finding->code));
  if (*finding->about)
    text_printf(&title, "  %s", finding->about);
  if (finding->name.length)
    text_printf(&title, "%s%s", *finding->about ? " " : "  ", text_get(&finding->name));
  if (finding->line && finding->about[0] != 'A') // a site's name has its place
    text_printf(&title, " %s:%u", base_name(finding->file), finding->line);
  finding_add_gain(finding, &gain);
  text_printf(&title, ": %s", text_get(&gain));
  size_t column = 2 + text_width(finding_code_name(finding->code));
  text_add_wrapped(out, text_get(&title), column, INDENT, terminal->width);
  text_add(out, "\n");
  add_line("", &finding->text, terminal, out);
  if (finding->change.length)
    add_line("-> ", &finding->change, terminal, out);
  text_release(&title);
  text_release(&gain);
}

void finding_table_add(const struct findings *findings, const char *about, size_t most,
                       const struct terminal *terminal, struct text *out) {
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++) {
    if (about && strcmp(about, findings->items[i].about) != 0)
      continue;
    if (!count) {
      terminal_add(terminal, out, STYLE_HEADING, "FINDINGS");
      terminal_add(terminal, out, STYLE_FAINT, about ? "\n" : "  most to gain first\n");
    }
    if (count++ < most)
      add_finding(&findings->items[i], terminal, out);
  }
  if (count > most)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --findings\n", count - most);
  if (count)
    text_add(out, "\n");
}
