// finding_pressure.c - findings on the whole program: its page faults, its cgroup's quota.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/study/study_view.h"
#include "tools/support/units.h"

#include <math.h>

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
  if (!(share >= FINDING_LEAST))
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

/// Of the CPU time that the kernel takes, and of its time for each fault: longer ones are not what
/// it mostly does. A fault costs 0.3 to 1 us, in a virtual machine up to 2.
#define FAULT_MOST_NS 3000
#define FAULT_GAIN_NS 2000
/// Samples of the kernel outside of system calls are of interrupts, too: what would be more than
/// this a fault is theirs. 27 us is the most that was seen, on a virtual machine within another.
#define FAULT_SAMPLED_MOST_NS 30000
#define PAGE_BYTES 4096

/// Where most memory is touched first, as samples in the kernel tell.
static void add_fault_place(const struct measurement *m, struct finding *finding) {
  const struct heat *heat = heat_get(m);
  const struct heat_place *most = NULL;
  for (size_t i = 0; i < heat->place_count; i++)
    if (heat->places[i].time.fault_ns > (most ? most->time.fault_ns : 0))
      most = &heat->places[i];
  if (!most)
    return;
  finding->function = most->function;
  finding->file = most->file;
  finding->line = most->line;
  text_add(&finding->name, most->function);
}

double finding_faults_ns(double sampled_ns, double faults) {
  return fmin(sampled_ns, faults * FAULT_SAMPLED_MOST_NS);
}

/// What faults take of the CPU time, at most; NaN: they may be, but what the kernel takes is mostly
/// something else.
static double fault_share(const struct measurement *m, double kernel_ns, double cpu_ns) {
  const struct heat *heat = heat_get(m);
  double faults = (double)m->account.minor_faults;
  if (heat->has_kernel)
    return finding_faults_ns(kernel_ns * heat->all.fault_ns /
                                 (heat->all.fault_ns + heat->all.system_ns),
                             faults) /
           cpu_ns;
  if (kernel_ns > faults * FAULT_MOST_NS)
    return NAN;
  return fmin(kernel_ns, faults * FAULT_GAIN_NS) / cpu_ns;
}

/// Part of the faults that were of memory which the program had had before: more pages than it ever
/// held at once. 0 where the most that it held isn't known, outside of a study.
static double repeated_part(const struct measurement *m) {
  const struct study_view *view = m->input.study ? study_view_get(m) : NULL;
  double runs = fmax(1, (double)m->input.profile.merged_count);
  if (!view || !view->plain || view->plain->peak_bytes.status != QUANTITY_OK)
    return 0;
  double first = runs * view->plain->peak_bytes.value / PAGE_BYTES;
  return fmax(0, 1 - first / (double)m->account.minor_faults);
}

void finding_faults_add(const struct measurement *m, struct findings *findings) {
  const struct account *account = &m->account;
  double faults = account->no_counts ? 0 : (double)account->minor_faults;
  if (!(faults > 0) || account->system_ns.status != QUANTITY_OK ||
      account->user_ns.status != QUANTITY_OK)
    return;
  double kernel_ns = account->system_ns.value, cpu_ns = kernel_ns + account->user_ns.value;
  double share = fault_share(m, kernel_ns, cpu_ns);
  if (kernel_ns < FINDING_KERNEL_LEAST * cpu_ns || !(share >= FINDING_LEAST))
    return;
  struct finding *finding = findings_add(findings, FINDING_FAULTS);
  double least = share * repeated_part(m);
  finding->gain = quantity_of((least + share) / 2, least, share);
  finding->proof = FINDING_ESTIMATE;
  add_fault_place(m, finding);
  text_printf(&finding->text,
              "%s page faults, of at most %s each; the kernel takes %s of the CPU time",
              units_count(faults).data, units_duration(share * cpu_ns / faults).data,
              units_share(kernel_ns / cpu_ns).data);
  if (repeated_part(m) > 0)
    text_printf(&finding->text, "; %s of them are of memory that it had had before",
                units_share(repeated_part(m)).data);
}
