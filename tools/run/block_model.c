// block_model.c - writes a block as assembly for llvm-mca and reads its cycles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   code  --llvm-mc -disassemble-->  text  --marks around each block-->  llvm-mca  -->  cycles
//
// The model has no faults, all loads hit, and it takes the copies of the block one behind the
// other, as the harness does.
#define _GNU_SOURCE // memfd_create
#include "tools/run/block_model.h"

#include "tools/binary/decode.h"
#include "tools/model/measured_block.h"
#include "tools/run/llvm_tool.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Copies of the block, so that the first one's delay doesn't count.
#define ITERATIONS 200

/// Bytes of hex digits; 0 if these are none.
static size_t bytes_of(const char *hex, uint8_t *out, size_t most) {
  size_t count = 0;
  for (; hex[0] && hex[1] && count < most; hex += 2) {
    unsigned byte;
    if (sscanf(hex, "%2x", &byte) != 1)
      return 0;
    out[count++] = (uint8_t)byte;
  }
  return *hex ? 0 : count;
}

/// Adds the block's instructions but calls, one a line, as llvm-mc takes them. Returns how many; 0
/// if some are none.
static size_t add_bytes(const struct profile_block *block, struct text *out) {
  static uint8_t code[4096];
  size_t bytes = bytes_of(block->code, code, sizeof(code)), count = 0;
  struct text lines = {0};
  for (size_t at = 0; at < bytes;) {
    struct instruction i;
    if (!decode_instruction(code + at, bytes - at, block->address + at, &i)) {
      text_release(&lines);
      return 0;
    }
    bool is_left_out = i.kind == INSTRUCTION_CALL || i.kind == INSTRUCTION_CALL_AWAY;
    for (size_t k = 0; !is_left_out && k < i.bytes; k++)
      text_format(&lines, "0x%02x%s", code[at + k], k + 1 < i.bytes ? " " : "\n");
    count += !is_left_out;
    at += i.bytes;
  }
  text_add(out, text_get(&lines));
  text_release(&lines);
  return count;
}

/// What the program makes of the text, or null; to be freed.
static char *run(const char *name, const char *variable, const char *const *arguments,
                 const char *text) {
  int input = llvm_tool_input(text), output = memfd_create("reticle-output", MFD_CLOEXEC);
  char *result = NULL;
  if (input >= 0 && output >= 0 &&
      llvm_tool_run(name, variable, arguments, input, output, true) == 0) {
    off_t length = lseek(output, 0, SEEK_END);
    result = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (result && pread(output, result, (size_t)length, 0) == length) {
      result[length] = 0;
    } else {
      free(result);
      result = NULL;
    }
  }
  close(input);
  close(output);
  return result;
}

static const char *line_end(const char *line) { return line + strcspn(line, "\n"); }

/// The next line with an instruction; null behind the last.
static const char *next_instruction(const char *line) {
  for (; *line; line = line_end(line) + (*line_end(line) == '\n')) {
    const char *start = line + strspn(line, " \t");
    if (*start && *start != '\n' && *start != '.' && *start != '#')
      return start;
  }
  return NULL;
}

/// Puts marks around each block's instructions. False if there are more, or fewer, lines.
static bool add_marks(const char *lines, const size_t *counts, size_t count, struct text *out) {
  for (size_t b = 0; b < count; b++) {
    if (!counts[b])
      continue;
    text_printf(out, "# LLVM-MCA-BEGIN %zu\n", b);
    for (size_t i = 0; i < counts[b]; i++) {
      const char *line = next_instruction(lines);
      if (!line)
        return false;
      text_add_bytes(out, line, (size_t)(line_end(line) - line));
      text_add(out, "\n");
      lines = line_end(line);
    }
    text_printf(out, "# LLVM-MCA-END %zu\n", b);
  }
  return !next_instruction(lines);
}

static uint64_t thousandths(double cycles) { return (uint64_t)llround(1000 * cycles); }

/// Takes "[0] Code Region - 7 ... Total Cycles:      1234".
static void take(const char *report, struct profile_block *blocks, size_t count) {
  for (const char *at = report; (at = strstr(at, "Code Region - ")); at++) {
    size_t block;
    double total;
    const char *next = strstr(at + 1, "Code Region - "), *found = strstr(at, "Total Cycles:");
    if (sscanf(at, "Code Region - %zu", &block) != 1 || block >= count || !found ||
        (next && found > next) || sscanf(found, "Total Cycles: %lf", &total) != 1 || !(total > 0))
      continue;
    double cycles = total / ITERATIONS;
    blocks[block].status = BLOCK_MODEL;
    blocks[block].cycles = thousandths(cycles);
    blocks[block].cycles_low = thousandths(cycles / 2);
    blocks[block].cycles_high = thousandths(cycles * 2);
  }
}

void block_model_fill(struct profile_block *blocks, size_t count) {
  static const char *const disassemble[] = {"-disassemble", "-triple=x86_64-linux-gnu",
                                            "-mcpu=native", "-", NULL};
  static const char *const analyse[] = {"-mtriple=x86_64-linux-gnu",
                                        "-mcpu=native",
                                        "-iterations=200",
                                        "-resource-pressure=false",
                                        "-instruction-info=false",
                                        "-",
                                        NULL};
  _Static_assert(ITERATIONS == 200, "as in the arguments");
  struct text code = {0}, marked = {0};
  size_t *counts = memory_zeroed(count + 1, sizeof(*counts)), any = 0;
  for (size_t b = 0; b < count; b++)
    if (blocks[b].cycles == UINT64_MAX && blocks[b].code && *blocks[b].code)
      any += counts[b] = add_bytes(&blocks[b], &code);
  char *lines = any ? run("llvm-mc", "RETICLE_LLVM_MC", disassemble, text_get(&code)) : NULL;
  char *report = lines && add_marks(lines, counts, count, &marked)
                     ? run("llvm-mca", "RETICLE_LLVM_MCA", analyse, text_get(&marked))
                     : NULL;
  if (report)
    take(report, blocks, count);
  free(report);
  free(lines);
  free(counts);
  text_release(&code);
  text_release(&marked);
}
