// shared_line.h - what the marks of one cache line say about threads, and whose words they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_SHARED_LINE_H
#define RETICLE_RUNTIME_HEAP_SHARED_LINE_H

#include "include/reticle/abi.h"

enum { RRT_LINE_WORDS = 16 };

/// Since the last sample.
enum rrt_line_how {
  RRT_LINE_OWN = 0,    ///< one thread's, or nobody wrote to it
  RRT_LINE_APART = 1,  ///< several threads', each word that of one, or read by all
  RRT_LINE_MIXED = 2,  ///< words that are written and used in common, and others
  RRT_LINE_COMMON = 3, ///< each word is used in common
};

/// Words are bits, the first of the line bit 0.
struct rrt_line_look {
  enum rrt_line_how how;
  uint32_t touched, read, written; ///< since the last sample
  uint32_t shared;                 ///< written, and touched by several threads
  uint32_t earlier;                ///< touched before the last sample
  uint64_t threads[2];             ///< as threads_low and threads_high of the file's record
};

/// Whether it is worth a look: most lines aren't.
int rrt_line_may_be_shared(const uint8_t *marks);
enum rrt_line_how rrt_line_look(const uint8_t *marks, struct rrt_line_look *out);

/// The object that a line's words belong to.
struct rrt_line_object {
  uint32_t site, neighbour; ///< 0: none
  uint64_t offset_bytes;    ///< of its first word in the line
  uint32_t first, own;      ///< that word's position in the line; all of its words there
};

/// Before a series of questions.
void rrt_line_find_begin(void);
/// That of the first word that was written, else touched. 0: of no object that is known.
int rrt_line_find(const uint8_t *marks, const struct rrt_line_look *look,
                  struct rrt_line_object *out);

#endif
