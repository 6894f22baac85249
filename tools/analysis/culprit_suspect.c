// culprit_suspect.c - candidate causes of a stall, those ruled out, and how much each explains.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/culprit_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
  PAGE_BYTES = 4096,
  /// Stores that a buffer doesn't hold: without a loop, so many have to be in the block. Sources:
  /// those of culprit_parts.h (64 and 72 entries in the cores of 2022, half of that before).
  STORES_ENOUGH = 32,
  /// Instructions at a block's start that arrive together.
  FIRST = 2,
  /// Instructions that enter the core together: where a store finds no room, those with it wait.
  TOGETHER = 6,
};
/// A chain is the reason for no more than it takes; shorter ones than this part of the iteration
/// for none.
#define CHAIN_LEAST 0.6

struct look {
  const struct culprit_input *in;
  size_t number;
  const struct culprit_block *block;
  const struct culprit_loop *loop; ///< around it; null without one
  double *caps;
};

static bool is_branch(const struct culprit_instruction *i) { return i->branches || i->jumps_away; }

/// Executions of the block's end that may have been mispredicted.
static double mispredicted(const struct look *l, size_t block) {
  const struct culprit_block *b = &l->in->blocks[block];
  if (!b->count || !is_branch(&l->in->instructions[b->first + b->count - 1]))
    return 0;
  if (l->in->instructions[b->first + b->count - 1].jumps_away)
    return b->executions;
  double most = b->executions / 2, least = INFINITY;
  size_t ways = 0;
  for (size_t e = 0; e < l->in->edge_count; e++) {
    if (l->in->edges[e].from != block)
      continue;
    ways++;
    if (!isnan(l->in->edges[e].executions))
      least = fmin(least, l->in->edges[e].executions);
  }
  if (ways < 2) // the other way leads out of the function
    return most;
  return fmin(least, most);
}

/// Whether code gets here otherwise than by going on, and how often after another block's branch
/// gone wrong.
static double arrivals(const struct look *l, bool *jumped_to) {
  double wrong = 0;
  size_t ways = 0;
  *jumped_to = false;
  for (size_t e = 0; e < l->in->edge_count; e++) {
    const struct culprit_edge *edge = &l->in->edges[e];
    if (edge->to != l->number)
      continue;
    ways++;
    *jumped_to |= !edge->falls_through;
    if (edge->from == l->number)
      continue;
    double most = mispredicted(l, edge->from);
    wrong += edge->executions < most ? edge->executions : most;
  }
  *jumped_to |= !ways;
  return wrong;
}

/// Whether an instruction further up in the block touched the page through the same registers.
static bool was_touched(const struct look *l, size_t position,
                        const struct culprit_access *access) {
  for (size_t i = position; i-- > 0;) {
    const struct culprit_instruction *earlier = &l->in->instructions[l->block->first + i];
    if (earlier->writes & access->registers)
      return false;
    for (unsigned a = 0; a < earlier->access_count; a++) {
      int64_t apart = earlier->accesses[a].displacement - access->displacement;
      if (earlier->accesses[a].registers == access->registers && llabs(apart) < PAGE_BYTES / 2)
        return true;
    }
  }
  return false;
}

/// Bytes that an iteration moves the address by: 0, a constant, or NaN.
static double stride(const struct look *l, const struct culprit_access *access) {
  double sum = 0;
  if (!l->loop)
    return NAN;
  for (uint64_t set = access->registers & l->loop->written; set; set &= set - 1)
    sum += l->loop->step[__builtin_ctzll(set)];
  return sum;
}

/// Loads that miss: not those of an address that stays where it is.
static uint32_t suspect_load(const struct look *l, size_t position,
                             const struct culprit_instruction *instruction) {
  uint32_t suspects = 0;
  for (unsigned a = 0; a < instruction->access_count; a++) {
    const struct culprit_access *access = &instruction->accesses[a];
    double moves = stride(l, access);
    if (!access->read || access->stack || !access->registers || moves == 0)
      continue;
    suspects |= CULPRIT_BIT(CULPRIT_D_CACHE);
    if (was_touched(l, position, access))
      continue;
    suspects |= CULPRIT_BIT(CULPRIT_D_TLB);
    // Of steps smaller than a page only one in so many reaches the next.
    double pages = fabs(moves) < PAGE_BYTES ? fabs(moves) / PAGE_BYTES : 1; // NaN: 1
    l->caps[CULPRIT_D_TLB] += pages * CULPRIT_WALK_CYCLES;
  }
  return suspects;
}

/// A load of bytes that a store wrote only in part, by displacements off the same registers.
static bool is_forwarded_badly(const struct look *l, size_t position) {
  const struct culprit_instruction *load = &l->in->instructions[l->block->first + position];
  for (unsigned a = 0; a < load->access_count; a++) {
    const struct culprit_access *to = &load->accesses[a];
    for (size_t i = position; to->read && i-- > 0;) {
      const struct culprit_instruction *store = &l->in->instructions[l->block->first + i];
      for (unsigned k = 0; k < store->access_count; k++) {
        const struct culprit_access *from = &store->accesses[k];
        int64_t offset = to->displacement - from->displacement;
        if (!from->written || from->registers != to->registers || !from->bytes || !to->bytes)
          continue;
        bool touches = offset < (int64_t)from->bytes && -offset < (int64_t)to->bytes;
        bool holds = offset >= 0 && offset + (int64_t)to->bytes <= (int64_t)from->bytes;
        if (touches)
          return !holds;
        if (offset % PAGE_BYTES == 0) // the core compares the low twelve bits first
          return true;
      }
      if (store->writes & to->registers)
        break;
    }
  }
  return false;
}

/// A store that memory takes: one to an address that stays where it is hits the first cache.
static bool reaches_memory(const struct look *l, const struct culprit_instruction *instruction) {
  for (unsigned a = 0; a < instruction->access_count; a++) {
    const struct culprit_access *access = &instruction->accesses[a];
    if (access->written && !access->stack && access->registers && stride(l, access) != 0)
      return true;
  }
  return false;
}

static bool has_enough_stores(const struct look *l) {
  size_t stores = 0;
  for (size_t i = 0; i < l->block->count; i++)
    stores += reaches_memory(l, &l->in->instructions[l->block->first + i]);
  return stores >= STORES_ENOUGH || (stores && l->block->loop != CULPRIT_NO_LOOP);
}

static uint32_t suspect_unit(enum culprit_unit unit) {
  switch (unit) {
  case CULPRIT_UNIT_DIVIDE:
  case CULPRIT_UNIT_FLOAT_DIVIDE:
    return CULPRIT_BIT(CULPRIT_DIVIDER);
  case CULPRIT_UNIT_MULTIPLY:
  case CULPRIT_UNIT_FLOAT_MULTIPLY:
    return CULPRIT_BIT(CULPRIT_MULTIPLIER);
  case CULPRIT_UNIT_LONG:
    return CULPRIT_BIT(CULPRIT_LONG_UNIT);
  case CULPRIT_UNIT_SYNCHRONISED:
    return CULPRIT_BIT(CULPRIT_SYNCHRONISED);
  case CULPRIT_UNIT_PLAIN:
  case CULPRIT_UNIT_FLOAT:
    break;
  }
  return 0;
}

static bool is_float(enum culprit_unit unit) {
  return unit == CULPRIT_UNIT_FLOAT || unit == CULPRIT_UNIT_FLOAT_MULTIPLY ||
         unit == CULPRIT_UNIT_FLOAT_DIVIDE;
}

/// Causes that lie in the instruction itself; fills in the caps of its units.
static struct culprit_suspects suspect_one(struct look *l, size_t position, bool enough_stores) {
  const struct culprit_instruction *i = &l->in->instructions[l->block->first + position];
  uint32_t unit = suspect_unit(i->unit);
  // Divisions take longer for some operands than for others.
  struct culprit_suspects out = {.still = unit,
                                 .dynamic = unit & (CULPRIT_BIT(CULPRIT_DIVIDER) |
                                                    CULPRIT_BIT(CULPRIT_LONG_UNIT) |
                                                    CULPRIT_BIT(CULPRIT_SYNCHRONISED))};
  for (unsigned r = 0; r < CULPRIT_REASONS; r++)
    if (unit & CULPRIT_BIT(r))
      l->caps[r] += culprit_latency(i->unit).most;
  out.dynamic |= suspect_load(l, position, i);
  if (is_float(i->unit) && l->in->denormals != CULPRIT_EVIDENCE_RULED_OUT)
    out.dynamic |= CULPRIT_BIT(CULPRIT_DENORMALS);
  out.unproven = CULPRIT_BIT(CULPRIT_I_CACHE);
  if (l->in->denormals == CULPRIT_EVIDENCE_NONE)
    out.unproven |= CULPRIT_BIT(CULPRIT_DENORMALS);
  // A buffer without room stops what enters with the store, older instructions are done.
  for (size_t k = 0; enough_stores && k < TOGETHER && position + k < l->block->count; k++)
    if (reaches_memory(l, i + k) && (!k || !out.dynamic))
      out.dynamic |= CULPRIT_BIT(CULPRIT_WRITE_BUFFER);
  if (is_forwarded_badly(l, position)) {
    out.still |= CULPRIT_BIT(CULPRIT_FORWARDING);
    out.dynamic |= CULPRIT_BIT(CULPRIT_FORWARDING);
  }
  return out;
}

/// Branches gone wrong are blamed on themselves, or on what comes first behind them.
static void suspect_branches(struct look *l, struct culprit_suspects *suspects) {
  bool jumped_to;
  double executions = l->block->executions, wrong = arrivals(l, &jumped_to);
  double own = mispredicted(l, l->number);
  bool is_large = l->in->l1i_bytes && l->in->hot_code_bytes > l->in->l1i_bytes;
  l->caps[CULPRIT_BRANCH] =
      isnan(executions) ? INFINITY : (own + wrong) * CULPRIT_FLUSH_CYCLES / executions;
  for (size_t i = 0; i < l->block->count; i++) {
    if (i < FIRST && own + wrong != 0)
      suspects[i].dynamic |= CULPRIT_BIT(CULPRIT_BRANCH);
    if (i < FIRST && jumped_to && is_large)
      suspects[i].dynamic |= CULPRIT_BIT(CULPRIT_I_CACHE);
  }
  if (own != 0)
    suspects[l->block->count - 1].dynamic |= CULPRIT_BIT(CULPRIT_BRANCH);
}

void culprit_suspect(const struct culprit_input *in, const struct culprit_flow *flow, size_t block,
                     struct culprit_suspects *suspects, double *caps) {
  struct look l = {.in = in, .number = block, .block = &in->blocks[block], .caps = caps};
  bool has_chain = false;
  for (unsigned r = 0; r < CULPRIT_REASONS; r++)
    caps[r] = INFINITY;
  caps[CULPRIT_DIVIDER] = caps[CULPRIT_MULTIPLIER] = caps[CULPRIT_LONG_UNIT] =
      caps[CULPRIT_SYNCHRONISED] = caps[CULPRIT_D_TLB] = caps[CULPRIT_CHAIN] = 0;
  if (l.block->loop < in->loop_count) {
    l.loop = &flow->loops[l.block->loop];
    has_chain = l.loop->chain >= CHAIN_LEAST * l.loop->iteration;
    caps[CULPRIT_CHAIN] = fmax(0, l.loop->chain - l.loop->limit);
  }
  bool enough = has_enough_stores(&l);
  for (size_t i = 0; i < l.block->count; i++) {
    suspects[i] = suspect_one(&l, i, enough);
    if (has_chain && flow->waits[l.block->first + i])
      suspects[i].still |= CULPRIT_BIT(CULPRIT_CHAIN);
  }
  suspect_branches(&l, suspects);
  // A comparison with memory and the branch behind it may be one operation.
  const struct culprit_instruction *code = &in->instructions[l.block->first];
  for (size_t i = 1; i < l.block->count; i++)
    if (code[i].branches && code[i - 1].sets_condition) {
      suspects[i].still |= suspects[i - 1].still;
      suspects[i].dynamic |= suspects[i - 1].dynamic;
    }
}
