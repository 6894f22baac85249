// loop_cause.c - gathers stall causes, structs and allocation sites of one loop, and the remedy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_cause.h"

#include "tools/model/bound/loop_bound.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/remedy/remedy.h"

#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/store/input.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Structs on a card, and fields of each.
#define STRUCTS_SHOWN 3
#define FIELDS_SHOWN 6

static void read_blocks(const struct measurement *m, const struct measured_loop *loop,
                        struct loop_cause *out) {
  for (size_t i = 0; i < m->block_count; i++) {
    const struct measured_block *block = &m->blocks[i];
    if (block->loop != loop)
      continue;
    if (!out->hottest || block->sampled_ns > out->hottest->sampled_ns)
      out->hottest = block;
    if (block->no_stall_causes)
      out->no_stall_causes = block->no_stall_causes;
    else
      stall_tally_add(&out->tally, &block->tally);
  }
  stall_tally_net(&out->tally);
  loop_bound_narrow(m, loop, &out->tally);
  if (!out->hottest)
    out->no_stall_causes = "no block of the loop was measured in isolation";
  else if (!out->no_stall_causes && !(out->tally.time > 0))
    out->no_stall_causes = out->hottest->place.reason ? out->hottest->place.reason
                                                      : "no samples in the loop's measured blocks";
}

static int compare_fields(const void *left, const void *right) {
  uint64_t a = field_use_sum(left), b = field_use_sum(right);
  return (a < b) - (a > b);
}

static void name_fields(const struct struct_use *use, struct struct_loop *loop, char *out,
                        size_t size) {
  struct text names = {0};
  qsort(loop->fields, use->field_count, sizeof(*loop->fields), compare_fields);
  for (size_t i = 0; i < use->field_count && i < FIELDS_SHOWN; i++)
    if (field_use_sum(&loop->fields[i]))
      text_printf(&names, "%s%s", i ? " " : "", loop->fields[i].member->name);
  if (use->field_count > FIELDS_SHOWN && field_use_sum(&loop->fields[FIELDS_SHOWN]))
    text_add(&names, " ...");
  snprintf(out, size, "%s", text_get(&names));
  text_release(&names);
}

static void advise(const struct measurement *m, struct loop_struct *out) {
  const struct struct_summary *summary = struct_summary_get(m, &m->structs.structs[out->rank - 1]);
  out->useful = summary->useful;
  out->is_parts = summary->parts != ADVICE_NONE;
  out->advice = summary->advice;
  out->gain = summary->gain;
  out->order = summary->order;
  out->order_gain = summary->order_gain;
  out->layout = summary->layout;
}

static int compare_structs(const void *left, const void *right) {
  const struct loop_struct *a = left, *b = right;
  return (a->accesses < b->accesses) - (a->accesses > b->accesses);
}

static void read_structs(const struct measurement *m, const struct measured_loop *loop,
                         struct loop_cause *out) {
  size_t first = struct_uses_first(&m->structs, loop->loop->id), most = 0;
  while (first + most < m->structs.pair_count &&
         m->structs.pairs[first + most].loop == loop->loop->id)
    most++;
  out->structs = memory_zeroed(most + 1, sizeof(*out->structs));
  for (size_t i = first; i < first + most; i++) {
    size_t structure = m->structs.pairs[i].structure;
    const struct struct_use *use = &m->structs.structs[structure];
    struct struct_loop part;
    struct_loop_make(&m->input.profile, use, loop->loop->id, &part);
    if (part.reads + part.writes) {
      struct loop_struct *found = &out->structs[out->struct_count++];
      found->rank = structure + 1;
      found->use = use;
      found->accesses = part.reads + part.writes;
      name_fields(use, &part, found->fields, sizeof(found->fields));
    }
    free(part.fields);
    free(part.accesses);
  }
  if (out->struct_count)
    qsort(out->structs, out->struct_count, sizeof(*out->structs), compare_structs);
  if (out->struct_count > STRUCTS_SHOWN)
    out->struct_count = STRUCTS_SHOWN;
  for (size_t i = 0; i < out->struct_count; i++) {
    struct loop_struct *s = &out->structs[i];
    advise(m, s);
    s->trial = known_trial_find(&m->input, s->use);
  }
}

static void read_cause(const struct measurement *m, const struct measured_loop *loop,
                       struct loop_cause *out) {
  loop = measurement_whole_loop(m, loop);
  read_blocks(m, loop, out);
  read_structs(m, loop, out);
}

static void release(struct loop_cause *cause) { free(cause->structs); }

LAZY_OF(loop_cause, struct loop_cause, struct measured_loop, read_cause, release)

/// The advised order was tried on this very program.
static bool is_tried(const struct loop_struct *s) {
  return s->layout && s->trial.trial && s->trial.state == TRIAL_CURRENT &&
         s->trial.trial->layout == s->layout;
}

/// What to do about the struct: what was measured before what is estimated.
static void add_change(const struct loop_struct *s, struct text *out) {
  const char *next = "";
  if (is_tried(s) && s->trial.trial->verdict == RETICLE_TRIAL_GAIN) {
    text_printf(out, "%s; %.2fx (measured)", text_get(&s->order), trial_gain(s->trial.trial).value);
    next = "; or ";
  } else if (s->order.length && !is_tried(s)) {
    text_printf(out, "%s; 1.0x to %.1fx (estimate; measure it: ", text_get(&s->order),
                s->order_gain.high);
    struct_try_add(s->use->record->name, out);
    text_add(out, ")");
    next = "; or ";
  }
  if (s->is_parts)
    text_printf(out, "%s%s; 1.0x to %.1fx (estimate; no what-if can measure it)", next,
                text_get(&s->advice), s->gain.high);
}

static bool waits_for_data(enum stall_cause cause) {
  return cause == STALL_CAUSE_D_CACHE || cause == STALL_CAUSE_D_TLB ||
         cause == STALL_CAUSE_WRITE_BUFFER;
}

size_t loop_cause_change(const struct measurement *m, const struct measured_loop *loop,
                         const struct loop_cause *cause, struct text *out) {
  enum stall_cause named =
      cause->no_stall_causes ? STALL_CAUSE_NONE : stall_cause_named(&cause->tally);
  for (size_t i = 0; i < cause->struct_count; i++) {
    const struct loop_struct *s = &cause->structs[i];
    // A smaller layout is no help where it isn't memory that is waited for.
    if (!s->advice.length || (!cause->no_stall_causes && !waits_for_data(named)))
      continue;
    size_t before = out->length;
    add_change(s, out);
    if (out->length == before)
      continue; // it was tried, and doesn't help
    return s->rank;
  }
  if (remedy_of_stall(named))
    text_add(out, remedy_words(remedy_of_stall(named)));
  else if (cause->no_stall_causes && !cause->hottest) {
    text_printf(out, "not known yet: reticle block L%zu --save", loop->rank);
    input_add_operands(&m->input, out);
  }
  return 0;
}
