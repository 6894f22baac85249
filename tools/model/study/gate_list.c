// gate_list.c - how long a loop takes at most, and its line in the list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/study/gate_list.h"

#include "tools/support/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/// Gates that take less of the CPU time are no news.
#define NOTED_SHARE 0.02

/// Of fewer samples the longest tells nothing.
#define SAMPLES_LEAST 2

/// The mean, or what stands for it; and no more than the CPU time gives each entry, which is known
/// without a sample.
static double duration_ns(const struct measured_loop *loop, double cpu_ns) {
  const struct loop_stats *s = &loop->stats;
  double executions = (double)s->executions, duration = NAN;
  if (s->mean_ns.status == QUANTITY_OK)
    duration = s->mean_ns.value;
  else if (s->p50_ns.status == QUANTITY_OK)
    duration = s->p50_ns.value;
  else if (s->samples >= SAMPLES_LEAST && s->max_ns.status == QUANTITY_OK)
    duration = s->max_ns.value; // few samples: the longest of them
  if (s->is_recursive)          // its executions lie inside one another
    return duration;
  return fmin(duration, cpu_ns / executions); // fmin takes the number where the other is none
}

static struct gate_use use_of(const struct measured_loop *loop, double cpu_ns) {
  return (struct gate_use){.executions = loop->stats.executions,
                           .duration_ns = loop->stats.executions ? duration_ns(loop, cpu_ns) : NAN,
                           .is_needed = loop->region != NULL};
}

static void add_head(const struct gate_choice *choice, size_t loops, uint64_t budget_permille,
                     struct text *out) {
  double entries = (double)(choice->executions ? choice->executions : 1);
  text_add(out, "# Loops that are so short that their gates cost more than they tell; for\n"
                "# -fplugin-arg-reticle-ignorelist=FILE (made by reticle gates)\n");
  text_printf(out, "# Left out: %zu of %zu loops, %.1f %% of all entries. ", choice->count, loops,
              100 * (double)choice->left_executions / entries);
  text_printf(out, "Gates at %g ns an entry: %.1f %% of the CPU time, ", GATE_COST_NS,
              100 * choice->share);
  text_printf(out, "%.1f %% without them (budget %.1f %%)",
              100 * (choice->share - choice->left_share), (double)budget_permille / 10);
  text_add(out, "\n# Their entries are not counted. Their time is in the loops around them, and in "
                "samples.\n");
}

static void add_loop(const struct measured_loop *loop, const struct gate_use *use,
                     struct text *out) {
  struct text what = {0};
  measurement_add_name(loop, &what);
  text_add(&what, " ");
  measurement_add_place(loop->loop, &what);
  text_printf(out, "# %s", text_get(&what));
  if (loop->inlined_into)
    text_printf(out, " in %s", loop->inlined_into);
  text_printf(out, ": %" PRIu64 " entries of about %.0f ns", use->executions, use->duration_ns);
  text_printf(out, "\nloop:%016" PRIx64, loop->loop->id);
  text_add(out, "\n");
  text_release(&what);
}

/// What the budget leaves out. uses, left_out: [loop_count]. Returns null, or why the profile can't
/// tell.
static const char *choose(const struct measurement *m, uint64_t budget_permille,
                          struct gate_use *uses, bool *left_out, struct gate_choice *choice) {
  if (m->overview.cpu_ns.status != QUANTITY_OK || !(m->overview.cpu_ns.value > 0))
    return "the CPU time of the run isn't known";
  double cpu_ns = m->overview.cpu_ns.value;
  for (size_t i = 0; i < m->loop_count; i++)
    uses[i] = use_of(&m->loops[i], cpu_ns);
  *choice = gate_choose(uses, m->loop_count, cpu_ns, (double)budget_permille / 1000, left_out);
  return NULL;
}

const char *gate_list_add(const struct measurement *m, uint64_t budget_permille, struct text *out,
                          struct gate_choice *choice) {
  struct gate_use *uses = memory_zeroed(m->loop_count + 1, sizeof *uses);
  bool *left_out = memory_zeroed(m->loop_count + 1, sizeof *left_out);
  const char *gap = choose(m, budget_permille, uses, left_out, choice);
  if (!gap)
    add_head(choice, m->loop_count, budget_permille, out);
  for (size_t i = 0; !gap && i < m->loop_count; i++)
    if (left_out[i])
      add_loop(&m->loops[i], &uses[i], out);
  free(left_out);
  free(uses);
  return gap;
}

void gate_list_note(struct measurement *m) {
  struct gate_choice choice = {0};
  struct gate_use *uses = memory_zeroed(m->loop_count + 1, sizeof *uses);
  bool *left_out = memory_zeroed(m->loop_count + 1, sizeof *left_out);
  const char *gap = choose(m, GATE_BUDGET_PERMILLE, uses, left_out, &choice);
  if (!gap && choice.share >= NOTED_SHARE && choice.left_share >= choice.share / 2)
    notes_add(
        &m->notes, "gate_cost",
        "gates took about %.1f %% of the CPU time, at %g ns an entry, and %.1f %% of it in %zu "
        "loops that are over in tens of ns: reticle gates -o FILE lists them, "
        "-fplugin-arg-reticle-ignorelist=FILE leaves them out of the next build",
        100 * choice.share, GATE_COST_NS, 100 * choice.left_share, choice.count);
  free(left_out);
  free(uses);
}
