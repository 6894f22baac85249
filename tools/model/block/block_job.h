// block_job.h - blocks to measure, wherever they come from, and what came of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_JOB_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_JOB_H

#include "runtime/harness/block/block_measure.h"
#include "tools/support/problem.h"

/// One block. Strings and code are owned by the list.
struct block_job {
  char *name;                 ///< its name, "main+0x20"; its hex where it has none
  char *hex;                  ///< as given
  char *problem;              ///< why it can't be measured: a broken line, a call; null if it can
  bool is_broken;             ///< the problem is one of the input's form: it counts as unreadable
  enum harness_status status; ///< what the problem amounts to, where the input is well formed
  uint8_t *code;              ///< [bytes]
  size_t bytes;
  uint64_t address; ///< in the program; 0 if unknown
  char *module;     ///< the file that it belongs to; null if unknown
  size_t line;      ///< of the input, from 1; 0 if it has none
};

/// Start with {0}.
struct block_jobs {
  struct block_job *items; ///< [count]
  size_t count, capacity;
};

void block_jobs_release(struct block_jobs *jobs);

/// Appends a block; all arguments are copied.
///
/// name  null: named by its hex
struct block_job *block_jobs_add(struct block_jobs *jobs, const char *name, const uint8_t *code,
                                 size_t bytes, uint64_t address);
/// Appends a block written in hexadecimal digits; broken ones become a job with a problem.
///
/// line  of the input, 0 if it has none
struct block_job *block_jobs_add_hex(struct block_jobs *jobs, const char *hex, size_t line);
/// Why the job is not measured; the text is copied.
void block_job_refuse(struct block_job *job, enum harness_status status, const char *problem);

/// The blocks in column "hex" of a CSV file. Broken lines are reported and become jobs with a
/// problem. Returns false after saying why the file can't be read at all.
bool block_jobs_read_csv(struct block_jobs *jobs, const char *path, struct problems *problems);

/// Assembles text (AT&T syntax, or Intel's after ".intel_syntax noprefix") with llvm-mc and appends
/// it as one block. Returns false after saying what is wrong with it.
///
/// text  lines, or statements separated by ";"
bool block_jobs_assemble(struct block_jobs *jobs, const char *text, struct problems *problems);

/// All facts that decoding tells in advance: refuses what isn't code or has control flow inside.
/// Returns the number of instructions, 0 if it is no code.
size_t block_job_check(struct block_job *job);

/// Whether it addresses memory relative to its own place, as far as it can be decoded.
bool block_job_is_relative(const struct block_job *job);

/// What of the program's values the block uses that capturing leaves out; null if nothing.
const char *block_job_not_captured(const struct block_job *job);

/// A general register that the block doesn't name, for the counter of loop mode; -1 if there is
/// none.
int block_job_free_register(const struct block_job *job);

/// The instruction at that offset of the code, as text. address: of the block.
///
/// out  [bytes], terminated
///
/// Returns its length, 0 if it is no code.
size_t block_job_text(const struct block_job *job, size_t at, uint64_t address, char *out,
                      size_t bytes);

#endif
