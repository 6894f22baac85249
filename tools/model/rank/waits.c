// waits.c - names call sites of waits, and says whom they waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/rank/waits.h"

#include "tools/model/measurement/lazy.h"
#include "tools/model/measurement/measurement.h"

#include "tools/model/sample/site_names.h"
#include "tools/profile/rank.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Of the threads' time: locks that are waited for less aren't worth a row unless asked for.
#define LOCK_LEAST 0.01
/// A share of what was waited from which somebody is named.
#define WHOM_LEAST 0.01
/// Of threads at a barrier: who waits less than this part of the mean is who was waited for.
#define THREAD_MOST 0.5

// --- names -------------------------------------------------------------------------------------

static void name_nameless(struct waits_row *row) {
  struct text name = {0};
  if (*row->site->module)
    text_printf(&name, "(%s)", base_name(row->site->module));
  else
    text_add(&name, "?");
  row->function = text_copy(text_get(&name));
  row->file = text_copy("");
  text_release(&name);
}

static bool is_header(const char *file) {
  const char *dot = strrchr(base_name(file), '.');
  return !dot || dot[1] == 'h' || dot[1] == 'H' || strcmp(dot, ".inl") == 0 ||
         strcmp(dot, ".tcc") == 0;
}

/// Locks are wrapped, in std::lock_guard and in classes of the program's own: the first frame that
/// is in no header, or else in none of a library.
static const struct code_frame *own_frame(const struct code_frame *frames, size_t count) {
  const struct code_frame *first = NULL;
  for (size_t i = 0; i < count; i++) {
    if (site_is_library(frames[i].file, frames[i].name))
      continue;
    first = first ? first : &frames[i];
    if (!is_header(frames[i].file))
      return &frames[i];
  }
  return first ? first : frames;
}

static void name_row(struct waits_row *row, struct program_files *files) {
  const struct wait_site *site = row->site;
  enum elf_file_status status;
  struct code_frame frames[CODE_FRAMES_MAX];
  struct code_places *places =
      *site->module == '/' ? program_files_places(files, site->module, site->build_id, &status)
                           : NULL;
  uint64_t address;
  // The call is the instruction before: the one behind may be another line's.
  if (!places || strcmp(elf_file_build_id(code_places_file(places)), site->build_id) != 0 ||
      !code_places_address(places, site->offset - 1, &address)) {
    name_nameless(row);
    return;
  }
  const struct elf_function *symbol = code_places_function(places, address);
  size_t n = code_places_has_lines(places) ? code_places_frames(places, address, frames) : 0;
  const struct code_frame *frame = own_frame(frames, n);
  const char *name = n && *frame->name ? frame->name : symbol ? symbol->name : NULL;
  if (!name) {
    name_nameless(row);
    return;
  }
  row->function = function_short_name(name);
  row->file = text_copy(n ? frame->file : "");
  row->line = n ? frame->line : 0;
}

void waits_finish(struct waits *waits, struct program_files *files) {
  struct wait_tally *tally = &waits->tally;
  wait_tally_finish(tally);
  waits->rows = memory_zeroed(tally->site_count + 1, sizeof *waits->rows);
  for (; waits->row_count < tally->site_count; waits->row_count++) {
    struct waits_row *row = &waits->rows[waits->row_count];
    row->site = &tally->sites[waits->row_count];
    row->of = waits;
    row->number = waits->row_count + 1;
    name_row(row, files);
  }
  for (size_t i = 0; i < tally->process_count; i++) {
    const struct wait_process *process = &tally->processes[i];
    if (process->is_forgotten || !process->mpi_ns)
      continue;
    waits->mpi_count++;
    waits->mpi_ns += process->mpi_ns;
    waits->run_ns += process->run_ns;
  }
}

void waits_release(struct waits *waits) {
  for (size_t i = 0; i < waits->row_count; i++) {
    free(waits->rows[i].function);
    free(waits->rows[i].file);
  }
  free(waits->rows);
  wait_tally_release(&waits->tally);
  *waits = (struct waits){0};
}

const char *waits_kind_name(uint32_t kind) {
  static const char *const names[RETICLE_WAIT_KINDS] = {
      [RETICLE_WAIT_NOTHING] = "other",      [RETICLE_WAIT_SEND] = "send",
      [RETICLE_WAIT_RECEIVE] = "receive",    [RETICLE_WAIT_REQUEST] = "request",
      [RETICLE_WAIT_ALL] = "collective",     [RETICLE_WAIT_ROOT] = "from_root",
      [RETICLE_WAIT_FOR_OTHERS] = "to_root", [RETICLE_WAIT_THREADS] = "barrier",
      [RETICLE_WAIT_LOCK] = "lock",          [RETICLE_WAIT_TASKS] = "tasks",
  };
  return kind < RETICLE_WAIT_KINDS ? names[kind] : "other";
}

// --- numbers -----------------------------------------------------------------------------------

struct quantity waits_row_share(const struct waits_row *row) {
  double run_ns = row->site->run_ns;
  if (!(run_ns > 0))
    return quantity_none(QUANTITY_UNSUPPORTED, "the processes' time is not known");
  double share = (double)row->site->time_ns / run_ns;
  return quantity_of(share, share, share);
}

bool waits_matter(const struct waits *waits) {
  for (size_t i = 0; i < waits->tally.source_count; i++)
    if (waits->tally.sources[i].source != RETICLE_WAIT_PTHREADS)
      return true;
  return waits->row_count && waits_row_share(&waits->rows[0]).value >= LOCK_LEAST; // most time
}

static bool is_collective(uint32_t kind) {
  return kind == RETICLE_WAIT_ALL || kind == RETICLE_WAIT_ROOT || kind == RETICLE_WAIT_FOR_OTHERS;
}

struct quantity waits_row_late(const struct waits_row *row) {
  const struct wait_site *site = row->site;
  if (!is_collective(site->kind))
    return quantity_none(QUANTITY_UNSUPPORTED, "of collective calls alone one can tell");
  if (isnan(site->late_ns))
    return quantity_none(QUANTITY_TOO_FEW,
                         row->of->mpi_count > 1
                             ? "no call has an arrival of each rank here"
                             : "arrivals of the other ranks are needed: reticle ranks");
  return quantity_of(site->late_ns, site->late_ns, site->late_ns);
}

/// The thread of a team that waits least, where it does so by far.
static uint32_t whom_of_threads(const struct wait_site *site, double *share) {
  const struct wait_cell *least = &site->cells[site->least];
  double mean = (double)site->time_ns / (double)site->cell_count;
  if (site->cell_count < 2 || site->process_count > 1 ||
      !((double)least->time_ns < THREAD_MOST * mean))
    return RETICLE_WAIT_NOBODY;
  *share = NAN;
  return least->thread;
}

uint32_t waits_whom(const struct waits_row *row, double *share) {
  const struct wait_site *site = row->site;
  *share = NAN;
  if (site->kind == RETICLE_WAIT_THREADS)
    return whom_of_threads(site, share);
  if (!site->blamed_count || !(site->blamed_ns > 0))
    return RETICLE_WAIT_NOBODY;
  *share = site->blamed[0].time_ns / site->blamed_ns;
  return *share >= WHOM_LEAST ? site->blamed[0].rank : RETICLE_WAIT_NOBODY;
}

// --- words -------------------------------------------------------------------------------------

void waits_add_place(const struct waits_row *row, struct text *out) {
  text_add(out, row->function);
  if (*row->file) {
    text_printf(out, " %s", base_name(row->file));
    if (row->line)
      text_printf(out, ":%u", row->line);
  }
}

void waits_add_whom(const struct waits_row *row, struct text *out) {
  double share;
  uint32_t whom = waits_whom(row, &share);
  if (whom == RETICLE_WAIT_NOBODY)
    return;
  if (row->site->kind == RETICLE_WAIT_THREADS) {
    text_printf(out, "thread %" PRIu32, whom);
    return;
  }
  text_printf(out, "rank %" PRIu32 " %.0f %%", whom, 100 * share);
}

void waits_add_cell(const struct waits_row *row, const struct wait_cell *cell, struct text *out) {
  const struct wait_process *process = &row->of->tally.processes[cell->process];
  bool is_thread = cell->thread != RETICLE_WAIT_NO_THREAD;
  bool is_alone = row->site->process_count < 2 && is_thread;
  if (!is_alone && process->rank != PROFILE_RANK_UNKNOWN)
    text_printf(out, "rank %" PRIu32, process->rank);
  else if (!is_alone)
    text_printf(out, "process %" PRIu64, process->pid);
  if (is_thread)
    text_printf(out, "%sthread %" PRIu32, is_alone ? "" : " ", cell->thread);
}

bool waits_add_gap(const struct waits *waits, size_t which, struct text *out) {
  for (size_t i = 0; i < waits->tally.source_count; i++) {
    const struct wait_source *source = &waits->tally.sources[i];
    if (source->state == RETICLE_WAITS_OTHER_TOOL && which-- == 0) {
      text_printf(out,
                  "another tool has the calls of MPI in %s: what it passes on past "
                  "others is not seen; run without it",
                  units_counted(source->process_count, "process").data);
      return true;
    }
    if (source->state == RETICLE_WAITS_NOT_BUILT && which-- == 0) {
      text_printf(out,
                  "calls of MPI are not seen: this Reticle was built without the headers of %s",
                  source->name);
      return true;
    }
    if (source->lost && which-- == 0) {
      text_printf(out, "%s: %" PRIu64 " calls found no place in a full table", source->name,
                  source->lost);
      return true;
    }
    if (source->untracked && which-- == 0) {
      text_printf(out, "%s: of %" PRIu64 " requests the peer is not known, as a table was full",
                  source->name, source->untracked);
      return true;
    }
  }
  return false;
}

static void read_waits(const struct measurement *m, struct waits *out) {
  wait_tally_add(&out->tally, &m->input.profile);
  waits_finish(out, m->files);
}

LAZY(waits, struct waits, read_waits, waits_release)
