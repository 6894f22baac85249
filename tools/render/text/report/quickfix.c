// quickfix.c - prints a line for each finding that has a place in the source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/quickfix.h"

static void add(const struct finding *f, struct text *out) {
  struct text gain = {0};
  finding_add_gain(f, finding_base_words(f), &gain);
  text_printf(out, "%s:%u: %s: %s", f->file, f->line,
              f->severity == FINDING_LOW || f->is_possible ? "note" : "warning",
              finding_code_name(f->code));
  if (*f->about)
    text_printf(out, " %s", f->about);
  if (f->name.length)
    text_printf(out, " %s", text_get(&f->name));
  text_printf(out, ": %s: %s", text_get(&gain), text_get(&f->text));
  if (f->change.length)
    text_printf(out, " -> %s", text_get(&f->change));
  text_add(out, "\n");
  text_release(&gain);
}

size_t quickfix_add(const struct findings *findings, struct text *out) {
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *f = &findings->items[i];
    if (!f->line || !*f->file || f->proof == FINDING_REFUTED)
      continue;
    add(f, out);
    count++;
  }
  return count;
}
