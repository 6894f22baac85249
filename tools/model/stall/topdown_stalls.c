// topdown_stalls.c - sums the stall causes of a loop's own blocks, fetch stalls included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/stall/topdown_stalls.h"

#include "tools/machine/block_core.h"
#include "tools/machine/topdown_machine.h"
#include "tools/model/bound/loop_bound.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Functions that may hold a loop's code: static ones of several files.
#define VIEWS 4
/// The smallest first cache of code of the cores that blocks can be measured on.
#define L1I_BYTES 32768

void topdown_code_release(struct topdown_code *code) {
  for (size_t i = 0; i < code->function_count; i++)
    if (code->is_read[i])
      function_code_release(&code->functions[i]);
  free(code->functions);
  free(code->is_read);
  block_views_release(&code->views);
  *code = (struct topdown_code){0};
}

/// The sampled function at that address of that file, read once; null if nothing fell on it.
static const struct function_code *function_at(const struct measurement *m, const char *module,
                                               uint64_t address, struct topdown_code *code) {
  if (!code->functions) {
    code->function_count = m->samples.function_count;
    code->functions = memory_zeroed(code->function_count + 1, sizeof(*code->functions));
    code->is_read = memory_zeroed(code->function_count + 1, sizeof(*code->is_read));
  }
  for (size_t i = 0; i < code->function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    // Wraps around below it.
    if (!*f->symbol || address - f->address >= f->bytes ||
        strcmp(m->samples.files[f->file].file->path, module) != 0)
      continue;
    if (!code->is_read[i])
      code->is_read[i] = function_code_read(m, f, &code->functions[i]);
    return code->is_read[i] ? &code->functions[i] : NULL;
  }
  return NULL;
}

/// Where a loop's instructions take longer than plain execution, and than in isolation, line by
/// line.
struct lines {
  struct line {
    const char *source;
    unsigned line;
    double stall_ns, dynamic_stall_ns;
  } *items; ///< [count]
  size_t count;
};

static struct line *line_of(struct lines *lines, const struct code_frame *frame) {
  size_t i = 0;
  while (i < lines->count &&
         (lines->items[i].line != frame->line || strcmp(lines->items[i].source, frame->file) != 0))
    i++;
  if (i == lines->count) {
    lines->items = memory_resized(lines->items, (i + 1), sizeof(*lines->items));
    lines->items[lines->count++] = (struct line){frame->file, frame->line, 0, 0};
  }
  return &lines->items[i];
}

/// Each instruction has an equal part of the block's execution, and of what it waits for in
/// isolation, too; they are taken out by line, as a thousand instructions without a stall have more
/// samples than the load behind them. Of inlined copies the innermost line counts; an instruction
/// without a line is of the one in front.
static void add_lines(const struct measurement *m, const struct function_code *code, size_t number,
                      struct lines *lines) {
  const struct code_block *block = &code->blocks[number];
  const struct sampled_file *file = &m->samples.files[code->sampled->file];
  const struct stall_tally *tally = &code->tallies[number];
  struct code_frame frames[CODE_FRAMES_MAX], frame = {0};
  double count = (double)(block->count - block->own_count);
  double execution_ns = tally->execution / count, static_ns = tally->static_stall / count;
  if (!file->places || !file->has_lines)
    return;
  for (size_t i = block->first; i < block->first + block->count; i++) {
    const struct code_instruction *instruction = &code->instructions[i];
    if (instruction->own)
      continue;
    if (code_places_frames(file->places, instruction->address, frames) && frames[0].line)
      frame = frames[0];
    if (frame.line) {
      struct line *line = line_of(lines, &frame);
      double stall_ns = instruction->blamed_ns - execution_ns;
      line->stall_ns += stall_ns;
      line->dynamic_stall_ns += stall_ns - static_ns;
    }
  }
}

/// The line that waits most: for what it doesn't wait for in isolation, if that is most of what the
/// loop waits for. Null: none does.
static const struct line *worst_line(const struct lines *lines, const struct stall_tally *tally) {
  const struct line *worst = NULL;
  double most = 0;
  bool is_dynamic = tally->dynamic_stall > tally->static_stall + tally->mixed_stall;
  for (size_t i = 0; i < lines->count; i++) {
    const struct line *line = &lines->items[i];
    double ns = is_dynamic ? line->dynamic_stall_ns : line->stall_ns;
    if (ns > most) {
      most = ns;
      worst = line;
    }
  }
  return worst;
}

/// A block larger than the first cache of code comes from beyond it at each execution: what nothing
/// else explains is that.
static void blame_fetch(struct stall_tally *tally) {
  struct stall_range *const ranges[] = {&tally->causes[STALL_CAUSE_I_CACHE],
                                        &tally->groups[STALL_GROUP_FRONT_END]};
  for (size_t i = 0; i < 2; i++) {
    ranges[i]->low += tally->unexplained;
    ranges[i]->high += tally->unexplained;
  }
  tally->unexplained = 0;
}

static void add_block(const struct measurement *m, const struct function_code *code,
                      uint64_t address, struct topdown_estimate_input *out, struct lines *lines) {
  for (size_t b = 0; b < code->list.count; b++) {
    const struct code_block *block = &code->blocks[b];
    if (code->list.blocks[b].address != address)
      continue;
    struct stall_tally tally = code->tallies[b];
    if (code->list.blocks[b].bytes > L1I_BYTES)
      blame_fetch(&tally);
    stall_tally_add(&out->tally, &tally);
    if (!block->place.reason && block->place.cycles.cycles.status == QUANTITY_OK)
      out->instructions +=
          (double)block->place.executions * counted_blocks_instructions(&code->list.blocks[b]);
    add_lines(m, code, b, lines);
  }
}

/// Slots of a cycle of this machine's core; 0: not known.
static double width_here(void) {
  struct topdown_machine machine;
  topdown_machine_read(&machine);
  if (machine.tree) // a thread's half of the slots where the tree counts both threads
    return strstr(machine.tree->name, "_smt") ? 2 * machine.tree->width : machine.tree->width;
  if (machine.width > 0)
    return machine.width;
  return block_core_here() == BLOCK_CORE_UNKNOWN ? 0 : 6;
}

const char *topdown_stalls_read(const struct measurement *m, const struct measured_loop *loop,
                                struct topdown_code *code, struct topdown_estimate_input *out,
                                const char **source, unsigned *line) {
  struct block_view *views[VIEWS];
  const char *module, *problem;
  struct lines lines = {0};
  *out = (struct topdown_estimate_input){
      .cycles_per_ns = m->core_rate.status == QUANTITY_OK ? m->core_rate.value : NAN,
      .width = width_here()};
  size_t count = block_views_find(m, loop, VIEWS, &code->views, views, &module, &problem);
  const char *reason = count ? NULL : problem;
  for (size_t v = 0; v < count; v++) {
    const struct function_code *function = function_at(m, module, views[v]->function.address, code);
    if (function && function->no_stall_causes)
      reason = function->no_stall_causes;
    for (size_t i = 0; function && function->tallies && i < views[v]->list.count; i++) {
      size_t in = views[v]->loops.innermost[i];
      if (in != BLOCK_LOOP_NONE && block_view_is_within(views[v], in, loop))
        add_block(m, function, views[v]->list.blocks[i].address, out, &lines);
    }
  }
  stall_tally_net(&out->tally);
  loop_bound_narrow(m, loop, &out->tally);
  const struct line *worst = worst_line(&lines, &out->tally);
  *line = worst ? worst->line : 0;
  *source = worst ? worst->source : NULL;
  free(lines.items);
  return reason;
}
