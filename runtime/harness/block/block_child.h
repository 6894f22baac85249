// block_child.h - the traced child in which a block runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_CHILD_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_CHILD_H

#include "runtime/harness/block/block_image.h"

struct block_samples;

struct harness_blocks {
  int fd;          ///< the shared file
  uint8_t *shared; ///< [BLOCK_SHARED_BYTES]
  struct block_control *control;
  uint8_t *frames; ///< [BLOCK_FRAMES_BYTES]
  struct block_image image;
  long pid;                      ///< of the child; 0: none
  struct block_samples *samples; ///< for block_rounds.c
  bool is_pmu_asked;
  int pmu_error;       ///< errno of the first counter that could not be opened; 0: none
  double canary_least; ///< cycles of the fastest canary so far; 0: none yet
  bool has_cpu;        ///< a block has been measured
  int cpu;             ///< where: a busy neighbour made it move there, or it stayed
};

/// How the child stopped.
struct block_stop {
  enum {
    BLOCK_STOP_DONE,   ///< at the breakpoint behind what it was to do
    BLOCK_STOP_FAULT,  ///< a touched page isn't mapped
    BLOCK_STOP_FAILED, ///< `status` and `detail` say why
  } kind;
  enum harness_status status;
  const char *detail;
  uint64_t address; ///< of a fault
  uint64_t where;   ///< of the instruction
};

/// Facts about a stop by a signal, and what they mean. Pure.
///
/// done   address at which a breakpoint means that all is done
/// image  where code may be
void block_stop_classify(int signal, int code, uint64_t address, uint64_t where, uint64_t done,
                         const struct block_image *image, struct block_stop *out);

/// What a general protection fault at this instruction means, null where that isn't known by it;
/// and why one takes so long, where a hypervisor traps it. code: [bytes]
const char *block_denied(const uint8_t *code, size_t bytes);
const char *block_trapped(const uint8_t *code, size_t bytes);

/// Starts a child that has nothing mapped but code and control, for the image that is in memory.
/// False with the reason in *stop and *error.
///
/// seconds  wall-clock time after which it is stopped
bool block_child_start(struct harness_blocks *blocks, int cpu, double seconds,
                       struct block_stop *stop, int *error);
void block_child_end(struct harness_blocks *blocks);

/// Lets the child run from the address of the image to its next stop.
///
/// done  offset in the code, as in struct block_image, of the end of the breakpoint it is to reach
void block_child_run(struct harness_blocks *blocks, uint64_t from, size_t done,
                     struct block_stop *stop);
/// The same from where it stopped: after a fault was mended.
void block_child_go_on(struct harness_blocks *blocks, size_t done, struct block_stop *stop);
/// Makes the child do the first `count` calls of the control block.
bool block_child_calls(struct harness_blocks *blocks, size_t count, struct block_stop *stop);

/// Offset of an address within a copy of the block; UINT32_MAX outside of the body.
uint32_t block_offset(const struct block_image *image, size_t block_bytes, uint64_t address);

#endif
