// stall_made.h - a function of a few blocks, made by hand for tests of stall causes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_ANALYSIS_STALL_MADE_H
#define RETICLE_TEST_ANALYSIS_STALL_MADE_H

#include "tools/analysis/stall/stall_cause.h"

enum { A = 1 << 0, B = 1 << 1, C = 1 << 2, I = 1 << 3, P = 1 << 4, FLAGS = 1 << 5 };

/// One function of a few blocks.
struct made {
  struct stall_instruction code[64];
  struct stall_block blocks[8];
  struct stall_edge edges[16];
  size_t parents[4];
  struct stall_input in;
  struct instruction_stall stalls[64];
  struct stall_tally tallies[8];
};

static inline void begin(struct made *m, double cycles, double isolated, double limit,
                         size_t loop) {
  struct stall_block *b = &m->blocks[m->in.block_count++];
  *b = (struct stall_block){m->in.instruction_count, 0, 1000, cycles, isolated, limit, loop};
}

static inline struct stall_instruction *add(struct made *m, uint64_t writes, uint64_t reads,
                                            double time) {
  struct stall_instruction *i = &m->code[m->in.instruction_count++];
  *i = (struct stall_instruction){.time = time, .reads = reads, .writes = writes};
  m->blocks[m->in.block_count - 1].count++;
  return i;
}

static inline void lead(struct made *m, size_t from, size_t to, double executions, bool falls) {
  m->edges[m->in.edge_count++] = (struct stall_edge){from, to, executions, falls, false};
}

static inline void touch(struct stall_instruction *i, uint64_t registers, int64_t displacement,
                         bool written) {
  i->accesses[i->access_count++] = (struct stall_access){.registers = registers,
                                                         .displacement = displacement,
                                                         .bytes = 8,
                                                         .read = !written,
                                                         .written = written};
}

/// The counter of a loop: i++, and the branch back.
static inline void close_loop(struct made *m, int64_t step) {
  add(m, I | FLAGS, I, 0)->step = step;
  add(m, 0, FLAGS, 0)->branches = true;
  lead(m, 0, 0, 1000, false);
  lead(m, 0, 1, 0, true);
}

static inline struct stall_tally *look(struct made *m) {
  m->in.instructions = m->code;
  m->in.blocks = m->blocks;
  m->in.edges = m->edges;
  m->in.loop_parents = m->parents;
  m->in.loop_count = 1;
  m->parents[0] = STALL_NO_LOOP;
  stall_causes_find(&m->in, m->stalls, m->tallies);
  return m->tallies;
}

#endif
