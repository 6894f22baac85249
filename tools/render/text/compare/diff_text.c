// diff_text.c - prints sides, design, table, notes and the next command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/compare/diff_text.h"

#include "tools/model/doctor/gap.h"
#include "tools/render/text/compare/diff_table.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <string.h>

/// Loops in the table, unless --top or --all says otherwise.
#define TOP_DEFAULT 20
/// Lines on changed work, unless --all.
#define WORK_LINES 10
/// Longest command line that is shown in full.
#define COMMAND_COLUMNS 44
/// A change that users ask about; for the advice on how many runs to take.
#define ASKED_FOR 0.1
/// More runs a side aren't asked for.
#define RUNS_MOST 50

void diff_side_add(const struct compared_side *side, const char *name,
                   const struct terminal *terminal, struct text *out) {
  const struct profile *profile = &side->merged;
  const char *command = *profile->env.arguments ? profile->env.arguments : profile->env.executable;
  char machine[160];
  terminal_add(terminal, out, STYLE_HEADING, name);
  text_add(out, " ");
  struct text line = {0};
  bool fits = text_width(command) <= COMMAND_COLUMNS;
  text_printf(&line, "%.*s%s   ",
              (int)(fits ? strlen(command) : text_prefix(command, COMMAND_COLUMNS - 4)), command,
              fits ? "" : " ...");
  text_printf(&line, "%s", units_counted(profile->merged_count, "run").data);
  if (side->overview.elapsed_ns.status == QUANTITY_OK)
    text_printf(
        &line, " of %s wall clock",
        units_duration(side->overview.elapsed_ns.value / (double)profile->merged_count).data);
  cpu_short_name(profile->env.cpu_model, profile->env.hypervisor, machine, sizeof machine);
  text_printf(&line, "   %s   %s", machine,
              profile->object_count ? profile->objects[0].compiler : "no instrumented object");
  terminal_add(terminal, out, STYLE_PLAIN, text_get(&line));
  text_add(out, "\n");
  text_release(&line);
}

/// On what the verdicts rest.
static void add_design(const struct comparison *c, const struct terminal *terminal,
                       struct text *out) {
  struct text floor = {0}, turns = {0};
  diff_design_words(c, &floor, &turns);
  text_add_wrapped(out, text_get(&floor), 0, 2, terminal->width);
  text_add(out, "\n");
  text_add_wrapped(out, text_get(&turns), 0, 2, terminal->width);
  text_add(out, "\n");
  text_release(&floor);
  text_release(&turns);
}

static void add_note(const char *text, enum style style, const char *head,
                     const struct terminal *terminal, struct text *out) {
  terminal_add(terminal, out, style, head);
  text_add_wrapped(out, text, strlen(head), 2, terminal->width);
  text_add(out, "\n");
}

/// Different machines first and in red: no number below means what it seems to.
void diff_notes_add(const struct comparison *c, const struct terminal *terminal, struct text *out) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < c->notes.count; i++) {
      bool is_bad = strcmp(c->notes.items[i].code, "different_machines") == 0;
      if (is_bad == (pass == 0))
        add_note(c->notes.items[i].text, is_bad ? STYLE_BAD : STYLE_CAUTION,
                 is_bad ? "DIFFERENT MACHINES: " : "warning: ", terminal, out);
    }
  for (size_t i = 0; diff_doubt(&c->diff, i); i++)
    add_note(diff_doubt(&c->diff, i), STYLE_CAUTION, "warning: ", terminal, out);
}

/// Loops to show: those that changed, might have, or are on one side alone.
static size_t choose_rows(const struct comparison *c, const struct diff_rows *rows) {
  const size_t *verdicts = c->diff.verdicts;
  size_t most = rows->top ? rows->top : TOP_DEFAULT, count = c->diff.count;
  if (!rows->all)
    count = verdicts[DIFF_SLOWER] + verdicts[DIFF_FASTER] + verdicts[DIFF_INCONCLUSIVE];
  return rows->all && !rows->top ? count : count < most ? count : most;
}

/// The most runs that one of the inconclusive loops needs; 0 if there is none or no number helps.
static size_t runs_advised(const struct diff *diff) {
  size_t most = 0;
  for (size_t i = 0; i < diff->count; i++) {
    const struct diff_loop *loop = &diff->loops[i];
    if (loop->verdict != DIFF_INCONCLUSIVE)
      continue;
    size_t median = diff_runs_needed(&loop->median, &diff->design, ASKED_FOR, RUNS_MOST);
    size_t mean = diff_runs_needed(&loop->mean, &diff->design, ASKED_FOR, RUNS_MOST);
    size_t least = !median || (mean && mean < median) ? mean : median;
    most = least > most ? least : most;
  }
  return most;
}

static void add_next(const struct comparison *c, const struct terminal *terminal,
                     struct text *out) {
  const struct diff *diff = &c->diff;
  struct text command = {0};
  if (diff->verdicts[DIFF_SLOWER] + diff->verdicts[DIFF_FASTER]) {
    const struct diff_loop *loop = &diff->loops[0];
    text_printf(&command, "reticle show %016" PRIx64, loop->b.loop->id);
    comparison_add_operands(&c->b, &command);
  } else if (diff->verdicts[DIFF_INCONCLUSIVE]) {
    size_t runs = runs_advised(diff);
    text_add(&command, "reticle diff A... -- B...");
    text_printf(out,
                "to tell 10 %% of the inconclusive loops: %s%zu runs a side, in turn "
                "(A B A B ...)\n",
                runs ? "at most " : "over ", runs ? runs : (size_t)RUNS_MOST);
  } else {
    text_add(&command, "reticle report");
    comparison_add_operands(&c->b, &command);
  }
  text_add(out, "next: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&command);
}

static void add_gap(const struct compared_side *side, const char *name,
                    const struct terminal *terminal, struct text *out) {
  struct text reason = {0};
  gap_add(&side->overview, &reason);
  if (reason.length) {
    struct text line = {0};
    text_printf(&line, "%s: %s", name, text_get(&reason));
    add_note(text_get(&line), STYLE_BAD, "no loop was timed in ", terminal, out);
    text_release(&line);
  }
  text_release(&reason);
}

void diff_text_add(const struct comparison *comparison, const struct diff_rows *rows,
                   const struct terminal *terminal, struct text *out) {
  diff_side_add(&comparison->a, "A", terminal, out);
  diff_side_add(&comparison->b, "B", terminal, out);
  add_design(comparison, terminal, out);
  diff_notes_add(comparison, terminal, out);
  add_gap(&comparison->a, "A", terminal, out);
  add_gap(&comparison->b, "B", terminal, out);
  text_add(out, "\n");
  size_t shown = choose_rows(comparison, rows);
  if (shown)
    diff_table_add(&comparison->diff, shown, terminal, out);
  else if (comparison->diff.tested)
    text_add(out, "no loop differs\n");
  else
    text_add(out, "no loop could be compared\n");
  diff_work_add(&comparison->diff, rows->all ? SIZE_MAX : WORK_LINES, terminal, out);
  text_add(out, "\n");
  diff_verdicts_add(comparison->diff.verdicts, shown < comparison->diff.count, terminal, out);
  add_next(comparison, terminal, out);
}
