// gap.c - picks the reason: nothing compiled, nothing probed, nothing entered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/doctor/gap.h"

#include "tools/support/units.h"

#include <stddef.h>

const char *gap_code(enum overview_gap gap) {
  switch (gap) {
  case OVERVIEW_MEASURED:
    return NULL;
  case OVERVIEW_EPOCHS:
    return "epochs";
  case OVERVIEW_NO_OBJECTS:
    return "no_objects";
  case OVERVIEW_NO_LOOPS:
    return "no_loops";
  case OVERVIEW_ALL_LEFT_OUT:
    return "all_left_out";
  case OVERVIEW_TABLE_FULL:
    return "table_full";
  case OVERVIEW_NOT_ENTERED:
    return "not_entered";
  case OVERVIEW_SWITCHED_OFF:
    return "switched_off";
  case OVERVIEW_NO_SAMPLES:
    return "no_samples";
  }
  return NULL;
}

/// Which of the reasons to leave a loop out hit most, and what to do about that one.
static void add_left_out(const struct overview *overview, struct text *out) {
  uint64_t small = overview->loops_short, ignored = overview->loops_ignored,
           unsupported = overview->loops_unsupported;
  text_printf(out,
              "all %llu loops were left out at compile time: %llu too short to time, %llu ignored, "
              "%llu of a shape that takes no probe. ",
              (unsigned long long)overview->loops, (unsigned long long)small,
              (unsigned long long)ignored, (unsigned long long)unsupported);
  if (ignored && ignored >= small && ignored >= unsupported)
    text_add(out, "Compile without the ignorelist, the attributes, or "
                  "-fplugin-arg-reticle-loops=");
  else if (small >= unsupported)
    text_add(out, "Instrument the files that call these functions in loops");
  else
    text_add(out, "Compile with -fplugin-arg-reticle-remarks=1 to see why, loop by loop");
}

void gap_add(const struct overview *overview, struct text *out) {
  switch (overview->gap) {
  case OVERVIEW_MEASURED:
    return;
  case OVERVIEW_EPOCHS:
    text_add(out,
             "samples of closed epochs alone: loops are in the run's own file, the one without "
             ".eN; report --samples shows what there is");
    return;
  case OVERVIEW_NO_OBJECTS:
    text_add(out, "the program holds no object compiled with the plug-in: build its sources with "
                  "reticle-clang (see: reticle doctor PROGRAM)");
    return;
  case OVERVIEW_NO_LOOPS:
    text_printf(out,
                "the %llu instrumented functions hold no loop (the optimiser may have unrolled or "
                "removed those of the source): instrument more of the program (see: reticle doctor "
                "PROGRAM)",
                (unsigned long long)overview->functions);
    return;
  case OVERVIEW_ALL_LEFT_OUT:
    add_left_out(overview, out);
    return;
  case OVERVIEW_TABLE_FULL:
    text_printf(out,
                "the table of loops is full: set RETICLE_OPTIONS=max_loops=N, with N more than "
                "the program's loops (%llu with probes)",
                (unsigned long long)overview->loops_probed);
    return;
  case OVERVIEW_NOT_ENTERED:
    text_printf(out,
                "the program entered none of the %llu loops with probes: give it input that does, "
                "or instrument the files that it spends its time in; the optimiser may have "
                "unrolled or removed loops of the source",
                (unsigned long long)overview->loops_probed);
    return;
  case OVERVIEW_SWITCHED_OFF:
    text_add(out, "timing was switched off: run it without loop=0 in RETICLE_OPTIONS");
    return;
  case OVERVIEW_NO_SAMPLES:
    text_printf(out,
                "loops were entered %s times, but the run was too short to time one: let it do "
                "more work, or set RETICLE_OPTIONS=period=1 to time every execution",
                units_count((double)overview->executions).data);
    return;
  }
}
