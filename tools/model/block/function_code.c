// function_code.c - lays samples, counts, cycles and stall causes on a function's instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/function_code.h"

#include "tools/analysis/block/blame.h"
#include "tools/analysis/stall/stall_pool.h"
#include "tools/binary/block/block_loops.h"
#include "tools/binary/code/decode.h"
#include "tools/machine/block_core.h"
#include "tools/model/block/block_in_place.h"
#include "tools/model/block/uncounted.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/sample/skid.h"
#include "tools/program/evidence.h"
#include "tools/support/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// First cache for code of the cores of the last ten years, the smallest. Sources: those of
/// tools/analysis/block/block_limit.h.
#define L1I_BYTES 32768

/// What the analysis takes; the arrays end with the function.
struct evidence {
  struct stall_instruction *instructions;
  struct stall_block *blocks;
  struct stall_edge *edges;
  size_t *parents;
  struct stall_input input;
  struct block_loops loops;
};

static void *need(size_t count, size_t size) {
  void *memory = memory_zeroed(count + 1, size);
  return memory;
}

static void lay_samples(const struct sampled_function *function, struct function_code *code,
                        struct code_instruction *instruction) {
  uint64_t end = instruction->address + instruction->bytes;
  size_t low = 0, high = function->place_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (function->places[middle].address < instruction->address)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < function->place_count && function->places[low].address < end; low++) {
    instruction->samples += function->places[low].record->samples;
    instruction->time_ns += function->places[low].record->time_ns;
  }
  // Damaged maps may have blocks that overlap.
  code->outside -= instruction->samples < code->outside ? instruction->samples : code->outside;
  code->outside_ns = fmax(0, code->outside_ns - (double)instruction->time_ns);
}

static void read_instructions(const struct measurement *m, const struct sampled_function *function,
                              struct function_code *code) {
  size_t bytes = 0;
  const struct instrumentation *known =
      program_files_instrumentation(m->files, m->samples.files[function->file].file->path);
  for (size_t b = 0; b < code->list.count; b++)
    bytes += code->list.blocks[b].bytes;
  code->instructions = need(bytes, sizeof(*code->instructions)); // an instruction has a byte
  code->blocks = need(code->list.count, sizeof(*code->blocks));
  bool *own = need(bytes, sizeof(*own)); // no block is longer
  for (size_t b = 0; b < code->list.count; b++) {
    const struct block *block = &code->list.blocks[b];
    code->blocks[b].first = code->instruction_count;
    code->blocks[b].own_count =
        instrumentation_find(known, block->code, block->bytes, block->address, own);
    code->blocks[b].is_marked =
        instrumentation_marks(known, block->code, block->bytes, block->address);
    for (uint32_t at = 0; at < block->bytes;) {
      struct instruction decoded = {0};
      struct code_instruction *instruction = &code->instructions[code->instruction_count++];
      bool fine =
          decode_instruction(block->code + at, block->bytes - at, block->address + at, &decoded);
      *instruction = (struct code_instruction){
          .address = block->address + at,
          .bytes = fine ? decoded.bytes : block->bytes - at,
          .is_bad = !fine,
          .own = own[at],
      };
      at += instruction->bytes;
      lay_samples(function, code, instruction);
    }
    code->blocks[b].count = code->instruction_count - code->blocks[b].first;
  }
  free(own);
}

static void describe(const struct block *block, const struct code_instruction *from,
                     struct stall_instruction *to) {
  size_t at = from->address - block->address;
  to->own = from->own;
  if (!from->is_bad)
    evidence_describe(block->code + at, block->bytes - at, from->address, to);
}

static void gather(const struct function_code *code, struct evidence *e) {
  const struct block_list *list = &code->list;
  const struct counted_blocks *counted = &code->counted;
  e->instructions = need(code->instruction_count, sizeof(*e->instructions));
  e->blocks = need(list->count, sizeof(*e->blocks));
  e->edges = need(counted->edges.count, sizeof(*e->edges));
  if (!block_loops_find(list, &e->loops))
    memory_exhausted();
  e->parents = need(e->loops.count, sizeof(*e->parents));
  for (size_t i = 0; i < e->loops.count; i++)
    e->parents[i] = e->loops.loops[i].parent;
  for (size_t b = 0; b < list->count; b++) {
    const struct code_block *block = &code->blocks[b];
    e->blocks[b] = (struct stall_block){
        .first = block->first,
        .count = block->count,
        .executions =
            block_count_is_known(&counted->counts[b]) ? (double)counted->counts[b].count : NAN,
        .cycles = NAN,
        // What it takes by itself is with its instrumentation, too.
        .isolated = block->isolated && !block->is_marked ? block->isolated->cycles.value : NAN,
        .loop = e->loops.innermost[b],
    };
    for (size_t i = 0; i < block->count; i++)
      describe(&list->blocks[b], &code->instructions[block->first + i],
               &e->instructions[block->first + i]);
  }
  for (size_t i = 0; i < counted->edges.count; i++) {
    const struct block_edge *edge = &counted->edges.edges[i];
    const struct block *from = &list->blocks[edge->from];
    const struct code_block *at = &code->blocks[edge->from];
    const struct stall_instruction *last =
        at->count ? &e->instructions[at->first + at->count - 1] : NULL;
    e->edges[i] = (struct stall_edge){
        edge->from, edge->to,
        counted->taken[i] == BLOCK_COUNT_EDGE_UNKNOWN ? NAN : (double)counted->taken[i],
        edge->to == edge->from + 1 && from->flags & BLOCK_FALLS_THROUGH,
        last && !last->branches && !last->jumps_away && !(from->flags & BLOCK_FALLS_THROUGH)};
  }
  e->input = (struct stall_input){
      .instructions = e->instructions,
      .instruction_count = code->instruction_count,
      .blocks = e->blocks,
      .block_count = list->count,
      .edges = e->edges,
      .edge_count = counted->edges.count,
      .loop_parents = e->parents,
      .loop_count = e->loops.count,
      .l1i_bytes = L1I_BYTES,
  };
}

static void release(struct evidence *e) {
  block_loops_release(&e->loops);
  free(e->instructions);
  free(e->blocks);
  free(e->edges);
  free(e->parents);
}

/// Moves samples and time to the instructions that they are blamed on.
static void shift(struct function_code *code, const struct evidence *e) {
  double *where = need(2 * code->instruction_count, sizeof(*where));
  double *blamed = where + code->instruction_count;
  for (unsigned kind = 0; kind < 2; kind++) {
    for (size_t i = 0; i < code->instruction_count; i++)
      where[i] =
          kind ? (double)code->instructions[i].time_ns : (double)code->instructions[i].samples;
    blame_shift(&e->input, where, blamed);
    for (size_t i = 0; i < code->instruction_count; i++)
      *(kind ? &code->instructions[i].blamed_ns : &code->instructions[i].blamed_samples) =
          blamed[i];
  }
  free(where);
}

static void add_up(struct function_code *code) {
  for (size_t b = 0; b < code->list.count; b++) {
    struct code_block *block = &code->blocks[b];
    double samples = 0, time_ns = 0;
    block->own_ns = 0;
    for (size_t i = block->first; i < block->first + block->count; i++) {
      samples += code->instructions[i].blamed_samples;
      time_ns += code->instructions[i].blamed_ns;
      block->own_ns += code->instructions[i].own ? code->instructions[i].blamed_ns : 0;
    }
    block->samples = (uint64_t)llround(samples);
    block->time_ns = (uint64_t)llround(time_ns);
  }
}

/// Blocks with fewer samples than one needs share them.
static void pool(const struct measurement *m, const struct function_code *code,
                 struct evidence *e) {
  struct stall_pooled *pooled = need(code->list.count, sizeof(*pooled));
  double own = 1 - (m->dilation.status == QUANTITY_OK ? m->dilation.value : 0);
  for (size_t b = 0; b < code->list.count; b++) {
    const struct code_block *block = &code->blocks[b];
    const struct quantity *cycles = &block->place.cycles.cycles;
    pooled[b] = (struct stall_pooled){.is_small = !block->place.reason &&
                                                  block->samples < BLOCK_SAMPLES_LEAST,
                                      .samples = (double)block->samples,
                                      .cycles = (double)block->time_ns * own * m->core_rate.value};
    if (cycles->status == QUANTITY_OK)
      e->blocks[b].cycles = cycles->value;
  }
  if (m->core_rate.status == QUANTITY_OK)
    stall_pool(e->blocks, pooled, code->list.count, BLOCK_SAMPLES_LEAST);
  free(pooled);
}

/// Instructions of a block that a branch gone wrong in front is blamed on: stall_suspect.c.
#define BRANCH_FIRST 2

/// A branch gone wrong is blamed on what comes first behind it. Where that is instrumentation, the
/// part of its time that such branches may stand for goes to the program's first instruction.
static void give_back(struct function_code *code) {
  for (size_t b = 0; b < code->list.count; b++) {
    struct code_block *block = &code->blocks[b];
    double left = code->tallies[b].causes[STALL_CAUSE_BRANCH].high;
    size_t end = block->first + block->count, to = block->first;
    while (to < end && code->instructions[to].own)
      to++;
    if (to == end || to >= block->first + BRANCH_FIRST)
      continue;
    for (size_t i = block->first; i < to && left > 0; i++) {
      struct code_instruction *from = &code->instructions[i];
      double moved = fmin(left, code->stalls[i].time);
      if (!(code->stalls[i].suspects >> STALL_CAUSE_BRANCH & 1) || !(moved > 0))
        continue;
      double samples = from->blamed_samples * moved / from->blamed_ns;
      code->instructions[to].blamed_ns += moved;
      code->instructions[to].blamed_samples += samples;
      from->blamed_ns -= moved;
      from->blamed_samples -= samples;
      block->own_ns = fmax(0, block->own_ns - moved);
      left -= moved;
    }
  }
}

/// Takes out what instrumentation has of a block's cycles; of those that it takes by itself as
/// much.
static void leave_own(const struct function_code *code, struct evidence *e) {
  for (size_t b = 0; b < code->list.count; b++) {
    const struct code_block *block = &code->blocks[b];
    double time_ns = (double)block->time_ns;
    if (!(block->own_ns > 0))
      continue;
    double rest = fmax(0, 1 - block->own_ns / fmax(time_ns, block->own_ns));
    e->blocks[b].cycles *= rest;
    e->blocks[b].isolated *= rest;
  }
}

/// Timed executions without which denormals aren't ruled out.
#define DENORMAL_SAMPLES 8

static bool has_timed_loop(const struct profile *profile, const char *function) {
  for (size_t i = 0; i < profile->loop_count; i++)
    if (profile->loops[i].raw_count && strcmp(profile->loops[i].function, function) == 0)
      return true;
  return false;
}

/// By the processor's record at the function's timed executions (runtime/probe/denormals.h); of a
/// function without a loop at those of loops with calls, as it keeps what it has met.
static enum stall_evidence denormals_of(const struct profile *profile, const char *function) {
  uint64_t samples = 0, without = 0;
  bool is_own = has_timed_loop(profile, function);
  for (size_t i = 0; i < profile->loop_count; i++) {
    const struct profile_loop *loop = &profile->loops[i];
    if (is_own ? strcmp(loop->function, function) != 0 : !(loop->flags & RETICLE_LOOP_HAS_CALLS))
      continue;
    for (uint64_t k = 0; k < loop->raw_count; k++) {
      if (loop->raw[k].flags & RETICLE_SAMPLE_DENORMALS)
        return STALL_EVIDENCE_MET;
      without += loop->raw[k].flags & RETICLE_SAMPLE_NO_DENORMALS ? 1 : 0;
    }
    samples += loop->raw_count;
  }
  return samples >= DENORMAL_SAMPLES && without == samples ? STALL_EVIDENCE_RULED_OUT
                                                           : STALL_EVIDENCE_NONE;
}

static void judge(const struct measurement *m, struct function_code *code, struct evidence *e) {
  e->input.hot_code_bytes = m->hot_code_bytes;
  e->input.denormals = denormals_of(&m->input.profile, code->sampled->symbol);
  for (size_t b = 0; b < code->list.count; b++)
    e->blocks[b].limit = evidence_limit(&e->input, b, block_core_here());
  pool(m, code, e);
  code->stalls = need(code->instruction_count, sizeof(*code->stalls));
  code->tallies = need(code->list.count, sizeof(*code->tallies));
  for (size_t i = 0; i < code->instruction_count; i++)
    e->instructions[i].time = code->instructions[i].blamed_ns;
  stall_causes_find(&e->input, code->stalls, code->tallies);
  if (!(function_code_own_ns(code) > 0))
    return;
  give_back(code);
  leave_own(code, e);
  for (size_t i = 0; i < code->instruction_count; i++)
    e->instructions[i].time = code->instructions[i].own ? 0 : code->instructions[i].blamed_ns;
  stall_causes_find(&e->input, code->stalls, code->tallies);
}

static bool open_map(const struct measurement *m, const struct sampled_function *function,
                     struct function_code *code) {
  char place[32];
  struct block_function *found = NULL;
  *code = (struct function_code){
      .sampled = function, .outside = function->samples, .outside_ns = (double)function->time_ns};
  code->map = program_files_blocks(m->files, m->samples.files[function->file].file->path, NULL,
                                   &code->error);
  if (!code->map)
    return false;
  snprintf(place, sizeof(place), "0x%" PRIx64, function->address);
  size_t count = block_map_find(code->map, place, &found);
  if (!count)
    block_map_missing(code->map, place, &code->error);
  bool fine = count && block_map_read(code->map, &found[0], &code->list, &code->error);
  free(found);
  return fine;
}

/// Whether a block with samples enough for cycles has no executions.
static bool is_hot_uncounted(const struct function_code *code) {
  for (size_t b = 0; b < code->list.count; b++)
    if (!block_count_is_known(&code->counted.counts[b]) &&
        code->blocks[b].samples >= BLOCK_SAMPLES_LEAST)
      return true;
  return false;
}

/// Counts again, with the samples that were blamed on each block; and blames again.
static void count_by_samples(const struct measurement *m, const struct sampled_file *file,
                             struct function_code *code, struct evidence *e) {
  uint64_t *samples = need(code->list.count, sizeof(*samples));
  for (size_t b = 0; b < code->list.count; b++)
    samples[b] = code->blocks[b].samples;
  release(e);
  counted_blocks_release(&code->counted);
  counted_blocks_read(&m->input.profile, &file->labels, &code->list, samples, &code->counted);
  free(samples);
  gather(code, e);
  shift(code, e);
  add_up(code);
}

bool function_code_read(const struct measurement *m, const struct sampled_function *function,
                        struct function_code *code) {
  const struct sampled_file *file = &m->samples.files[function->file];
  struct evidence evidence = {0};
  if (!open_map(m, function, code))
    return false;
  read_instructions(m, function, code);
  for (size_t i = 0; i < code->instruction_count; i++) {
    code->instructions[i].blamed_samples = (double)code->instructions[i].samples;
    code->instructions[i].blamed_ns = (double)code->instructions[i].time_ns;
  }
  counted_blocks_read(&m->input.profile, &file->labels, &code->list, NULL, &code->counted);
  if (uncounted_reason(m))
    code->counted.reason = uncounted_reason(m);
  code->no_stall_causes = code->counted.reason ? code->counted.reason : skid_missing(&m->skid);
  for (size_t b = 0; b < code->list.count; b++)
    code->blocks[b].isolated =
        block_in_place_isolated(m, file->file->path, code->list.blocks[b].address);
  if (code->counted.counts)
    gather(code, &evidence);
  if (!code->no_stall_causes)
    shift(code, &evidence);
  add_up(code);
  if (!code->no_stall_causes && is_hot_uncounted(code))
    count_by_samples(m, file, code, &evidence);
  for (size_t b = 0; b < code->list.count; b++)
    block_in_place_read(m, &code->counted, b, &code->list.blocks[b], code->blocks[b].samples,
                        code->blocks[b].time_ns, code->blocks[b].isolated, &code->blocks[b].place);
  if (!code->no_stall_causes)
    judge(m, code, &evidence);
  if (code->counted.counts)
    release(&evidence);
  return true;
}

struct stall_tally function_code_tally(const struct function_code *code, size_t block) {
  const struct stall_tally *tally = &code->tallies[block];
  if (code->blocks[block].place.cycles.cycles.status == QUANTITY_OK)
    return *tally;
  return (struct stall_tally){.time = tally->time, .uncounted = tally->time};
}

void function_code_release(struct function_code *code) {
  counted_blocks_release(&code->counted);
  block_list_release(&code->list);
  free(code->instructions);
  free(code->blocks);
  free(code->stalls);
  free(code->tallies);
  *code = (struct function_code){0};
}

struct stall_tally function_code_sum(const struct function_code *code) {
  struct stall_tally sum = {0};
  for (size_t i = 0; i < code->list.count; i++)
    stall_tally_add(&sum, &code->tallies[i]);
  stall_tally_net(&sum);
  sum.time += code->outside_ns;
  sum.uncounted += code->outside_ns;
  return sum;
}

double function_code_own_ns(const struct function_code *code) {
  double own_ns = 0;
  for (size_t i = 0; i < code->list.count; i++)
    own_ns += code->blocks[i].own_ns;
  return own_ns;
}

double function_code_stall_cycles(const struct function_code *code, size_t block,
                                  size_t instruction) {
  double time_ns = code->tallies[block].time + code->blocks[block].own_ns;
  return code->blocks[block].place.cycles.cycles.value * code->stalls[instruction].time / time_ns;
}

void function_code_text(const struct block *block, const struct code_instruction *instruction,
                        char *out, size_t bytes) {
  uint64_t at = instruction->address - block->address;
  decode_text(block->code + at, block->bytes - at, instruction->address, out, bytes);
}

static void read_code(const struct measurement *m, const struct sampled_function *function,
                      struct function_code *code) {
  function_code_read(m, function, code);
}

LAZY_OF(function_code, struct function_code, struct sampled_function, read_code,
        function_code_release)
