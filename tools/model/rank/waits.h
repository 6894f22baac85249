// waits.h - waits of MPI, of OpenMP and for locks, with the names of the code that waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_RANK_WAITS_H
#define RETICLE_TOOLS_MODEL_RANK_WAITS_H

#include "tools/analysis/rank/wait_tally.h"
#include "tools/analysis/stats/quantity.h"
#include "tools/program/program_files.h"
#include "tools/support/text.h"

/// A call site as reports name it.
struct waits_row {
  const struct wait_site *site;
  const struct waits *of;
  char *
      function; ///< short; "(libfoo.so)" where the file has no name for it, "?" where it is in none
  char *file;   ///< "" if unknown
  unsigned line; ///< 0 if unknown
  size_t number; ///< 1 for W1
};

/// Start with {0}, add profiles to the tally, then waits_finish; end with waits_release.
struct waits {
  struct wait_tally tally;
  struct waits_row *rows; ///< [row_count] most time first: rows[0] is W1
  size_t row_count;
  double run_ns;    ///< wall-clock time of all processes with calls of MPI; NaN: not known
  uint64_t mpi_ns;  ///< in all calls of MPI
  size_t mpi_count; ///< processes with any
};

/// Finishes the tally, and names the sites.
///
/// files  of the code; what they give is copied
void waits_finish(struct waits *waits, struct program_files *files);
void waits_release(struct waits *waits);

struct measurement;
/// Of a report; lives as long as the measurement.
const struct waits *waits_get(const struct measurement *m);

/// Whether there is more than threads that wait little for locks, as those of any program do.
bool waits_matter(const struct waits *waits);

/// "message", "request", "collective", "lock" ..., as in JSON.
const char *waits_kind_name(uint32_t kind);
/// Its time as a part of the wall-clock time of its processes, or of their threads that waited.
struct quantity waits_row_share(const struct waits_row *row);
/// Time that it waited for others to come, ns.
struct quantity waits_row_late(const struct waits_row *row);
/// "main ranks.c:70"
void waits_add_place(const struct waits_row *row, struct text *out);
/// Whom it waited for: "rank 5 98 %", "thread 2" (which waited least); nothing where nobody is
/// known.
void waits_add_whom(const struct waits_row *row, struct text *out);
/// The rank, or OpenMP thread, that waits_add_whom names; RETICLE_WAIT_NOBODY: none.
uint32_t waits_whom(const struct waits_row *row, double *share);
/// "rank 3", "process 4711", "thread 2", "rank 3 thread 2": of one of its cells.
void waits_add_cell(const struct waits_row *row, const struct wait_cell *cell, struct text *out);
/// What isn't in it, one line each: another tool, calls that were lost. Returns false without one.
bool waits_add_gap(const struct waits *waits, size_t which, struct text *out);

#endif
