// layout_suggest.c - prints what may help beside orders and parts: whole lines, narrower types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/heap/sharing_show.h"
#include "tools/render/text/struct/layout_show.h"
#include "tools/support/units.h"

#include <string.h>

static void add_line(const char *head, struct text *line, const struct terminal *terminal,
                     struct text *out) {
  terminal_add(terminal, out, STYLE_HEADING, head);
  text_add_wrapped(out, text_get(line), (unsigned)strlen(head), 9, terminal->width);
  text_add(out, "\n");
  text_release(line);
}

void layout_show_sharing(const struct measurement *m, const struct struct_sharing *sharing,
                         const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  if (!sharing->line)
    return;
  text_printf(&line, "%s, suspected: threads write different words of a line of A%zu",
              sharing_verdict_name(sharing->line->verdict), sharing->site);
  if (sharing->line->met.status == QUANTITY_OK)
    text_printf(&line, ", and met there in %s of the looks",
                units_share(sharing->line->met.value).data);
  text_add(&line, "; ");
  sharing_advice_add(m, sharing->line, sharing->use, &sharing->type, &line);
  text_printf(&line, "; which words: reticle show A%zu", sharing->site);
  add_line("pad      ", &line, terminal, out);
}

void layout_show_shrink(const struct struct_shrink *shrink, const struct struct_advice *a,
                        const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  if (!shrink->count)
    return;
  for (size_t i = 0; i < shrink->count; i++) {
    const struct shrink_field *f = &shrink->fields[i];
    text_printf(&line, "%s%s %u -> %u bytes (%s values, %u bits%s)", i ? ", " : "", f->member->name,
                f->member->size_bytes, f->bytes, units_count((double)f->values).data, f->bits,
                f->is_signed ? " with the sign" : "");
  }
  text_printf(&line,
              ": an element of %u bytes in place of %u. A suggestion: values are of samples, and "
              "what holds for all the source must say",
              shrink->size_bytes, a->use->record->size_bytes);
  add_line("shrink   ", &line, terminal, out);
}
