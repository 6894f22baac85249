// finding_table.c - prints findings: a row, the evidence and the change for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/finding_table.h"

#include "tools/support/names.h"

#include <stdlib.h>
#include <string.h>

/// Where evidence and change stand.
#define INDENT 6
/// A name that would get fewer columns is left out.
#define NAME_LEAST 16

static enum style style_of(const struct finding *finding) {
  return finding->severity == FINDING_HIGH     ? STYLE_BAD
         : finding->severity == FINDING_MEDIUM ? STYLE_CAUTION
                                               : STYLE_PLAIN;
}

/// is_brief: as many of its clauses as fit a line; of the first one that much.
static void add_line(const char *label, const struct text *text, bool is_brief,
                     const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  text_add(&line, label);
  text_add(&line, text_get(text));
  text_add_repeated(out, " ", INDENT);
  if (is_brief)
    text_add_cut(out, text_get(&line), INDENT, terminal->width);
  else
    text_add_wrapped(out, text_get(&line), INDENT, INDENT, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

/// "  L1 parse feed.c:95: saves 12 % ...", behind the code.
///
/// of       what the share is of
/// columns  that it may have: the name is cut
static void add_title(const struct finding *finding, const char *of, size_t columns,
                      struct text *title) {
  struct text behind = {0};
  if (finding->line && finding->about[0] != 'A') // a site's name has its place
    text_printf(&behind, " %s:%u", base_name(finding->file), finding->line);
  text_add(&behind, ": ");
  finding_add_gain(finding, of, &behind);
  if (*finding->about)
    text_printf(title, "  %s", finding->about);
  size_t others = 2 + text_width(text_get(title)) + text_width(text_get(&behind));
  if (finding->name.length && columns > others + NAME_LEAST) {
    text_add(title, *finding->about ? " " : "  ");
    char *name = text_copy(text_get(&finding->name));
    if (columns != SIZE_MAX)
      name_cut(name);
    text_add_short(title, name, columns - others);
    free(name);
  }
  text_add(title, text_get(&behind));
  text_release(&behind);
}

static void add_finding(const struct finding *finding, const struct terminal *terminal,
                        struct text *out) {
  struct text title = {0};
  text_add(out, "  ");
  terminal_add(terminal, out, style_of(finding), finding_code_name(finding->code));
  add_title(finding, finding_base_words(finding), SIZE_MAX, &title);
  size_t column = 2 + text_width(finding_code_name(finding->code));
  text_add_wrapped(out, text_get(&title), column, INDENT, terminal->width);
  text_add(out, "\n");
  add_line("", &finding->text, false, terminal, out);
  if (finding->change.length)
    add_line("-> ", &finding->change, false, terminal, out);
  text_release(&title);
}

void finding_brief_add(const struct finding *finding, bool with_change,
                       const struct terminal *terminal, struct text *out) {
  struct text title = {0};
  text_add(out, "  ");
  terminal_add(terminal, out, style_of(finding), finding_code_name(finding->code));
  size_t column = 2 + text_width(finding_code_name(finding->code));
  add_title(finding, finding->base == FINDING_OF_CPU ? "" : finding_base_words(finding),
            terminal->width - column, &title);
  text_add_cut(out, text_get(&title), column, terminal->width);
  text_add(out, "\n");
  add_line("", &finding->text, true, terminal, out);
  if (with_change && finding->change.length)
    add_line("-> ", &finding->change, true, terminal, out);
  text_release(&title);
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
