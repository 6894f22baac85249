// wait_tally.h - waits of MPI, OpenMP and for locks by call site and process; who was waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/ranks.md.
#ifndef RETICLE_TOOLS_ANALYSIS_RANK_WAIT_TALLY_H
#define RETICLE_TOOLS_ANALYSIS_RANK_WAIT_TALLY_H

#include "include/reticle/waits.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A process with waits.
struct wait_process {
  uint64_t start_time_s, pid;
  char *host;
  size_t host_number; ///< alike for all of a host
  uint32_t rank;      ///< PROFILE_RANK_UNKNOWN: it was none
  double run_ns;      ///< wall-clock time; NaN: not known
  double threads_ns;  ///< wall-clock time of all its threads; NaN: not known
  uint64_t mpi_ns;    ///< in all calls of MPI
  bool is_forgotten;  ///< a later checkpoint of it stands behind
};

/// What one thread of one process did at a site; of MPI, and of pthreads, all its threads.
struct wait_cell {
  size_t site, process; ///< positions
  uint32_t thread;      ///< OpenMP's number; RETICLE_WAIT_NO_THREAD: of all threads
  uint64_t calls, bytes, time_ns, longest_ns;
  double late_ns; ///< of the arrivals that were compared, see wait_site.late_ns
};

/// What a site waited for one rank; of OpenMP: for one thread.
struct wait_blame {
  size_t site;    ///< position
  size_t process; ///< position, before they are added up
  uint32_t rank;  ///< in the world
  double time_ns;
};

/// One operation at one place, of all processes.
struct wait_site {
  uint64_t id, offset;
  char *operation, *module, *build_id; ///< as in the profile
  uint32_t kind;                       ///< enum reticle_wait_kind
  uint64_t calls, bytes, time_ns, longest_ns;
  /// Wall-clock time of its processes, times their threads that waited; of locks of pthreads that
  /// of all threads of all processes; NaN.
  double run_ns;
  size_t process_count, thread_count;
  /// Time up to the arrival of whom the call waited for, of all calls, by what of those compared
  /// was. NaN: not known, no arrival could be compared.
  double late_ns;
  uint64_t compared;             ///< arrivals
  const struct wait_cell *cells; ///< [cell_count] by process and thread
  size_t cell_count;
  size_t least, most;              ///< cells with the least and the most time
  const struct wait_blame *blamed; ///< [blamed_count] whom it waited for, most time first
  size_t blamed_count;
  double blamed_ns; ///< all of them
};

struct wait_source {
  char *name;
  uint32_t source, state; ///< RETICLE_WAIT_MPI ..., enum reticle_wait_state
  uint64_t lost, untracked;
  size_t process_count;
};

/// Start with {0}, end with wait_tally_release.
struct wait_tally {
  struct wait_process *processes; ///< [process_count]
  size_t process_count;
  struct wait_site *sites; ///< [site_count] most time first, once finished
  size_t site_count;
  struct wait_source *sources; ///< [source_count]
  size_t source_count;
  struct wait_cell *cells; ///< [cell_count]
  size_t cell_count;
  struct wait_blame *blames; ///< [blame_count]
  size_t blame_count;
  struct wait_arrival *arrivals; ///< [arrival_count]
  size_t arrival_count;
  uint64_t mask; ///< of arrivals' hashes: bits that are 0 in those that are kept
  size_t capacities[6];
};

/// Adds a profile's waits.
void wait_tally_add(struct wait_tally *tally, const struct profile *profile);

/// Leaves a process out that was added before.
void wait_tally_forget(struct wait_tally *tally, const struct profile *profile);

/// Compares arrivals, adds up, and sorts. Nothing can be added then.
void wait_tally_finish(struct wait_tally *tally);

void wait_tally_release(struct wait_tally *tally);

#endif
