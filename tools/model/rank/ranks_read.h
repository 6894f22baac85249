// ranks_read.h - between ranks.h's parts: a profile becomes a row, and a cell of each loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_RANK_RANKS_READ_H
#define RETICLE_TOOLS_MODEL_RANK_RANKS_READ_H

#include "tools/model/rank/ranks.h"
#include "tools/support/string_table.h"

/// What grows while profiles are read. Start with {.out = ...}; its loops are in order of id.
struct ranks_reader {
  struct ranks *out;
  struct problems *problems; ///< get what can't be read
  size_t capacity;           ///< of rows and of each loop's cells
  size_t loop_capacity;
  size_t repeated, epochs; ///< files that said nothing new
};

/// Adds a profile, its copies of a loop merged. Returns its row, from 0; SIZE_MAX: it repeats one.
///
/// path  of the file
size_t ranks_read_profile(struct ranks_reader *reader, const struct profile *profile,
                          const char *path);
/// Makes room for one row more, and for its cells.
void ranks_read_grow(struct ranks_reader *reader);
/// The loop of that id, a new one named after `from`.
struct rank_loop *ranks_read_loop(struct ranks_reader *reader, const struct profile_loop *from);
/// The loop of that id; null if there is none. While profiles are read: loops are in order of id.
///
/// place  out: where it is, or would be
struct rank_loop *ranks_read_find(const struct ranks *ranks, uint64_t id, size_t *place);
/// A copy of a text that lives as long as the ranks.
const char *ranks_read_keep(struct ranks *ranks, const char *text);
/// Reads a file and adds it; of a study all processes of the timing build's last run. Returns false
/// after saying why it can't be.
bool ranks_read_file(struct ranks_reader *reader, const char *path);

/// Rows, and cells of loops, in the order of ranks.
void ranks_read_sort(struct ranks_reader *reader);

/// Before anything is read, and behind it: judges, orders and notes.
void ranks_begin(struct ranks *out);
void ranks_finish(struct ranks_reader *reader);

#endif
