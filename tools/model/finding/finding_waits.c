// finding_waits.c - findings on time that ranks and threads wait for each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_parts.h"
#include "tools/model/rank/waits.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/// Of the time of the processes, or threads; what is less isn't worth a finding.
#define WAITED_LEAST 0.05
/// Of what was waited for ranks: from there on one is named as who was waited for.
#define WHOM_LEAST 0.3

/// The part of all threads' time in which they wait for the lock there; NaN: it is none, or not
/// known.
static double lock_share(const struct measurement *m, const struct waits_row *row) {
  const struct wait_site *site = row->site;
  return site->kind == RETICLE_WAIT_LOCK && m->account.threads_ns.status == QUANTITY_OK
             ? (double)site->time_ns / m->account.threads_ns.value
             : NAN;
}

static struct finding *add(struct findings *findings, enum finding_code code,
                           const struct waits_row *row) {
  struct finding *finding = findings_add(findings, code);
  text_add(&finding->name, row->function);
  finding->function = row->function;
  finding->file = row->file;
  finding->line = row->line;
  snprintf(finding->about, sizeof finding->about, "W%zu", row->number);
  return finding;
}

static void add_lock(struct findings *findings, const struct waits_row *row, double share) {
  const struct wait_site *site = row->site;
  struct finding *finding = add(findings, FINDING_LOCK_WAIT, row);
  finding->share = finding->at_stake = share;
  text_printf(&finding->text, "%s: threads wait there %s times, %s on average and %s at most",
              site->operation, units_count((double)site->calls).data,
              units_duration((double)site->time_ns / (double)site->calls).data,
              units_duration((double)site->longest_ns).data);
}

/// What an even arrival would save at most. NaN: nobody knows.
static double gain_of(const struct waits_row *row) {
  const struct wait_site *site = row->site;
  struct quantity late = waits_row_late(row);
  if (!(site->run_ns > 0))
    return NAN;
  if (late.status == QUANTITY_OK)
    return late.value / site->run_ns;
  // Of OpenMP's barriers: what the thread that waited least waited is no imbalance.
  if (site->kind == RETICLE_WAIT_THREADS && site->process_count == 1)
    return ((double)site->time_ns -
            (double)site->cells[site->least].time_ns * (double)site->cell_count) /
           site->run_ns;
  return NAN;
}

void finding_waits_add(const struct measurement *m, struct findings *findings) {
  const struct waits *waits = waits_get(m);
  for (size_t i = 0; i < waits->row_count; i++) {
    const struct waits_row *row = &waits->rows[i];
    double gain = gain_of(row), lock = lock_share(m, row), share;
    if (lock >= WAITED_LEAST)
      add_lock(findings, row, lock);
    if (!(gain >= WAITED_LEAST))
      continue;
    uint32_t whom = waits_whom(row, &share);
    bool is_thread = row->site->kind == RETICLE_WAIT_THREADS;
    struct finding *finding = add(findings, FINDING_PARALLEL_WAITS, row);
    finding->gain = quantity_of(gain, 0, gain);
    finding->proof = FINDING_ESTIMATE;
    text_printf(&finding->text, "%s waits for the last to come", row->site->operation);
    if (whom != RETICLE_WAIT_NOBODY && is_thread)
      text_printf(&finding->text, ": thread %" PRIu32 " waits least there", whom);
    else if (whom != RETICLE_WAIT_NOBODY && share >= WHOM_LEAST)
      text_printf(&finding->text, ": %.0f %% of it for rank %" PRIu32, 100 * share, whom);
  }
}
