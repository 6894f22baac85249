// stalls.c - tallies the blocks of all sampled functions, and ranks the largest stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/stall/stalls.h"

#include "tools/model/measurement/lazy.h"

#include "tools/binary/code/decode.h"
#include "tools/model/block/function_code.h"
#include "tools/model/block/uncounted.h"
#include "tools/model/bound/loop_bound.h"
#include "tools/model/sample/skid.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  OTHER_FILES,
  OTHER_NAMELESS,
  OTHER_UNMAPPED,
  OTHER_NO_ROOM,
  OTHER_LOST,
  OTHER_SMALL,
  OTHER_INSTRUMENTATION
};

static void add_row(struct stalls *out, const struct function_code *code, size_t position,
                    size_t instruction) {
  const struct instruction_stall *stall = &code->stalls[instruction];
  const struct block *block = &code->list.blocks[position];
  const struct quantity *cycles = &code->blocks[position].place.cycles.cycles;
  if (!(stall->time > 0) || cycles->status != QUANTITY_OK)
    return;
  size_t at = out->count < STALLS_MOST ? out->count : STALLS_MOST;
  if (at == STALLS_MOST && stall->time <= out->rows[at - 1].time_ns)
    return;
  if (at == STALLS_MOST)
    at--;
  else
    out->count++;
  for (; at && out->rows[at - 1].time_ns < stall->time; at--)
    out->rows[at] = out->rows[at - 1];
  struct stall_row *row = &out->rows[at];
  *row = (struct stall_row){.function = code->sampled,
                            .address = code->instructions[instruction].address,
                            .time_ns = stall->time,
                            .cycles = function_code_stall_cycles(code, position, instruction),
                            .suspects = stall->suspects};
  if (block->line)
    snprintf(row->place, sizeof(row->place), "%s:%u", base_name(block->file), block->line);
  uint64_t offset = row->address - block->address;
  decode_text(block->code + offset, block->bytes - offset, row->address, row->text,
              sizeof(row->text));
}

static void read_function(const struct measurement *m, const struct sampled_function *function,
                          struct stalls *out) {
  struct function_code code;
  if (function->samples < BLOCK_SAMPLES_LEAST) {
    out->others[OTHER_SMALL].time += (double)function->time_ns;
    return;
  }
  bool fine = function_code_read(m, function, &code);
  if (!fine || !code.tallies) {
    out->others[OTHER_FILES].time += (double)function->time_ns;
    function_code_release(&code);
    return;
  }
  double rest = (double)function->time_ns, memory = 0;
  for (size_t b = 0; b < code.list.count; b++) {
    stall_tally_add(&out->tally, &code.tallies[b]);
    memory += code.tallies[b].groups[STALL_GROUP_MEMORY].high + code.tallies[b].uncounted;
    rest -= code.tallies[b].time + code.blocks[b].own_ns;
    for (size_t i = 0; i < code.blocks[b].count; i++)
      add_row(out, &code, b, code.blocks[b].first + i);
  }
  out->others[OTHER_INSTRUMENTATION].time += function_code_own_ns(&code);
  rest = rest > 0 ? rest : 0; // code that the map lacks
  out->others[OTHER_FILES].time += rest;
  double most = loop_bound_function_most(m, function->symbol, (double)function->time_ns);
  out->memory_ns[function - m->samples.functions] = fmin(memory + rest, most);
  function_code_release(&code);
}

static void read_file(const struct measurement *m, size_t number, struct stalls *out) {
  const struct sampled_file *file = &m->samples.files[number];
  bool has_map = file->labels.count && program_files_blocks(m->files, file->file->path, NULL, NULL);
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *function = &m->samples.functions[i];
    if (function->file != number)
      continue;
    if (function->own)
      out->others[OTHER_INSTRUMENTATION].time += (double)function->time_ns;
    else if (!*function->symbol)
      out->others[OTHER_NAMELESS].time += (double)function->time_ns;
    else if (has_map)
      read_function(m, function, out);
    else
      out->others[OTHER_FILES].time += (double)function->time_ns;
  }
}

static const char no_time[] = "the samples stand for no CPU time: the profile is damaged";

static void read_stalls(const struct measurement *m, struct stalls *out) {
  const struct samples *s = &m->samples;
  double period_ns = s->all ? (double)s->all_ns / (double)s->all : 0;
  *out = (struct stalls){
      .others = {{"code that counts no blocks", 0},
                 {"code without a symbol", 0},
                 {"in no file", (double)s->unmapped_ns},
                 {"without a place in a full table", (double)s->no_room * period_ns},
                 {"lost in full rings", (double)s->lost * period_ns},
                 {"functions with fewer than 10 samples", 0},
                 {STALL_CAUSE_INSTRUMENTATION, 0}}};
  out->memory_ns = memory_zeroed(s->function_count + 1, sizeof *out->memory_ns);
  for (size_t i = 0; i < s->function_count; i++)
    out->memory_ns[i] = (double)s->functions[i].time_ns;
  if (!s->all)
    out->missing = "no samples";
  else if (!s->all_ns)
    out->missing = no_time;
  else if (uncounted_reason(m))
    out->missing = uncounted_reason(m);
  else
    out->missing = skid_missing(&m->skid);
  if (out->missing)
    return;
  for (size_t i = 0; i < s->file_count; i++)
    read_file(m, i, out);
  if (!(stall_tally_total(&out->tally, out->others, STALL_OTHERS) > 0))
    out->missing = no_time;
}

static void release(struct stalls *stalls) { free(stalls->memory_ns); }

LAZY(stalls, struct stalls, read_stalls, release)
