// finding_pressure.c - findings on what was kept from the whole program: its cgroup's quota.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding_parts.h"
#include "tools/support/units.h"

#include <math.h>

/// Of the time that the threads lived; what is less isn't worth a finding.
#define LEAST 0.01

/// The kernel says for how long processors were withheld from the cgroup, whatever program of it
/// wanted them, so the gain is at most that, and at most what the threads waited for a processor.
void finding_pressure_add(const struct measurement *m, struct findings *findings) {
  const struct pressure *pressure = &m->pressure;
  const struct account *account = &m->account;
  if (!pressure->throttled || account->threads_ns.status != QUANTITY_OK ||
      account->runnable_ns.status != QUANTITY_OK || !(account->threads_ns.value > 0))
    return;
  double lost_ns = fmin(pressure->throttled_ns.value, account->runnable_ns.value);
  double share = lost_ns / account->threads_ns.value;
  if (!(share >= LEAST))
    return;
  struct finding *finding = findings_add(findings, FINDING_QUOTA);
  finding->gain = quantity_of(share, 0, share);
  finding->proof = FINDING_ESTIMATE;
  text_printf(&finding->text, "the quota of the cgroup");
  if (pressure->quota.status == QUANTITY_OK)
    text_printf(&finding->text, ", %.3g CPUs,", pressure->quota.value);
  text_printf(&finding->text, " was used up in %s periods, and processors were withheld for %s",
              units_count((double)pressure->throttled).data,
              units_duration(pressure->throttled_ns.value).data);
}
