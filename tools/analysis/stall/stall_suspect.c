// stall_suspect.c - candidate causes of a stall, those ruled out, and how much each explains.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stall/stall_cause_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
  PAGE_BYTES = 4096,
  LINE_BYTES = 64,
  /// Stores that a buffer doesn't hold: without a loop, so many have to be in the block. Sources:
  /// those of stall_cause_parts.h (64 and 72 entries in the cores of 2022, half of that before).
  STORES_ENOUGH = 32,
  /// Instructions at a block's start that arrive together.
  FIRST = 2,
  /// Instructions that enter the core together: where a store finds no room, those with it wait.
  TOGETHER = 6,
};
/// A chain explains no more than it takes; shorter ones than this part of the iteration
/// for none.
#define CHAIN_LEAST 0.6

struct look {
  const struct stall_input *in;
  size_t number;
  const struct stall_block *block;
  const struct stall_loop *loop; ///< around it; null without one
  double *caps;
  bool may_alias; ///< may_alias_by_page
};

static bool is_branch(const struct stall_instruction *i) { return i->branches || i->jumps_away; }

/// Executions of the block's end that may have been mispredicted.
static double mispredicted(const struct look *l, size_t block) {
  const struct stall_block *b = &l->in->blocks[block];
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
    const struct stall_edge *edge = &l->in->edges[e];
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
static bool was_touched(const struct look *l, size_t position, const struct stall_access *access) {
  for (size_t i = position; i-- > 0;) {
    const struct stall_instruction *earlier = &l->in->instructions[l->block->first + i];
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
static double stride(const struct look *l, const struct stall_access *access) {
  double sum = 0;
  if (!l->loop)
    return NAN;
  for (uint64_t set = access->registers & l->loop->written; set; set &= set - 1)
    sum += l->loop->step[__builtin_ctzll(set)];
  return sum;
}

/// Whether an atomic of the same loop, or block, goes to the line by the same registers: where a
/// load waits for it, another thread has taken it away.
static bool is_synchronised_on(const struct look *l, const struct stall_access *access) {
  for (size_t b = 0; b < l->in->block_count; b++) {
    const struct stall_block *block = &l->in->blocks[b];
    if (b != l->number && (l->block->loop == STALL_NO_LOOP || block->loop != l->block->loop))
      continue;
    for (size_t i = block->first; i < block->first + block->count; i++) {
      const struct stall_instruction *other = &l->in->instructions[i];
      for (unsigned a = 0; other->unit == STALL_UNIT_SYNCHRONISED && a < other->access_count; a++)
        if (other->accesses[a].registers == access->registers &&
            llabs(other->accesses[a].displacement - access->displacement) < LINE_BYTES)
          return true;
    }
  }
  return false;
}

/// Whether the loop, or block, has a store that moves by as much, through other registers.
static bool has_store_beside(const struct look *l, const struct stall_access *load, double moves) {
  for (size_t b = 0; b < l->in->block_count; b++) {
    const struct stall_block *block = &l->in->blocks[b];
    if (block->loop == STALL_NO_LOOP || block->loop != l->block->loop)
      continue;
    for (size_t i = block->first; i < block->first + block->count; i++)
      for (unsigned a = 0; a < l->in->instructions[i].access_count; a++) {
        const struct stall_access *store = &l->in->instructions[i].accesses[a];
        if (store->written && !store->stack && store->registers != load->registers &&
            stride(l, store) == moves)
          return true;
      }
  }
  return false;
}

/// Whether the block writes to where the same registers lead, wherever that is: what was
/// written an iteration ago may be what is read.
static bool writes_there(const struct look *l, const struct stall_access *load) {
  for (size_t i = l->block->first; i < l->block->first + l->block->count; i++)
    for (unsigned a = 0; a < l->in->instructions[i].access_count; a++) {
      const struct stall_access *store = &l->in->instructions[i].accesses[a];
      if (store->written && store->registers == load->registers &&
          store->displacement == load->displacement)
        return true;
    }
  return false;
}

/// Whether the block reads and its loop writes in step, through different registers: where the two
/// lie a multiple of 4 KB apart, the core takes loads for those of what was just stored.
/// Instructions that wait for such a load wait for the same.
static bool may_alias_by_page(const struct look *l) {
  for (size_t i = l->block->first; i < l->block->first + l->block->count; i++)
    for (unsigned a = 0; a < l->in->instructions[i].access_count; a++) {
      const struct stall_access *load = &l->in->instructions[i].accesses[a];
      double moves = stride(l, load);
      if (load->read && !load->stack && load->registers && moves != 0 && fabs(moves) < LINE_BYTES &&
          has_store_beside(l, load, moves))
        return true;
    }
  return false;
}

/// Loads that miss: not those of an address that stays where it is.
static uint32_t suspect_load(const struct look *l, size_t position,
                             const struct stall_instruction *instruction) {
  uint32_t suspects = 0;
  for (unsigned a = 0; a < instruction->access_count; a++) {
    const struct stall_access *access = &instruction->accesses[a];
    double moves = stride(l, access);
    if (!access->read || access->stack || !access->registers)
      continue;
    if (is_synchronised_on(l, access)) {
      suspects |= STALL_CAUSE_BIT(STALL_CAUSE_SYNCHRONISED);
      l->caps[STALL_CAUSE_SYNCHRONISED] += stall_latency(STALL_UNIT_SYNCHRONISED).most;
      continue;
    }
    if (moves == 0)
      continue;
    suspects |= STALL_CAUSE_BIT(STALL_CAUSE_D_CACHE);
    if (l->may_alias || (isnan(moves) && l->loop && writes_there(l, access)))
      suspects |= STALL_CAUSE_BIT(STALL_CAUSE_FORWARDING);
    if (was_touched(l, position, access))
      continue;
    suspects |= STALL_CAUSE_BIT(STALL_CAUSE_D_TLB);
    // Of steps smaller than a page only one in so many reaches the next.
    double pages = fabs(moves) < PAGE_BYTES ? fabs(moves) / PAGE_BYTES : 1; // NaN: 1
    l->caps[STALL_CAUSE_D_TLB] += pages * STALL_WALK_CYCLES;
  }
  return suspects;
}

/// A load of bytes that a store wrote only in part, by displacements off the same registers.
static bool is_forwarded_badly(const struct look *l, size_t position) {
  const struct stall_instruction *load = &l->in->instructions[l->block->first + position];
  for (unsigned a = 0; a < load->access_count; a++) {
    const struct stall_access *to = &load->accesses[a];
    for (size_t i = position; to->read && i-- > 0;) {
      const struct stall_instruction *store = &l->in->instructions[l->block->first + i];
      for (unsigned k = 0; k < store->access_count; k++) {
        const struct stall_access *from = &store->accesses[k];
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

/// Whether the instruction, or one further up in the block, reads where it writes.
static bool was_read(const struct look *l, size_t position, const struct stall_access *written) {
  for (size_t i = position + 1; i-- > 0;) {
    const struct stall_instruction *earlier = &l->in->instructions[l->block->first + i];
    if (i < position && earlier->writes & written->registers)
      return false;
    for (unsigned a = 0; a < earlier->access_count; a++)
      if (earlier->accesses[a].read && earlier->accesses[a].registers == written->registers &&
          earlier->accesses[a].displacement == written->displacement)
        return true;
  }
  return false;
}

/// A store that memory takes: one to an address that stays where it is, or that was just read, hits
/// the first cache.
static bool reaches_memory(const struct look *l, size_t position) {
  const struct stall_instruction *instruction = &l->in->instructions[l->block->first + position];
  for (unsigned a = 0; a < instruction->access_count; a++) {
    const struct stall_access *access = &instruction->accesses[a];
    if (access->written && !access->stack && access->registers && stride(l, access) != 0 &&
        !was_read(l, position, access))
      return true;
  }
  return false;
}

static bool has_enough_stores(const struct look *l) {
  size_t stores = 0;
  for (size_t i = 0; i < l->block->count; i++)
    stores += reaches_memory(l, i);
  return stores >= STORES_ENOUGH || (stores && l->block->loop != STALL_NO_LOOP);
}

static uint32_t suspect_unit(enum stall_unit unit) {
  switch (unit) {
  case STALL_UNIT_DIVIDE:
  case STALL_UNIT_FLOAT_DIVIDE:
    return STALL_CAUSE_BIT(STALL_CAUSE_DIVIDER);
  case STALL_UNIT_MULTIPLY:
  case STALL_UNIT_FLOAT_MULTIPLY:
    return STALL_CAUSE_BIT(STALL_CAUSE_MULTIPLIER);
  case STALL_UNIT_LONG:
    return STALL_CAUSE_BIT(STALL_CAUSE_LONG_UNIT);
  case STALL_UNIT_SYNCHRONISED:
    return STALL_CAUSE_BIT(STALL_CAUSE_SYNCHRONISED);
  case STALL_UNIT_PLAIN:
  case STALL_UNIT_FLOAT:
    break;
  }
  return 0;
}

static bool is_float(enum stall_unit unit) {
  return unit == STALL_UNIT_FLOAT || unit == STALL_UNIT_FLOAT_MULTIPLY ||
         unit == STALL_UNIT_FLOAT_DIVIDE;
}

/// Causes that lie in the instruction itself; fills in the caps of its units.
static struct stall_suspects suspect_one(struct look *l, size_t position, bool enough_stores) {
  const struct stall_instruction *i = &l->in->instructions[l->block->first + position];
  uint32_t unit = suspect_unit(i->unit);
  // Divisions take longer for some operands than for others.
  struct stall_suspects out = {.still = unit,
                               .dynamic = unit & (STALL_CAUSE_BIT(STALL_CAUSE_DIVIDER) |
                                                  STALL_CAUSE_BIT(STALL_CAUSE_LONG_UNIT) |
                                                  STALL_CAUSE_BIT(STALL_CAUSE_SYNCHRONISED))};
  for (unsigned r = 0; r < STALL_CAUSES; r++)
    if (unit & STALL_CAUSE_BIT(r))
      l->caps[r] += stall_latency(i->unit).most;
  out.dynamic |= suspect_load(l, position, i);
  if (is_float(i->unit) && l->in->denormals != STALL_EVIDENCE_RULED_OUT)
    out.dynamic |= STALL_CAUSE_BIT(STALL_CAUSE_DENORMALS);
  // That nothing else is left shows not that stores go beyond the first cache, nor that one waits
  // for a multiplier: those are pipelined, and other units of the core may be as busy.
  out.unproven = STALL_CAUSE_BIT(STALL_CAUSE_I_CACHE) | STALL_CAUSE_BIT(STALL_CAUSE_WRITE_BUFFER) |
                 STALL_CAUSE_BIT(STALL_CAUSE_MULTIPLIER);
  if (l->in->denormals == STALL_EVIDENCE_NONE)
    out.unproven |= STALL_CAUSE_BIT(STALL_CAUSE_DENORMALS);
  // A buffer without room stops what enters with the store, older instructions are done.
  for (size_t k = 0; enough_stores && k < TOGETHER && position + k < l->block->count; k++)
    if (reaches_memory(l, position + k) && (!k || !out.dynamic))
      out.dynamic |= STALL_CAUSE_BIT(STALL_CAUSE_WRITE_BUFFER);
  if (is_forwarded_badly(l, position)) {
    out.still |= STALL_CAUSE_BIT(STALL_CAUSE_FORWARDING);
    out.dynamic |= STALL_CAUSE_BIT(STALL_CAUSE_FORWARDING);
  }
  return out;
}

/// Whether the block's own branch has two ways on in the function.
static bool is_forked(const struct look *l) {
  size_t ways = 0;
  for (size_t e = 0; e < l->in->edge_count; e++)
    ways += l->in->edges[e].from == l->number;
  return ways > 1;
}

/// Mispredicted branches are blamed on themselves, or on what comes first behind them. Behind one
/// the pipeline is empty: until the block's own branch is decided, latencies are paid that would
/// overlap else. Where that may be all that the block takes longer in place, nothing shows a miss.
static void suspect_branches(struct look *l, struct stall_suspects *suspects) {
  bool jumped_to;
  double executions = l->block->executions, wrong = arrivals(l, &jumped_to);
  double own = mispredicted(l, l->number), rate = (own + wrong) / executions;
  bool is_large = l->in->l1i_bytes && l->in->hot_code_bytes > l->in->l1i_bytes;
  double longer = l->block->cycles - l->block->isolated; // NaN: not known
  bool may_be_all =
      is_forked(l) && longer <= rate * (STALL_FLUSH_CYCLES + stall_flow_latency(l->in, l->number));
  l->caps[STALL_CAUSE_BRANCH] = isnan(executions) ? INFINITY : rate * STALL_FLUSH_CYCLES;
  for (size_t i = 0; i < l->block->count; i++) {
    if (i < FIRST && own + wrong != 0)
      suspects[i].dynamic |= STALL_CAUSE_BIT(STALL_CAUSE_BRANCH);
    if (i < FIRST && jumped_to && is_large)
      suspects[i].dynamic |= STALL_CAUSE_BIT(STALL_CAUSE_I_CACHE);
    if (may_be_all)
      suspects[i].unproven |=
          STALL_CAUSE_BIT(STALL_CAUSE_D_CACHE) | STALL_CAUSE_BIT(STALL_CAUSE_D_TLB);
  }
  if (own != 0)
    suspects[l->block->count - 1].dynamic |= STALL_CAUSE_BIT(STALL_CAUSE_BRANCH);
}

void stall_suspect(const struct stall_input *in, const struct stall_flow *flow, size_t block,
                   struct stall_suspects *suspects, double *caps) {
  struct look l = {.in = in, .number = block, .block = &in->blocks[block], .caps = caps};
  bool has_chain = false;
  for (unsigned r = 0; r < STALL_CAUSES; r++)
    caps[r] = INFINITY;
  caps[STALL_CAUSE_DIVIDER] = caps[STALL_CAUSE_MULTIPLIER] = caps[STALL_CAUSE_LONG_UNIT] =
      caps[STALL_CAUSE_SYNCHRONISED] = caps[STALL_CAUSE_D_TLB] = caps[STALL_CAUSE_CHAIN] = 0;
  if (l.block->loop < in->loop_count) {
    l.loop = &flow->loops[l.block->loop];
    has_chain = l.loop->chain >= CHAIN_LEAST * l.loop->iteration;
    caps[STALL_CAUSE_CHAIN] = fmax(0, l.loop->chain - l.loop->limit);
  }
  l.may_alias = may_alias_by_page(&l);
  bool enough = has_enough_stores(&l);
  for (size_t i = 0; i < l.block->count; i++) {
    suspects[i] = suspect_one(&l, i, enough);
    if (has_chain && flow->waits[l.block->first + i])
      suspects[i].still |= STALL_CAUSE_BIT(STALL_CAUSE_CHAIN);
  }
  suspect_branches(&l, suspects);
  // A comparison with memory and the branch behind it may be one operation.
  const struct stall_instruction *code = &in->instructions[l.block->first];
  for (size_t i = 1; i < l.block->count; i++)
    if (code[i].branches && code[i - 1].sets_condition) {
      suspects[i].still |= suspects[i - 1].still;
      suspects[i].dynamic |= suspects[i - 1].dynamic;
    }
}
