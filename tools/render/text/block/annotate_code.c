// annotate_code.c - prints blocks and instructions with samples, counts, cycles and stall causes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/annotate_code.h"

#include "tools/model/block/block_in_place_words.h"
#include "tools/model/block/function_code.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/render/text/block/stall_cause_show.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <inttypes.h>

/// A stall is drawn if it is at least so much of its block's time.
#define BUBBLE_LEAST 0.05

static void add_wrapped_line(const struct text *line, const struct terminal *terminal,
                             struct text *out) {
  struct text wrapped = {0};
  text_add_wrapped(&wrapped, text_get(line), 4, 4, terminal->width);
  text_add(out, "    ");
  text_add(out, text_get(&wrapped));
  text_add(out, "\n");
  text_release(&wrapped);
}

/// How often the block ran, at how many cycles, by itself, and what holds it up.
static void add_in_place(const struct function_code *code, size_t position,
                         const struct terminal *terminal, struct text *out) {
  const struct code_block *block = &code->blocks[position];
  struct text line = {0}, gap = {0};
  block_in_place_add(&block->place, &line);
  block_in_place_add_gap(&block->place, block->isolated, &gap);
  if (gap.length)
    text_printf(&line, "; %s", text_get(&gap));
  add_wrapped_line(&line, terminal, out);
  text_clear(&line);
  if (code->tallies && block->samples) {
    struct stall_tally tally = function_code_tally(code, position);
    stall_cause_show_add(&tally, &line);
  }
  if (line.length)
    add_wrapped_line(&line, terminal, out);
  text_release(&line);
  text_release(&gap);
}

/// "      dD ........ 15.7 cycles ........ dD", above the instruction that it is blamed on.
static void add_bubble(const struct function_code *code, size_t position, size_t instruction,
                       const struct terminal *terminal, struct text *out) {
  const struct code_block *block = &code->blocks[position];
  const struct instruction_stall *stall = &code->stalls[instruction];
  if (!(stall->time > 0) || !(stall->time >= BUBBLE_LEAST * code->tallies[position].time) ||
      block->place.cycles.cycles.status != QUANTITY_OK)
    return;
  double cycles = function_code_stall_cycles(code, position, instruction);
  char letters[STALL_CAUSES + 2];
  stall_cause_letters(stall->suspects, letters);
  terminal_printf(terminal, out, STYLE_CAUTION,
                  "  %15s  %6s  %s ........ %.*f cycles ........ %s\n", "", "", letters,
                  cycles < 100 ? 1 : 0, cycles, letters);
}

static void add_instruction(const struct function_code *code, const struct block *block,
                            const struct code_instruction *instruction, struct text *out) {
  char line[256];
  function_code_text(block, instruction, line, sizeof(line));
  if (instruction->blamed_samples >= 0.5)
    text_printf(out, "  %5.1f %% %7.0f",
                100 * instruction->blamed_ns / (double)code->sampled->time_ns,
                instruction->blamed_samples);
  else
    text_printf(out, "  %15s", "");
  text_printf(out, "  %6" PRIx64 "  %s%s\n", instruction->address, line,
              instruction->own ? "  (instrumentation)" : "");
}

static void add_block(const struct function_code *code, size_t position,
                      const struct terminal *terminal, struct text *out) {
  const struct block *block = &code->list.blocks[position];
  const struct code_block *known = &code->blocks[position];
  terminal_printf(terminal, out, STYLE_HEADING, "  block +0x%" PRIx64,
                  block->address - code->sampled->address);
  text_printf(out, "  %s, %.1f %%", units_counted(known->samples, "sample").data,
              100 * (double)known->time_ns / (double)code->sampled->time_ns);
  if (block->line)
    terminal_printf(terminal, out, STYLE_FAINT, "   %s:%u", base_name(block->file), block->line);
  text_add(out, "\n");
  if (code->counted.counts)
    add_in_place(code, position, terminal, out);
  for (size_t i = known->first; i < known->first + known->count; i++) {
    if (code->stalls)
      add_bubble(code, position, i, terminal, out);
    add_instruction(code, block, &code->instructions[i], out);
  }
}

void annotate_code_add(const struct function_code *code, bool all, const struct terminal *terminal,
                       struct text *out) {
  struct text line = {0};
  size_t left_out = 0;
  terminal_add(terminal, out, STYLE_HEADING, "code");
  if (*code->error.text) {
    text_printf(out, "  can't be shown: the file %s\n", code->error.text);
    return;
  }
  text_printf(out, "  %s %s\n", units_counted(code->list.count, "block").data,
              code->list.map_version ? "of the BB address map" : "found by disassembly");
  if (code->no_stall_causes) {
    struct text why = {0};
    text_add(&why, "    ");
    text_add_wrapped(&why, code->no_stall_causes, 4, 4, terminal->width);
    text_add(&why, "\n");
    terminal_add(terminal, out, STYLE_FAINT, text_get(&why));
    text_release(&why);
  }
  for (size_t i = 0; i < code->list.count; i++) {
    if (code->blocks[i].samples || all)
      add_block(code, i, terminal, out);
    else
      left_out++;
  }
  if (left_out)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %s without samples: --all\n",
                    units_counted(left_out, "block").data);
  if (code->outside)
    text_printf(out, "  %s in no block\n", units_counted(code->outside, "sample").data);
  if (code->tallies)
    stall_cause_show_letters_used(code, &line);
  if (line.length)
    terminal_printf(terminal, out, STYLE_FAINT, "  %s\n", text_get(&line));
  text_release(&line);
  if (code->tallies) {
    struct stall_tally sum = function_code_sum(code);
    struct stall_other own = {STALL_CAUSE_INSTRUMENTATION, function_code_own_ns(code)};
    text_add(out, "\n");
    stall_cause_show_table(&sum, &own, 1, "STALLS of the function", terminal, out);
  }
}
