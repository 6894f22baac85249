// overview.c - sums times, lives of threads and losses of a profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/overview.h"

/// From this length of a run on, the budget must have been kept: start-up is then little of it.
#define BUDGET_RUN_NS 0.2e9
/// ... up to this factor; the first samples of a loop are taken before its length is known.
#define BUDGET_FACTOR 1.5

static struct quantity exactly(double value) { return quantity_of(value, value, value); }

/// Ticks as nanoseconds; the profile may come from a process that ended before the timer's rate was
/// known.
static struct quantity ticks_as_ns(const struct profile_env *env, uint64_t ticks) {
  if (!env->timer_hz)
    return quantity_none(QUANTITY_UNSUPPORTED, "the timer's rate was not measured");
  return exactly((double)ticks * 1e9 / (double)env->timer_hz);
}

uint64_t overview_run_ticks(const struct profile_env *env) {
  return env->elapsed_ticks > env->stopped_ticks ? env->elapsed_ticks - env->stopped_ticks : 0;
}

uint64_t overview_lives_ticks(const struct profile_env *env) {
  bool has_room = env->thread_ticks < UINT64_MAX && env->thread_stopped_ticks < env->thread_ticks;
  return has_room ? env->thread_ticks - env->thread_stopped_ticks : 0;
}

static struct quantity share_of(struct quantity ns, struct quantity cpu_ns) {
  if (ns.status != QUANTITY_OK)
    return ns;
  return cpu_ns.status == QUANTITY_OK ? exactly(ns.value / cpu_ns.value) : cpu_ns;
}

/// What the runtime took of the CPU time. Profiles of older versions tell of the probes alone.
static void shares(const struct profile_env *env, struct overview *out) {
  struct quantity setup_ns = ticks_as_ns(env, env->setup_ticks),
                  sideline_ns = exactly((double)env->sideline_ns), start_ns;
  start_ns = exactly((double)env->start_ns);
  if (!env->sideline_ns)
    sideline_ns = setup_ns = start_ns = quantity_none(QUANTITY_UNSUPPORTED, "not in the profile");
  out->probe_budget = env->probe_budget_permille / 1000.0;
  out->probe_share = share_of(ticks_as_ns(env, env->probe_ticks), out->cpu_ns);
  out->setup_share = share_of(setup_ns, out->cpu_ns);
  out->sideline_share = share_of(sideline_ns, out->cpu_ns);
  struct quantity start_share = share_of(start_ns, out->cpu_ns);
  double running = out->probe_share.status == QUANTITY_OK ? out->probe_share.value : 0;
  out->runtime_share = out->probe_share.status == QUANTITY_OK ? start_share : out->probe_share;
  if (out->runtime_share.status == QUANTITY_OK) {
    running += out->setup_share.value + out->sideline_share.value;
    out->runtime_share = exactly(running + start_share.value);
  }
  out->over_budget = out->elapsed_ns.status == QUANTITY_OK &&
                     out->elapsed_ns.value > BUDGET_RUN_NS && out->probe_budget > 0 &&
                     running > BUDGET_FACTOR * out->probe_budget;
}

static void times(const struct profile *profile, struct overview *out) {
  const struct profile_env *env = &profile->env;
  out->elapsed_ns = profile_is_epochs_alone(profile)
                        ? quantity_none(QUANTITY_UNSUPPORTED,
                                        "closed epochs alone: times are in the run's own file")
                        : ticks_as_ns(env, env->elapsed_ticks);
  out->stopped_ns = out->run_ns = out->elapsed_ns;
  if (out->elapsed_ns.status == QUANTITY_OK) {
    out->run_ns = ticks_as_ns(env, overview_run_ticks(env));
    out->stopped_ns = env->stop_watch
                          ? ticks_as_ns(env, env->stopped_ticks)
                          : quantity_none(QUANTITY_UNSUPPORTED, "stops were not looked for");
  }
  out->cpu_ns = env->cpu_ns ? exactly((double)env->cpu_ns)
                            : quantity_none(QUANTITY_UNSUPPORTED, "CPU time is not known");
  out->step_ns = env->step_ticks
                     ? ticks_as_ns(env, env->step_ticks)
                     : quantity_none(QUANTITY_UNSUPPORTED, "the timer's step was not measured");
  out->probe_budget = env->probe_budget_permille / 1000.0;
  shares(env, out);
}

static enum overview_gap gap(const struct profile *profile, const struct overview *out) {
  if (out->samples)
    return OVERVIEW_MEASURED;
  if (profile_is_epochs_alone(profile))
    return OVERVIEW_EPOCHS;
  if (!profile->object_count)
    return OVERVIEW_NO_OBJECTS;
  if (!out->loops)
    return OVERVIEW_NO_LOOPS;
  if (!out->loops_probed)
    return OVERVIEW_ALL_LEFT_OUT;
  if (profile->health.full_tables) // nor are loops counted that have no place
    return OVERVIEW_TABLE_FULL;
  // Without timing the runtime leaves the countdowns alone, so not even executions are counted; a
  // run that times reads the cost of an empty pair first (scripted clocks have none).
  if (!out->loops_entered) {
    bool timed = profile->env.pair_ticks || profile->env.timer_flags & RETICLE_TIMER_SCRIPTED;
    return timed ? OVERVIEW_NOT_ENTERED : OVERVIEW_SWITCHED_OFF;
  }
  return OVERVIEW_NO_SAMPLES;
}

struct overview overview_of(const struct profile *profile) {
  struct overview out = {0};
  times(profile, &out);
  for (size_t i = 0; i < profile->object_count; i++) {
    const struct profile_object *object = &profile->objects[i];
    out.functions += object->functions;
    out.functions_probed += object->functions_probed;
    out.loops += object->loops;
    out.loops_probed += object->loops_probed;
    out.loops_short += object->loops_short;
    out.loops_ignored += object->loops_ignored;
    out.loops_unsupported += object->loops_unsupported;
    out.objects_unoptimised += object->opt_level == 0;
  }
  for (size_t i = 0; i < profile->loop_count; i++) {
    if (!(profile->loops[i].flags & RETICLE_LOOP_ITERATION)) {
      out.loops_entered += profile->loops[i].executions > 0;
      out.executions += profile->loops[i].executions;
    }
    out.samples += profile->loops[i].samples;
  }
  out.gap = gap(profile, &out);
  return out;
}
