// try_show.c - prints the verdict of a trial, for the whole program and for loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/struct/try_show.h"
#include "tools/support/names.h"

#include "tools/model/compare/diff_input.h"
#include "tools/support/demangle.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>

/// Loops listed.
#define LOOPS_SHOWN 5
/// Where the minimum detectable gain is above this, more is said.
#define BUSY 1.1

static void add_verdict(const struct paired *p, const struct terminal *terminal, struct text *out) {
  switch (p->verdict) {
  case PAIRED_GAIN:
    terminal_add(terminal, out, STYLE_HEADING, "gain");
    break;
  case PAIRED_WORSE:
    terminal_add(terminal, out, STYLE_BAD, "worse");
    break;
  case PAIRED_TOO_FEW:
    terminal_add(terminal, out, STYLE_BAD, "too few pairs for a verdict");
    return;
  case PAIRED_NONE:
    terminal_add(terminal, out, STYLE_HEADING, "no measurable gain");
    break;
  }
  text_printf(out, ": %.3fx (95 %% interval %.3f to %.3f)", p->gain.value, p->gain.low,
              p->gain.high);
  if (p->verdict == PAIRED_NONE)
    text_printf(out, "; minimum detectable gain %.1f %%", 100 * (p->detectable - 1));
}

/// The loops whose mean duration changed significantly.
static void add_loops(const struct comparison *comparison, const struct terminal *terminal,
                      struct text *out) {
  size_t shown = 0;
  if (comparison)
    for (size_t i = 0; i < comparison->diff.count && shown < LOOPS_SHOWN; i++) {
      const struct diff_loop *loop = &comparison->diff.loops[i];
      if (loop->verdict != DIFF_FASTER && loop->verdict != DIFF_SLOWER)
        continue;
      const struct profile_loop *l = loop->b.loop;
      char *function = demangle(l->inlined_from);
      if (!function)
        memory_exhausted();
      demangle_shorten(function);
      if (!shown++)
        terminal_add(terminal, out, STYLE_HEADING, "loops that changed\n");
      text_printf(out, "  %s %s:%u  %s by %.0f %%\n", function, base_name(l->file), l->line,
                  loop->verdict == DIFF_FASTER ? "faster" : "slower",
                  100 * fabs(expm1(loop->mean.change)));
      free(function);
    }
  if (!shown)
    terminal_add(terminal, out, STYLE_FAINT, "no loop changed significantly\n");
}

void try_show_add(const char *structure, const struct try_side *written,
                  const struct try_side *changed, const struct paired *paired,
                  const struct comparison *comparison, const struct terminal *terminal,
                  struct text *out) {
  terminal_printf(terminal, out, STYLE_HEADING, "TRY %s  ", structure);
  add_verdict(paired, terminal, out);
  text_printf(out, "\n%zu pairs in turn", written->count);
  if (written->builds > 1)
    text_printf(out, ", functions at other places in each of %zu builds", written->builds);
  text_printf(out, ": as written %s, changed %s of %s (medians)\n",
              units_duration(try_side_median(written, try_side_times(written, changed)) * 1e9).data,
              units_duration(try_side_median(changed, try_side_times(changed, written)) * 1e9).data,
              try_side_by_wall(written, changed) ? "wall-clock time" : "CPU time");
  if (paired->verdict == PAIRED_NONE && paired->detectable > BUSY)
    text_printf(out,
                "%s differ that much: the machine is busy, the program does something else each "
                "time%s; try again, or with more --pairs\n",
                written->builds > 1 ? "builds or runs" : "runs",
                written->builds > 1 ? ", or depends on where its functions lie" : "");
  if (written->builds == 1)
    text_add(out,
             "one build of each: what its functions gain or lose by where they happen to lie is "
             "part of the result\n");
  add_loops(comparison, terminal, out);
}
