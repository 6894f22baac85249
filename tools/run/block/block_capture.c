// block_capture.c - stops the program at each block and reads registers and pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_capture.h"

#include "tools/run/block/block_tracee.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <stdlib.h>

struct capture {
  struct block_site *sites; ///< [count]
  size_t *jobs;             ///< [count] which job each is
  size_t count;
  uint64_t hit;
  void (*measure)(size_t job, const struct harness_state *state, void *context);
  void *context;
};

static bool arrived(size_t site, const struct harness_state *state, void *context) {
  const struct capture *capture = context;
  if (capture->sites[site].hits < capture->hit)
    return false;
  capture->measure(capture->jobs[site], state, capture->context);
  return true;
}

static void refuse(const struct block_site *site, struct block_job *job) {
  struct text problem = {0};
  if (!site->is_loaded)
    text_printf(&problem, "the command did not load %s", site->module);
  else if (!site->hits)
    text_add(&problem, "the command did not come to it");
  else
    text_printf(&problem, "the command came to it %s only; --hit %llu takes the last",
                units_counted(site->hits, "time").data, (unsigned long long)site->hits);
  block_job_refuse(job, HARNESS_NOT_REACHED, text_get(&problem));
  text_release(&problem);
}

bool block_capture(char *const *command, uint64_t hit, struct block_jobs *jobs, size_t first,
                   void (*measure)(size_t job, const struct harness_state *state, void *context),
                   void *context, struct problems *problems) {
  struct capture capture = {.hit = hit, .measure = measure, .context = context};
  capture.sites = memory_zeroed(jobs->count + 1, sizeof(*capture.sites));
  capture.jobs = memory_zeroed(jobs->count + 1, sizeof(*capture.jobs));
  for (size_t i = first; i < jobs->count; i++) {
    const struct block_job *job = &jobs->items[i];
    if (job->problem || !job->module)
      continue;
    capture.sites[capture.count] =
        (struct block_site){.module = job->module, .address = job->address};
    capture.jobs[capture.count++] = i;
  }
  bool good = !block_tracee_run(command, capture.sites, capture.count, arrived, &capture, problems);
  for (size_t i = 0; i < capture.count && good; i++)
    if (!capture.sites[i].is_done)
      refuse(&capture.sites[i], &jobs->items[capture.jobs[i]]);
  free(capture.sites);
  free(capture.jobs);
  return good;
}
