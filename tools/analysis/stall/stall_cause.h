// stall_cause.h - why the blocks of a function take longer than they could: by ruling out.
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
#ifndef RETICLE_TOOLS_ANALYSIS_STALL_STALL_CAUSE_H
#define RETICLE_TOOLS_ANALYSIS_STALL_STALL_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Those further up are named first where nothing else decides.
enum stall_cause {
  STALL_CAUSE_DIVIDER,      ///< a division or square root, of integers or floating point
  STALL_CAUSE_MULTIPLIER,   ///< a multiplication
  STALL_CAUSE_LONG_UNIT,    ///< another instruction of many cycles
  STALL_CAUSE_SYNCHRONISED, ///< atomics, fences, pause, system calls
  STALL_CAUSE_CHAIN,        ///< each iteration waits for the last one's results
  STALL_CAUSE_BRANCH,       ///< mispredicted
  STALL_CAUSE_D_CACHE,      ///< a load from beyond the first cache
  STALL_CAUSE_D_TLB,        ///< a load whose page's address had to be looked up
  STALL_CAUSE_WRITE_BUFFER, ///< stores come faster than memory takes them
  STALL_CAUSE_FORWARDING,   ///< a load needs bytes of a store that it can't be handed
  STALL_CAUSE_I_CACHE,      ///< code from beyond the first cache
  STALL_CAUSE_DENORMALS,    ///< floating point with denormal operands
  STALL_CAUSES,
  STALL_CAUSE_NONE = STALL_CAUSES,
};

/// Reasons by the part of the processor that they keep waiting: the first level of top-down.
enum stall_group {
  STALL_GROUP_CORE,
  STALL_GROUP_MEMORY,
  STALL_GROUP_SPECULATION,
  STALL_GROUP_FRONT_END,
  STALL_GROUPS,
};

/// What the run itself says of a reason that code alone doesn't tell.
enum stall_evidence {
  STALL_EVIDENCE_NONE, ///< nothing: it may be, and nothing is put down to it for sure
  STALL_EVIDENCE_MET,
  STALL_EVIDENCE_RULED_OUT,
};

/// What computes an instruction's result.
enum stall_unit {
  STALL_UNIT_PLAIN, ///< a cycle
  STALL_UNIT_FLOAT, ///< additions and the like
  STALL_UNIT_MULTIPLY,
  STALL_UNIT_FLOAT_MULTIPLY,
  STALL_UNIT_DIVIDE,
  STALL_UNIT_FLOAT_DIVIDE,
  STALL_UNIT_LONG,
  STALL_UNIT_SYNCHRONISED,
};

/// A part of memory that an instruction touches.
struct stall_access {
  uint64_t registers;   ///< those of its address
  int64_t displacement; ///< added to them; the address itself where there are none
  uint32_t bytes;       ///< 0: not known
  bool stack;           ///< at a fixed distance of the stack or frame pointer
  bool read, written;
};

#define STALL_ACCESSES 2

struct stall_instruction {
  double time;            ///< CPU time blamed on it (analysis/blame.h); any unit, the same for all
  uint64_t reads, writes; ///< registers, one bit each, flags among them
  int64_t step;           ///< != 0: all it does is to add this to the register it writes
  enum stall_unit unit;
  bool own;            ///< instrumentation: no part of its block's limit, and without time
  bool branches;       ///< a jump on a condition
  bool jumps_away;     ///< a jump or call to an address in a register or in memory
  bool sets_condition; ///< may be one with the branch behind it: cmp, test, add, ...
  unsigned access_count;
  struct stall_access accesses[STALL_ACCESSES];
};

/// Instructions [first, first + count), cycles of one execution. NaN: not known.
struct stall_block {
  size_t first, count;
  double executions;
  double cycles;   ///< in place
  double isolated; ///< by itself: caches hit, branches predicted
  double limit;    ///< that the core's widths allow
  size_t loop;     ///< number of the innermost loop around it, STALL_NO_LOOP without one
};
#define STALL_NO_LOOP SIZE_MAX

struct stall_edge {
  size_t from, to;
  double executions;  ///< NaN: not known
  bool falls_through; ///< the code goes on behind
  bool jumps;         ///< always, by a jump to an address in the code
};

struct stall_input {
  const struct stall_instruction *instructions; ///< [instruction_count]
  size_t instruction_count;
  const struct stall_block *blocks; ///< [block_count]
  size_t block_count;
  const struct stall_edge *edges; ///< [edge_count]
  size_t edge_count;
  const size_t *loop_parents; ///< [loop_count] the loop around each, STALL_NO_LOOP without one
  size_t loop_count;
  enum stall_evidence denormals;
  uint64_t hot_code_bytes; ///< code of the program that takes most of its time
  uint64_t l1i_bytes;      ///< 0: not known
};

/// CPU time, in the unit of the input.
struct stall_range {
  double low;  ///< as the only candidate, where something shows that it was there at all
  double high; ///< as one of several
};

/// Where the time of one or more blocks went. They add up:
/// execution + static_stall + dynamic_stall + mixed_stall - gain + uncounted = time.
struct stall_tally {
  double time;          ///< blamed on the blocks
  double execution;     ///< were nothing in the way
  double static_stall;  ///< also in isolation
  double dynamic_stall; ///< in place alone
  double mixed_stall;   ///< of blocks that weren't measured in isolation: either of both
  double gain;          ///< faster in place than by itself: nothing explains it
  double uncounted;     ///< of blocks whose cycles aren't known: not split
  double unexplained;   ///< part of the three stalls for which no candidate is left
  struct stall_range causes[STALL_CAUSES];
  /// low: all candidates belong to the group, and something shows that they were there
  struct stall_range groups[STALL_GROUPS];
  /// What it stalls by itself and not here, by cause: of a path, the next block waits for it.
  struct stall_range absent[STALL_CAUSES];
  struct stall_range absent_groups[STALL_GROUPS];
};

/// An instruction's part of its block's stall.
struct instruction_stall {
  double time;       ///< of the three stalls
  uint32_t suspects; ///< 1 << enum stall_cause
};

/// A reason is named if it may stand for this part of the time. It is also about what the limit of
/// a block without a stall is wrong by: a taken branch, an uneven use of the ports.
#define STALL_CAUSE_LEAST 0.2

/// stalls   [input->instruction_count], or null
/// tallies  [input->block_count]
void stall_causes_find(const struct stall_input *input, struct instruction_stall *stalls,
                       struct stall_tally *tallies);

/// Adds up: a loop's, a function's, a program's.
void stall_tally_add(struct stall_tally *sum, const struct stall_tally *tally);

/// Of a loop or function, whose blocks overlap: what one takes longer in place than by itself,
/// another one may take less. Nets the two: that time goes to the causes that the faster one has by
/// itself.
void stall_tally_net(struct stall_tally *tally);

/// Reasons by the middle of their ranges, the likeliest first; those that can't be are left out.
///
/// Returns how many. The first is to be named only if stall_cause_named says so.
size_t stall_cause_rank(const struct stall_tally *tally, enum stall_cause *ranked);

/// The likeliest reason if it may stand for STALL_CAUSE_LEAST of the time, STALL_CAUSE_NONE
/// otherwise. Denormals not without evidence of them.
enum stall_cause stall_cause_named(const struct stall_tally *tally);

enum stall_group stall_group_of(enum stall_cause reason);
/// "divider", ..., "D-cache miss"; "none".
const char *stall_cause_name(enum stall_cause reason);
/// 'd' for D-cache miss, and so on; those of DCPI where it has one [dcpi1997].
char stall_cause_letter(enum stall_cause reason);
/// "core", "memory", "speculation", "front end".
const char *stall_group_name(enum stall_group group);

#endif
