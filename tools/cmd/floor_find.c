// floor_find.c - the timing floor that a profile is judged by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/floor_find.h"

#include "include/reticle/abi.h"
#include "runtime/harness/floor.h"
#include "tools/cmd/floor_cache.h"
#include "tools/cmd/machine.h"
#include "tools/ui/messages.h"

#include <string.h>
#include <time.h>

const char *floor_source_name(enum floor_source source) {
  static const char *const names[] = {"none", "profile", "cache", "measured"};
  return names[source];
}

static void floor_missing(const char *reason, struct timing_floor *out) {
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, reason);
  *out = (struct timing_floor){.t_e_ns = none, .t_min_ns = none, .t_diff_ns = none};
}

/// Works the floor out from the timings. Returns 0 or RETICLE_E_MEMORY.
static int evaluate(const struct harness_floor *timings, struct timing_floor *out) {
  struct floor_point points[HARNESS_FLOOR_POINTS];
  struct floor_step steps[HARNESS_FLOOR_STEPS];
  for (size_t i = 0; i < HARNESS_FLOOR_POINTS; i++)
    points[i] = (struct floor_point){.true_ns = timings->point_ns[i],
                                     .ns = timings->points +
                                           i * HARNESS_FLOOR_REPEATS * HARNESS_FLOOR_SAMPLES,
                                     .repeats = HARNESS_FLOOR_REPEATS,
                                     .samples = HARNESS_FLOOR_SAMPLES};
  for (size_t i = 0; i < HARNESS_FLOOR_STEPS; i++) {
    size_t at = i * HARNESS_FLOOR_PAIRS * HARNESS_FLOOR_SAMPLES;
    steps[i] = (struct floor_step){.delta_ns = timings->delta_ns[i],
                                   .first = timings->first + at,
                                   .second = timings->second + at,
                                   .pairs = HARNESS_FLOOR_PAIRS,
                                   .samples = HARNESS_FLOOR_SAMPLES};
  }
  int failed = floor_t_e(timings->empty, HARNESS_FLOOR_EMPTY, timings->step_ns, &out->t_e_ns);
  if (failed || out->t_e_ns.status != QUANTITY_OK)
    return failed;
  failed = floor_t_min(points, HARNESS_FLOOR_POINTS, out->t_e_ns.value, timings->step_ns,
                       &out->t_min_ns);
  return failed ? failed
                : floor_t_diff(steps, HARNESS_FLOOR_STEPS, timings->step_ns, &out->t_diff_ns);
}

/// Measures this machine's floor, in about half a second, and stores it.
static enum floor_source measure(const struct machine *machine, struct timing_floor *out,
                                 struct notes *notes) {
  struct harness_floor timings;
  floor_missing("the timer doesn't advance evenly", out);
  if (harness_floor_measure(&timings) == 0) {
    out->time_s = (uint64_t)time(NULL);
    if (evaluate(&timings, out) != 0)
      message_out_of_memory();
    harness_floor_release(&timings);
  }
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
  int failed = floor_cache_write(machine, out);
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
