// culprit.h - why the blocks of a function take longer than they could: by ruling out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every cause is a candidate for every stall, then ruled out by what is known: the instruction that
// the time is blamed on, the code around it, how often it ran, and what the block takes by itself.
// What stays is a range: low counts the stalls whose only candidate it is; high, all those whose
// candidate it is among others. Source: [dcpi1997].
//
//   block's time | execution | static stall    | dynamic stall              |
//   cycles       0         limit           isolated                     in place
//                             divider, chain    cache, branch, write buffer
#ifndef RETICLE_TOOLS_ANALYSIS_CULPRIT_H
#define RETICLE_TOOLS_ANALYSIS_CULPRIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Those further up are named first where nothing else decides.
enum culprit_reason {
  CULPRIT_DIVIDER,      ///< a division or square root, of integers or floating point
  CULPRIT_MULTIPLIER,   ///< a multiplication
  CULPRIT_LONG_UNIT,    ///< another instruction of many cycles
  CULPRIT_SYNCHRONISED, ///< atomics, fences, pause, system calls
  CULPRIT_CHAIN,        ///< each iteration waits for the last one's results
  CULPRIT_BRANCH,       ///< mispredicted
  CULPRIT_D_CACHE,      ///< a load from beyond the first cache
  CULPRIT_D_TLB,        ///< a load whose page's address had to be looked up
  CULPRIT_WRITE_BUFFER, ///< stores come faster than memory takes them
  CULPRIT_FORWARDING,   ///< a load needs bytes of a store that it can't be handed
  CULPRIT_I_CACHE,      ///< code from beyond the first cache
  CULPRIT_DENORMALS,    ///< floating point with denormal operands
  CULPRIT_REASONS,
  CULPRIT_NONE = CULPRIT_REASONS,
};

/// Reasons by the part of the processor that they keep waiting: the first level of top-down.
enum culprit_group {
  CULPRIT_GROUP_CORE,
  CULPRIT_GROUP_MEMORY,
  CULPRIT_GROUP_SPECULATION,
  CULPRIT_GROUP_FRONT_END,
  CULPRIT_GROUPS,
};

/// What the run itself says of a reason that code alone doesn't tell.
enum culprit_evidence {
  CULPRIT_EVIDENCE_NONE, ///< nothing: it may be, and nothing is put down to it for sure
  CULPRIT_EVIDENCE_MET,
  CULPRIT_EVIDENCE_RULED_OUT,
};

/// What computes an instruction's result.
enum culprit_unit {
  CULPRIT_UNIT_PLAIN, ///< a cycle
  CULPRIT_UNIT_FLOAT, ///< additions and the like
  CULPRIT_UNIT_MULTIPLY,
  CULPRIT_UNIT_FLOAT_MULTIPLY,
  CULPRIT_UNIT_DIVIDE,
  CULPRIT_UNIT_FLOAT_DIVIDE,
  CULPRIT_UNIT_LONG,
  CULPRIT_UNIT_SYNCHRONISED,
};

/// A part of memory that an instruction touches.
struct culprit_access {
  uint64_t registers;   ///< those of its address
  int64_t displacement; ///< added to them; the address itself where there are none
  uint32_t bytes;       ///< 0: not known
  bool stack;           ///< at a fixed distance of the stack or frame pointer
  bool read, written;
};

#define CULPRIT_ACCESSES 2

struct culprit_instruction {
  double time;            ///< CPU time blamed on it (analysis/blame.h); any unit, the same for all
  uint64_t reads, writes; ///< registers, one bit each, flags among them
  int64_t step;           ///< != 0: all it does is to add this to the register it writes
  enum culprit_unit unit;
  bool branches;       ///< a jump on a condition
  bool jumps_away;     ///< a jump or call to an address in a register or in memory
  bool sets_condition; ///< may be one with the branch behind it: cmp, test, add, ...
  unsigned access_count;
  struct culprit_access accesses[CULPRIT_ACCESSES];
};

/// Instructions [first, first + count), cycles of one execution. NaN: not known.
struct culprit_block {
  size_t first, count;
  double executions;
  double cycles;   ///< in place
  double isolated; ///< by itself: caches hit, branches predicted
  double limit;    ///< that the core's widths allow
  size_t loop;     ///< number of the innermost loop around it, CULPRIT_NO_LOOP without one
};
#define CULPRIT_NO_LOOP SIZE_MAX

struct culprit_edge {
  size_t from, to;
  double executions;  ///< NaN: not known
  bool falls_through; ///< the code goes on behind
};

struct culprit_input {
  const struct culprit_instruction *instructions; ///< [instruction_count]
  size_t instruction_count;
  const struct culprit_block *blocks; ///< [block_count]
  size_t block_count;
  const struct culprit_edge *edges; ///< [edge_count]
  size_t edge_count;
  const size_t *loop_parents; ///< [loop_count] the loop around each, CULPRIT_NO_LOOP without one
  size_t loop_count;
  enum culprit_evidence denormals;
  uint64_t hot_code_bytes; ///< code of the program that takes most of its time
  uint64_t l1i_bytes;      ///< 0: not known
};

/// CPU time, in the unit of the input.
struct culprit_range {
  double low;  ///< as the only candidate, where something shows that it was there at all
  double high; ///< as one of several
};

/// Where the time of one or more blocks went. They add up:
/// execution + static_stall + dynamic_stall + mixed_stall - gain + uncounted = time.
struct culprit_tally {
  double time;          ///< blamed on the blocks
  double execution;     ///< were nothing in the way
  double static_stall;  ///< also in isolation
  double dynamic_stall; ///< in place alone
  double mixed_stall;   ///< of blocks that weren't measured in isolation: either of both
  double gain;          ///< faster in place than by itself: nothing explains it
  double uncounted;     ///< of blocks whose cycles aren't known: not split
  double unexplained;   ///< part of the three stalls for which no candidate is left
  struct culprit_range reasons[CULPRIT_REASONS];
  /// low: all candidates belong to the group, and something shows that they were there
  struct culprit_range groups[CULPRIT_GROUPS];
};

/// An instruction's part of its block's stall.
struct culprit_stall {
  double time;       ///< of the three stalls
  uint32_t suspects; ///< 1 << enum culprit_reason
};

/// A reason is named if it may stand for this part of the time. It is also about what the limit of
/// a block without a stall is wrong by: a taken branch, an uneven use of the ports.
#define CULPRIT_LEAST 0.2

/// stalls   [input->instruction_count], or null
/// tallies  [input->block_count]
///
/// Returns false if there is no memory.
bool culprit_find(const struct culprit_input *input, struct culprit_stall *stalls,
                  struct culprit_tally *tallies);

/// Adds up: a loop's, a function's, a program's.
void culprit_tally_add(struct culprit_tally *sum, const struct culprit_tally *tally);

/// Reasons by the middle of their ranges, the likeliest first; those that can't be are left out.
///
/// Returns how many. The first is to be named only if culprit_named says so.
size_t culprit_rank(const struct culprit_tally *tally, enum culprit_reason *ranked);

/// The likeliest reason if it may stand for CULPRIT_LEAST of the time, CULPRIT_NONE otherwise.
/// Denormals not without evidence of them.
enum culprit_reason culprit_named(const struct culprit_tally *tally);

enum culprit_group culprit_group_of(enum culprit_reason reason);
/// "divider", ..., "D-cache miss"; "none".
const char *culprit_name(enum culprit_reason reason);
/// 'd' for D-cache miss, and so on; those of DCPI where it has one [dcpi1997].
char culprit_letter(enum culprit_reason reason);
/// "core", "memory", "speculation", "front end".
const char *culprit_group_name(enum culprit_group group);

#endif
