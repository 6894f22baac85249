// stall_flow.c - dependences between a loop's iterations: what moves, how long chains are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stall/stall_cause_parts.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Blocks that fewer iterations run are none of the usual one.
#define MOSTLY 0.6

enum {
  REGISTERS = 64,
  ITERATIONS = 8,  ///< walked through; the first half lets chains settle
  LOAD_CYCLES = 5, ///< from the first cache. Sources: those of stall_cause_parts.h
};

struct stall_latency stall_latency(enum stall_unit unit) {
  static const struct stall_latency latencies[] = {
      [STALL_UNIT_PLAIN] = {1, 1},     [STALL_UNIT_FLOAT] = {4, 6},
      [STALL_UNIT_MULTIPLY] = {3, 5},  [STALL_UNIT_FLOAT_MULTIPLY] = {4, 6},
      [STALL_UNIT_DIVIDE] = {14, 100}, [STALL_UNIT_FLOAT_DIVIDE] = {13, 60},
      [STALL_UNIT_LONG] = {5, 300},    [STALL_UNIT_SYNCHRONISED] = {20, INFINITY},
  };
  return latencies[unit];
}

/// Whether the loop is `outer`, or inside of it.
static bool is_within(const struct stall_input *in, size_t loop, size_t outer) {
  for (size_t steps = 0; loop != STALL_NO_LOOP && steps <= in->loop_count; steps++) {
    if (loop == outer)
      return true;
    loop = loop < in->loop_count ? in->loop_parents[loop] : STALL_NO_LOOP;
  }
  return false;
}

/// Adds up what the instructions of a block write.
static void add_written(const struct stall_input *in, const struct stall_block *block, bool own,
                        struct stall_loop *out) {
  for (size_t i = 0; i < block->count; i++) {
    const struct stall_instruction *instruction = &in->instructions[block->first + i];
    bool steps = instruction->step && own; // a loop inside makes several iterations
    for (uint64_t set = instruction->writes; set; set &= set - 1) {
      unsigned r = (unsigned)__builtin_ctzll(set);
      out->step[r] = steps ? out->step[r] + (double)instruction->step : NAN;
    }
    out->written |= instruction->writes;
  }
}

/// Whether each iteration of the loop runs the block, as far as counts tell.
static bool is_in_turn(const struct stall_block *block, size_t loop, double most) {
  return block->loop == loop && !(block->executions < MOSTLY * most);
}

static double latest(uint64_t registers, const double *finished) {
  double time = 0;
  for (; registers; registers &= registers - 1)
    time = fmax(time, finished[__builtin_ctzll(registers)]);
  return time;
}

/// When the instruction's result is there. A load waits for its address alone, what is done with
/// the loaded value also for the other operands.
static double result_of(const struct stall_instruction *instruction, const double *finished) {
  uint64_t operands = instruction->reads;
  double loaded = -1;
  for (unsigned a = 0; a < instruction->access_count; a++) {
    operands &= ~instruction->accesses[a].registers;
    if (instruction->accesses[a].read)
      loaded = fmax(loaded, latest(instruction->accesses[a].registers, finished) + LOAD_CYCLES);
  }
  bool only_loads = loaded >= 0 && !operands && instruction->unit == STALL_UNIT_PLAIN;
  if (loaded < 0)
    operands = instruction->reads;
  return fmax(loaded, latest(operands, finished)) +
         (only_loads ? 0 : stall_latency(instruction->unit).usual);
}

/// Goes through one iteration, with results of the one before. finished: [64] when each register is
/// there.
static void run(const struct stall_input *in, size_t loop, double most, double *finished,
                double *results) {
  for (size_t b = 0; b < in->block_count; b++) {
    if (!is_in_turn(&in->blocks[b], loop, most))
      continue;
    for (size_t i = in->blocks[b].first; i < in->blocks[b].first + in->blocks[b].count; i++) {
      const struct stall_instruction *instruction = &in->instructions[i];
      results[i] = result_of(instruction, finished);
      for (uint64_t set = instruction->writes; set; set &= set - 1)
        finished[__builtin_ctzll(set)] = results[i];
    }
  }
}

double stall_flow_latency(const struct stall_input *in, size_t block) {
  const struct stall_block *b = &in->blocks[block];
  double finished[REGISTERS] = {0}, last = 0;
  for (size_t i = b->first; i < b->first + b->count; i++) {
    last = result_of(&in->instructions[i], finished);
    for (uint64_t set = in->instructions[i].writes; set; set &= set - 1)
      finished[__builtin_ctzll(set)] = last;
  }
  return last;
}

/// before, after  [instruction_count] results in the middle and at the end; the loop's are filled
/// in
static void find_chain(const struct stall_input *in, size_t loop, double most, double *before,
                       double *after, struct stall_flow *out) {
  struct stall_loop *l = &out->loops[loop];
  double finished[REGISTERS] = {0};
  for (unsigned iteration = 0; iteration < ITERATIONS; iteration++)
    run(in, loop, most, finished, iteration < ITERATIONS / 2 ? before : after);
  for (unsigned pass = 0; pass < 2; pass++)
    for (size_t b = 0; b < in->block_count; b++) {
      if (!is_in_turn(&in->blocks[b], loop, most))
        continue;
      for (size_t i = in->blocks[b].first; i < in->blocks[b].first + in->blocks[b].count; i++) {
        double later = (after[i] - before[i]) / (ITERATIONS - ITERATIONS / 2);
        if (pass)
          out->waits[i] = later > 0 && later > 0.99 * l->chain;
        else
          l->chain = fmax(l->chain, later);
      }
    }
}

static void look(const struct stall_input *in, size_t loop, double *before, double *after,
                 struct stall_flow *out) {
  struct stall_loop *l = &out->loops[loop];
  double most = NAN;
  for (size_t b = 0; b < in->block_count; b++) {
    const struct stall_block *block = &in->blocks[b];
    if (is_within(in, block->loop, loop))
      add_written(in, block, block->loop == loop, l);
    if (block->loop == loop)
      most = fmax(most, block->executions); // fmax leaves NaN out
  }
  for (size_t b = 0; b < in->block_count; b++) {
    const struct stall_block *block = &in->blocks[b];
    if (!is_in_turn(block, loop, most))
      continue;
    l->iteration += isnan(block->isolated) ? block->cycles : block->isolated;
    l->limit += block->limit;
  }
  find_chain(in, loop, most, before, after, out);
}

void stall_flow_make(const struct stall_input *in, struct stall_flow *out) {
  double *before = memory_zeroed(2 * in->instruction_count + 1, sizeof(*before));
  out->loops = memory_zeroed(in->loop_count + 1, sizeof(*out->loops));
  out->waits = memory_zeroed(in->instruction_count + 1, sizeof(*out->waits));
  for (size_t loop = 0; loop < in->loop_count; loop++)
    look(in, loop, before, before + in->instruction_count, out);
  free(before);
}

void stall_flow_release(struct stall_flow *flow) {
  free(flow->loops);
  free(flow->waits);
  *flow = (struct stall_flow){0};
}
