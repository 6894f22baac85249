// load.c - tells the machine's load from the program's own threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/measurement/load.h"

#include "tools/support/units.h"

#include <math.h>

/// A machine that gives less than that of the wanted time to others is calm: its daemons take some.
#define BUSY_LEAST 0.05
/// Threads that want more than the processors by so much are too many themselves.
#define OWN_LEAST 1.05

struct load load_of(const struct measurement *m) {
  const struct account *a = &m->account;
  double elapsed_ns = m->overview.run_ns.value, cpus = (double)m->input.profile.env.cpu_count;
  const char *why = "what threads waited for a processor isn't known";
  struct load load = {.waited = quantity_none(QUANTITY_UNSUPPORTED, why),
                      .wanted = quantity_none(QUANTITY_UNSUPPORTED, why),
                      .pressure = m->pressure.cpu_ns};
  if (load.pressure.status == QUANTITY_OK && elapsed_ns > 0) {
    double part = fmin(1, load.pressure.value / elapsed_ns);
    load.pressure = quantity_of(part, part, part);
  }
  if (a->runnable_ns.status != QUANTITY_OK || a->user_ns.status != QUANTITY_OK ||
      a->system_ns.status != QUANTITY_OK || !(elapsed_ns > 0))
    return load;
  double wanted_ns = a->user_ns.value + a->system_ns.value + a->runnable_ns.value;
  if (!(wanted_ns > 0))
    return load;
  double waited = a->runnable_ns.value / wanted_ns, wanted = wanted_ns / elapsed_ns;
  load.waited = quantity_of(waited, waited, waited);
  load.wanted = quantity_of(wanted, wanted, wanted);
  load.is_own = cpus > 0 && wanted > OWN_LEAST * cpus;
  load.is_busy = waited >= BUSY_LEAST && !load.is_own && !m->pressure.throttled;
  return load;
}

void load_add(const struct measurement *m, struct text *out) {
  struct load load = load_of(m);
  if (!load.is_busy)
    return;
  text_printf(out,
              "machine busy: others had the processor in %s of the time that this program wanted "
              "one",
              units_share(load.waited.value).data);
  if (load.pressure.status == QUANTITY_OK)
    text_printf(out, " (pressure %s)", units_share(load.pressure.value).data);
  text_add(out, "; that is no finding, and small differences are noise");
}
