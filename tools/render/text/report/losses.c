// losses.c - prints each loss with its count and what it means.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/losses.h"

#include "tools/support/units.h"

#include <string.h>

static void add_loss(struct text *line, uint64_t count, const char *noun, const char *what) {
  if (count)
    text_printf(line, "%s%s %s %s", line->length ? "; " : "", units_count((double)count).data,
                units_noun(count, noun).data, what);
}

void losses_add(const struct profile_health *health, const struct terminal *terminal,
                const char *prefix, struct text *out) {
  struct text line = {0};
  add_loss(&line, health->lost_samples, "sample", "lost in full rings");
  add_loss(&line, health->abandoned_samples, "sample",
           "dropped: their loop was left by longjmp or an exception, or recursed too deep");
  add_loss(&line, health->migrated_samples, "sample", "during which the thread changed CPU");
  add_loss(&line, health->full_tables, "loop", "without a place (raise max_loops)");
  add_loss(&line, health->unmeasured_executions, "execution",
           "not counted: before the runtime started, or in a signal handler during a probe");
  add_loss(&line, health->shrunk_reservoirs, "loop", "gave raw samples away (raise pool)");
  add_loss(&line, health->failed_threads, "thread", "without memory");
  add_loss(&line, health->failed_checkpoints, "checkpoint", "not written");
  bool any = line.length > 0;
  text_add(out, prefix);
  terminal_add(terminal, out, any ? STYLE_CAUTION : STYLE_FAINT, "losses:");
  text_add(out, " ");
  text_add_wrapped(out, any ? text_get(&line) : "none", text_width(prefix) + strlen("losses: "), 2,
                   terminal->width);
  text_add(out, "\n");
  text_release(&line);
}
