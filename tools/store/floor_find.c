// floor_find.c - takes the floor from profile, cache or a new measurement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/floor_find.h"

#include "include/reticle/abi.h"
#include "tools/machine/floor_measure.h"
#include "tools/machine/machine.h"
#include "tools/store/floor_cache.h"

#include <string.h>

const char *floor_source_name(enum floor_source source) {
  switch (source) {
  case FLOOR_NONE:
    return "none";
  case FLOOR_PROFILE:
    return "profile";
  case FLOOR_CACHE:
    return "cache";
  case FLOOR_MEASURED:
    return "measured";
  }
  return "unknown";
}

static void floor_missing(const char *reason, struct timing_floor *out) {
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, reason);
  *out = (struct timing_floor){.t_e_ns = none, .t_min_ns = none, .t_diff_ns = none};
}

/// Measures this machine's floor, in about half a second, and stores it.
static enum floor_source measure(const struct machine *machine, struct timing_floor *out,
                                 struct notes *notes) {
  floor_measure(out);
  const struct quantity *missing = out->t_e_ns.status != QUANTITY_OK     ? &out->t_e_ns
                                   : out->t_min_ns.status != QUANTITY_OK ? &out->t_min_ns
                                                                         : &out->t_diff_ns;
  if (missing->status != QUANTITY_OK) {
    notes_add(notes, "floor_unknown",
              "timing floor not reached (%s): stop other load on this machine and ask again",
              missing->reason);
    return out->t_min_ns.status == QUANTITY_OK || out->t_diff_ns.status == QUANTITY_OK
               ? FLOOR_MEASURED
               : FLOOR_NONE;
  }
  int failed = floor_cache_write(machine, out, "measured_by=report\n");
  if (failed)
    notes_add(notes, "floor_not_stored",
              "the timing floor could not be stored (%s), so each report measures it: make "
              "~/.cache writable, or set XDG_CACHE_HOME",
              strerror(failed));
  return FLOOR_MEASURED;
}

enum floor_source floor_find(const struct profile_env *env, struct timing_floor *out,
                             struct notes *notes) {
  floor_from_env(env, out);
  if (out->t_min_ns.status == QUANTITY_OK && out->t_diff_ns.status == QUANTITY_OK)
    return FLOOR_PROFILE;
  if (env->timer_flags & RETICLE_TIMER_SCRIPTED) {
    floor_missing("the clock is scripted", out);
    return FLOOR_NONE;
  }
  struct machine machine;
  machine_read(&machine);
  if (!machine_matches(&machine, env)) {
    floor_missing("measured on another machine", out);
    notes_add(notes, "floor_unknown",
              "timing floor unknown: the profile is of another machine (%s); run 'reticle report' "
              "there once, then the program again",
              *env->cpu_model ? env->cpu_model : "unknown CPU");
    return FLOOR_NONE;
  }
  if (floor_cache_read(&machine, out))
    return FLOOR_CACHE;
  return measure(&machine, out, notes);
}
