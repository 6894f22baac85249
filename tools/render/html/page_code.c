// page_code.c - source and machine code of the functions with most samples, side by side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_in_place_words.h"
#include "tools/model/block/function_code.h"
#include "tools/model/sample/source_lines.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Functions with a card: so many at most, of so much of the CPU time at least.
#define FUNCTIONS_MOST 12
#define SHARE_LEAST 0.01
/// Lines around each sampled one, lines and instructions of a card at most.
#define AROUND 2
#define LINES_MOST 400
#define INSTRUCTIONS_MOST 1500
/// A stall is named if it is at least so much of its block's time.
#define STALL_LEAST 0.05

bool page_has_code(const struct measurement *m, const struct sampled_function *function) {
  return (size_t)(function - m->samples.functions) < FUNCTIONS_MOST && *function->symbol &&
         !function->own && (double)function->time_ns >= SHARE_LEAST * (double)m->samples.all_ns;
}

/// Two cells: part of the function's time, and a bar.
static void add_heat(double share, struct text *out) {
  text_add(out, "<td class=\"number\">");
  if (share >= 0.0005)
    html_text(out, units_share(share).data);
  text_add(out, "</td><td>");
  if (share >= 0.0005)
    svg_share(out, share, "c3");
  text_add(out, "</td>");
}

// --- source ------------------------------------------------------------------------------------

struct shown_lines {
  const struct sampled_function *function;
  struct text *out;
  unsigned last; ///< line; 0: none yet
  size_t count;
};

static void show_line(const struct source_line_seen *line, void *context) {
  struct shown_lines *shown = context;
  if (shown->count++ >= LINES_MOST)
    return;
  if (shown->last && shown->last + 1 < line->number)
    text_add(shown->out, "<tr class=\"faint\"><td></td><td></td><td></td><td>...</td></tr>\n");
  shown->last = line->number;
  text_format(shown->out, "<tr%s>", line->sampled ? "" : " class=\"faint\"");
  add_heat(line->sampled ? (double)line->sampled->time_ns / (double)shown->function->time_ns : 0,
           shown->out);
  text_format(shown->out, "<td class=\"number\">%u</td><td><code>", line->number);
  struct text words = {0};
  for (const char *at = line->text ? line->text
                                   : "(the file can't be read, or has no such line now)";
       *at && *at != '\n' && *at != '\r'; at++)
    text_add_bytes(&words, *at == '\t' ? "    " : at, *at == '\t' ? 4 : 1);
  html_text(shown->out, text_get(&words));
  text_release(&words);
  text_add(shown->out, "</code></td></tr>\n");
}

/// Each has a name of its own.
static void begin_listing(const char *what, const struct sampled_function *function,
                          const char *file, struct text *out) {
  text_format(out, "<div class=\"listing\" role=\"region\" tabindex=\"0\" aria-label=\"%s of ",
              what);
  html_text(out, function->name);
  if (*file)
    html_printf(out, " in %s", file);
  text_add(out, "\"><table>");
}

static void add_file(const struct measurement *m, const struct sampled_function *function,
                     const struct source_line *lines, size_t count, struct text *out) {
  struct source_file source;
  source_file_open(lines->file, &m->input.profile, &source);
  text_add(out, "<p class=\"place\">");
  html_text(out, lines->file);
  if (source.problem)
    html_printf(out, ": %s", source.problem);
  else if (source.is_newer)
    text_add(out, " <span class=\"doubt\">newer than the profile: lines may differ</span>");
  text_add(out, "</p>");
  begin_listing("Source", function, lines->file, out);
  text_add(out, "<thead><tr><th scope=\"col\" class=\"number\">time</th><th scope=\"col\"><span "
                "class=\"unseen\">bar</span></th><th "
                "scope=\"col\" class=\"number\">line</th>"
                "<th scope=\"col\">source</th></tr></thead><tbody>\n");
  struct shown_lines shown = {function, out, 0, 0};
  source_lines_visit(&source, lines, count, AROUND, false, show_line, &shown);
  text_add(out, "</tbody></table></div>\n");
  if (shown.count > LINES_MOST)
    text_format(out, "<p class=\"faint\">and %zu more lines</p>\n", shown.count - LINES_MOST);
  source_file_close(&source);
}

static void add_source(const struct measurement *m, const struct sampled_function *function,
                       struct text *out) {
  size_t count;
  struct source_line *lines = source_lines_of(function, &count);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && strcmp(lines[i].file, lines[end].file) == 0; end++)
      ;
    add_file(m, function, lines + i, end - i, out);
  }
  if (!count)
    text_add(out,
             m->samples.files[function->file].has_lines
                 ? "<p class=\"faint\">no line is known for its code</p>\n"
                 : "<p class=\"faint\">the file has no debug information: compile with -g</p>\n");
  free(lines);
}

// --- machine code ------------------------------------------------------------------------------

/// How often the block ran, at how many cycles, and by itself.
static void add_block_head(const struct function_code *code, size_t position, struct text *out) {
  const struct block *block = &code->list.blocks[position];
  const struct code_block *known = &code->blocks[position];
  struct text words = {0};
  text_printf(&words, "block +0x%" PRIx64 ", %s", block->address - code->sampled->address,
              units_share((double)known->time_ns / (double)code->sampled->time_ns).data);
  if (block->line)
    text_printf(&words, ", %s:%u", base_name(block->file), block->line);
  if (code->counted.counts) {
    text_add(&words, ": ");
    block_in_place_add(&known->place, &words);
    struct text gap = {0};
    block_in_place_add_gap(&known->place, known->isolated, &gap);
    if (gap.length)
      text_printf(&words, "; %s", text_get(&gap));
    text_release(&gap);
  }
  text_add(out, "<tr><th colspan=\"5\" scope=\"colgroup\"><div>");
  html_text(out, text_get(&words));
  text_add(out, "</div></th></tr>\n");
  text_release(&words);
}

/// "15.7 cycles: D-cache miss, DTLB miss": what is not ruled out.
static void add_stall(const struct function_code *code, size_t position, size_t instruction,
                      struct text *out) {
  const struct instruction_stall *stall = &code->stalls[instruction];
  if (!(stall->time > 0) || !(stall->time >= STALL_LEAST * code->tallies[position].time) ||
      code->blocks[position].place.cycles.cycles.status != QUANTITY_OK)
    return;
  double cycles = function_code_stall_cycles(code, position, instruction);
  const char *before = ": ";
  text_format(out, "%.*f cycles", cycles < 100 ? 1 : 0, cycles);
  for (int i = 0; i < STALL_CAUSES; i++)
    if (stall->suspects & (1u << i)) {
      html_printf(out, "%s%s", before, stall_cause_name((enum stall_cause)i));
      before = ", ";
    }
}

static void add_instruction(const struct function_code *code, size_t position, size_t number,
                            struct text *out) {
  const struct code_instruction *instruction = &code->instructions[number];
  char line[256];
  function_code_text(&code->list.blocks[position], instruction, line, sizeof line);
  text_format(out, "<tr%s>", instruction->own ? " class=\"faint\"" : "");
  add_heat(instruction->blamed_ns / (double)code->sampled->time_ns, out);
  text_format(out, "<td class=\"number\">%" PRIx64 "</td><td><code>", instruction->address);
  html_text(out, line);
  text_add(out, instruction->own ? "</code> (instrumentation)</td><td>" : "</code></td><td>");
  if (code->stalls)
    add_stall(code, position, number, out);
  text_add(out, "</td></tr>\n");
}

static void add_code(const struct sampled_function *function, const struct function_code *code,
                     struct text *out) {
  size_t shown = 0, left_out = 0;
  if (*code->error.text) {
    text_add(out, "<p class=\"faint\">machine code can't be shown: the file ");
    html_text(out, code->error.text);
    text_add(out, "</p>\n");
    return;
  }
  text_format(out, "<p class=\"place\">%s %s</p>", units_counted(code->list.count, "block").data,
              code->list.map_version ? "of the BB address map" : "found by disassembly");
  begin_listing("Machine code", function, "", out);
  text_add(out,
           "<thead><tr><th scope=\"col\" class=\"number\">time</th><th scope=\"col\"><span "
           "class=\"unseen\">bar</span></th><th "
           "scope=\"col\" class=\"number\">address</th>"
           "<th scope=\"col\">instruction</th><th scope=\"col\">waits</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < code->list.count; i++) {
    const struct code_block *block = &code->blocks[i];
    if (!block->samples || shown >= INSTRUCTIONS_MOST) {
      left_out++;
      continue;
    }
    add_block_head(code, i, out);
    for (size_t k = block->first; k < block->first + block->count; k++, shown++)
      add_instruction(code, i, k, out);
  }
  text_add(out, "</tbody></table></div>\n");
  if (left_out)
    text_format(out, "<p class=\"faint\">and %s%s</p>\n", units_counted(left_out, "block").data,
                shown < INSTRUCTIONS_MOST ? " without samples" : "");
  if (code->no_stall_causes) {
    text_add(out, "<p class=\"faint\">");
    html_text(out, code->no_stall_causes);
    text_add(out, "</p>\n");
  }
}

// --- cards -------------------------------------------------------------------------------------

static void add_card(const struct measurement *m, size_t i, struct text *out) {
  const struct sampled_function *function = &m->samples.functions[i];
  text_format(out, "<details class=\"card\" id=\"F%zu\"%s><summary><b>", i + 1,
              i == 0 ? " open" : "");
  html_text(out, function->name);
  text_add(out, "</b> <span class=\"place\">");
  html_printf(out, "%s of the CPU time, %s samples",
              units_share(samples_share(&m->samples, function->time_ns).value).data,
              units_exact(function->samples).data);
  text_add(out, "</span></summary>\n<div class=\"code-pair\"><div>");
  add_source(m, function, out);
  text_add(out, "</div>\n<div>");
  add_code(function, function_code_get(m, function), out);
  text_add(out, "</div></div></details>\n");
}

void page_code_cards_add(const struct measurement *m, struct text *out) {
  bool is_first = true;
  for (size_t i = 0; i < m->samples.function_count && i < FUNCTIONS_MOST; i++) {
    if (!page_has_code(m, &m->samples.functions[i]))
      continue;
    if (is_first)
      text_add(
          out,
          "<h3>Source and machine code</h3>\n<p class=\"faint\">Of blocks with samples; times are "
          "parts of the function's.</p>\n");
    is_first = false;
    add_card(m, i, out);
  }
}
