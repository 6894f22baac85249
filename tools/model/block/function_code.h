// function_code.h - a sampled function's machine code: what ran how often, for how long, and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_FUNCTION_CODE_H
#define RETICLE_TOOLS_MODEL_BLOCK_FUNCTION_CODE_H

#include "tools/analysis/stall/stall_cause.h"
#include "tools/model/measurement/measurement.h"
#include "tools/program/counted_blocks.h"

struct code_instruction {
  uint64_t address;
  uint32_t bytes;
  bool is_bad;                      ///< no instruction: the rest of the block
  bool own;                         ///< instrumentation, not the program's
  uint64_t samples, time_ns;        ///< that lie on it
  double blamed_samples, blamed_ns; ///< that are blamed on it; the same where skid isn't known
};

struct code_block {
  size_t first, count;                   ///< of its instructions
  uint64_t samples, time_ns;             ///< blamed on it
  size_t own_count;                      ///< instructions that are instrumentation
  bool is_marked;                        ///< marks of shadow memory are among them
  double own_ns;                         ///< blamed on those
  const struct measured_block *isolated; ///< null: not measured in isolation
  struct block_in_place place;
};

/// Start with function_code_read, end with function_code_release.
struct function_code {
  const struct sampled_function *sampled;
  struct block_map *map;
  struct block_list list;
  struct counted_blocks counted;
  struct code_instruction *instructions; ///< [instruction_count]
  size_t instruction_count;
  struct code_block *blocks;        ///< [list.count]
  struct instruction_stall *stalls; ///< [instruction_count]; null: stall causes aren't known
  struct stall_tally *tallies;      ///< [list.count], ns, without instrumentation; null as well. Of
                                    ///< blocks without cycles only the sum means something
                                    ///< (stall_pool.h)
  const char *no_stall_causes;      ///< why; null where they are known
  uint64_t outside; ///< samples in none of the blocks: on padding, or in code that the map lacks
  double outside_ns;
  struct block_map_error error; ///< text: why there is no code
};

/// Reads it from the file that holds the function.
///
/// Returns false, with error, if the code can't be read.
bool function_code_read(const struct measurement *m, const struct sampled_function *function,
                        struct function_code *out);
/// What is known of one block alone: nothing where it has no cycles of its own. tallies are there.
struct stall_tally function_code_tally(const struct function_code *code, size_t block);

void function_code_release(struct function_code *code);
/// function  one of m->samples.functions. Lives as long as the measurement.
const struct function_code *function_code_get(const struct measurement *m,
                                              const struct sampled_function *function);

/// The whole function's tally: of its blocks, and of the samples in none. Its tallies are known.
struct stall_tally function_code_sum(const struct function_code *code);

/// Time of its instrumentation, which is in none of its tallies.
double function_code_own_ns(const struct function_code *code);

/// Cycles of an execution of the block that are the instruction's stall; its cycles are known.
double function_code_stall_cycles(const struct function_code *code, size_t block,
                                  size_t instruction);

/// An instruction of the block as text.
///
/// out  [bytes], terminated
void function_code_text(const struct block *block, const struct code_instruction *instruction,
                        char *out, size_t bytes);

#endif
