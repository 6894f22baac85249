// culprit_flow.c - dependences between a loop's turns: what moves, how long chains are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/culprit_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Blocks that fewer turns run are none of the usual one.
#define MOSTLY 0.6

enum {
  REGISTERS = 64,
  TURNS = 8,       ///< walked through; the first half lets chains settle
  LOAD_CYCLES = 5, ///< from the first cache. Sources: those of culprit_parts.h
};

struct culprit_latency culprit_latency(enum culprit_unit unit) {
  static const struct culprit_latency latencies[] = {
      [CULPRIT_UNIT_PLAIN] = {1, 1},     [CULPRIT_UNIT_FLOAT] = {4, 6},
      [CULPRIT_UNIT_MULTIPLY] = {3, 5},  [CULPRIT_UNIT_FLOAT_MULTIPLY] = {4, 6},
      [CULPRIT_UNIT_DIVIDE] = {14, 100}, [CULPRIT_UNIT_FLOAT_DIVIDE] = {13, 60},
      [CULPRIT_UNIT_LONG] = {5, 300},    [CULPRIT_UNIT_SYNCHRONISED] = {20, INFINITY},
  };
  return latencies[unit];
}

/// Whether the loop is `outer`, or inside of it.
static bool is_within(const struct culprit_input *in, size_t loop, size_t outer) {
  for (size_t steps = 0; loop != CULPRIT_NO_LOOP && steps <= in->loop_count; steps++) {
    if (loop == outer)
      return true;
    loop = loop < in->loop_count ? in->loop_parents[loop] : CULPRIT_NO_LOOP;
  }
  return false;
}

uint64_t culprit_written(const struct culprit_input *in, size_t block, double *step) {
  size_t loop = in->blocks[block].loop;
  uint64_t written = 0;
  for (unsigned r = 0; r < REGISTERS; r++)
    step[r] = loop == CULPRIT_NO_LOOP ? NAN : 0;
  if (loop == CULPRIT_NO_LOOP)
    return UINT64_MAX;
  for (size_t b = 0; b < in->block_count; b++) {
    if (!is_within(in, in->blocks[b].loop, loop))
      continue;
    for (size_t i = 0; i < in->blocks[b].count; i++) {
      const struct culprit_instruction *instruction = &in->instructions[in->blocks[b].first + i];
      for (unsigned r = 0; r < REGISTERS; r++)
        if (instruction->writes >> r & 1)
          step[r] = instruction->step && in->blocks[b].loop == loop
                        ? step[r] + (double)instruction->step
                        : NAN;
      written |= instruction->writes;
    }
  }
  return written;
}

/// Whether each turn runs the block, as far as counts tell.
static bool is_in_turn(const struct culprit_input *in, size_t block, size_t own, double most) {
  const struct culprit_block *b = &in->blocks[block];
  if (block == own)
    return true;
  return in->blocks[own].loop != CULPRIT_NO_LOOP && b->loop == in->blocks[own].loop &&
         !(b->executions < MOSTLY * most);
}

static double latest(uint64_t registers, const double *finished) {
  double time = 0;
  for (unsigned r = 0; r < REGISTERS; r++)
    if (registers >> r & 1)
      time = fmax(time, finished[r]);
  return time;
}

/// When the instruction's result is there. A load waits for its address alone, what is done with
/// the loaded value also for the other operands.
static double result_of(const struct culprit_instruction *instruction, const double *finished) {
  uint64_t operands = instruction->reads;
  double loaded = -1;
  for (unsigned a = 0; a < instruction->access_count; a++) {
    operands &= ~instruction->accesses[a].registers;
    if (instruction->accesses[a].read)
      loaded = fmax(loaded, latest(instruction->accesses[a].registers, finished) + LOAD_CYCLES);
  }
  bool only_loads = loaded >= 0 && !operands && instruction->unit == CULPRIT_UNIT_PLAIN;
  if (loaded < 0)
    operands = instruction->reads;
  return fmax(loaded, latest(operands, finished)) +
         (only_loads ? 0 : culprit_latency(instruction->unit).usual);
}

/// Goes through one turn. finished: [64] when each register is there, from the turn before.
static void run(const struct culprit_input *in, size_t own, double most, double *finished,
                double *results) {
  for (size_t b = 0; b < in->block_count; b++) {
    if (!is_in_turn(in, b, own, most))
      continue;
    for (size_t i = 0; i < in->blocks[b].count; i++) {
      const struct culprit_instruction *instruction = &in->instructions[in->blocks[b].first + i];
      double result = result_of(instruction, finished);
      for (unsigned r = 0; r < REGISTERS; r++)
        if (instruction->writes >> r & 1)
          finished[r] = result;
      if (b == own)
        results[i] = result;
    }
  }
}

static bool goes_on_with_itself(const struct culprit_input *in, size_t block) {
  for (size_t e = 0; e < in->edge_count; e++)
    if (in->edges[e].from == block && in->edges[e].to == block)
      return true;
  return in->blocks[block].loop != CULPRIT_NO_LOOP;
}

bool culprit_flow_find(const struct culprit_input *in, size_t block, struct culprit_flow *out,
                       bool *waits) {
  const struct culprit_block *own = &in->blocks[block];
  double most = own->executions, finished[REGISTERS] = {0};
  *out = (struct culprit_flow){0, NAN, 0};
  memset(waits, 0, own->count * sizeof(*waits));
  if (!goes_on_with_itself(in, block))
    return true;
  for (size_t b = 0; b < in->block_count; b++)
    if (own->loop != CULPRIT_NO_LOOP && in->blocks[b].loop == own->loop)
      most = fmax(most, in->blocks[b].executions); // fmax leaves NaN out
  out->turn = 0;
  for (size_t b = 0; b < in->block_count; b++)
    if (is_in_turn(in, b, block, most)) {
      out->turn += isnan(in->blocks[b].isolated) ? in->blocks[b].cycles : in->blocks[b].isolated;
      out->limit += in->blocks[b].limit;
    }
  double *before = calloc(2 * own->count + 1, sizeof(*before)), *after = before + own->count;
  if (!before)
    return false;
  for (unsigned turn = 0; turn < TURNS; turn++)
    run(in, block, most, finished, turn < TURNS / 2 ? before : after);
  for (size_t i = 0; i < own->count; i++)
    out->chain = fmax(out->chain, (after[i] - before[i]) / (TURNS - TURNS / 2));
  for (size_t i = 0; i < own->count; i++)
    waits[i] = out->chain > 0 && (after[i] - before[i]) / (TURNS - TURNS / 2) > 0.99 * out->chain;
  free(before);
  return true;
}
