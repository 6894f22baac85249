// trial.c - finds the trial of a struct, judges whether it is still of this program; its gain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/trial.h"

#include <math.h>
#include <string.h>

#define MILLION 1e6

static uint64_t add_number(uint64_t sum, uint64_t number) {
  return reticle_checksum_add(sum, &number, sizeof number);
}

uint64_t trial_definition(const struct struct_use *use) {
  uint64_t sum = add_number(RETICLE_CHECKSUM_START, use->record->size_bytes);
  for (size_t i = 0; i < use->field_count; i++) {
    const struct profile_member *m = use->fields[i].member;
    sum = reticle_checksum_add(sum, m->name, strlen(m->name) + 1);
    sum = add_number(sum, (uint64_t)m->offset_bytes << 32 | m->size_bytes);
    sum = add_number(sum, (uint64_t)m->bit_offset << 32 | m->bit_size);
  }
  sum = reticle_checksum_end(sum, use->field_count);
  return sum ? sum : 1;
}

static bool is_executable(const struct profile *profile, const struct profile_module *module) {
  return module->instrumented && strcmp(module->path, profile->env.executable) == 0;
}

const char *trial_build_id(const struct profile *profile) {
  for (size_t i = 0; i < profile->module_count; i++)
    if (is_executable(profile, &profile->modules[i]))
      return profile->modules[i].build_id;
  return "";
}

static const struct profile_trial *find(const struct profile *profile, const char *name,
                                        bool is_replay, const char *change) {
  const struct profile_trial *found = NULL;
  for (size_t i = 0; i < profile->trial_count; i++)
    if ((profile->trials[i].proof == RETICLE_TRIAL_REPLAYED) == is_replay &&
        strcmp(profile->trials[i].name, name) == 0 &&
        (!change || strcmp(profile->trials[i].change, change) == 0) &&
        (!found || profile->trials[i].time_s >= found->time_s))
      found = &profile->trials[i];
  return found;
}

const struct profile_trial *trial_find(const struct profile *profile, const char *name) {
  return find(profile, name, false, NULL);
}

const struct profile_trial *trial_replay_find(const struct profile *profile, const char *name,
                                              const char *change) {
  return find(profile, name, true, change);
}

const struct profile_trialloop *trial_loop_find(const struct profile *profile,
                                                const struct profile_trial *trial, uint64_t loop) {
  for (size_t i = 0; i < profile->trialloop_count; i++) {
    const struct profile_trialloop *l = &profile->trialloops[i];
    if (l->loop == loop && l->time_s == trial->time_s && l->layout == trial->layout &&
        strcmp(l->name, trial->name) == 0)
      return l;
  }
  return NULL;
}

enum trial_state trial_judge(const struct profile_trial *trial, const struct profile *profile,
                             const struct struct_use *use) {
  bool known = false;
  if (trial->definition && trial->definition != trial_definition(use))
    return TRIAL_OTHER_STRUCT;
  for (size_t i = 0; i < profile->module_count; i++) { // merged profiles may be of several builds
    const struct profile_module *module = &profile->modules[i];
    if (!is_executable(profile, module) || !*module->build_id)
      continue;
    known = true;
    if (strcmp(module->build_id, trial->build_id) == 0 ||
        strcmp(module->build_id, trial->profile_build_id) == 0)
      return TRIAL_CURRENT;
  }
  known = known && (*trial->build_id || *trial->profile_build_id);
  return known ? TRIAL_OTHER_BUILD : TRIAL_UNSURE;
}

static struct quantity ratio(uint64_t value, uint64_t low, uint64_t high) {
  if (!value || !low || high < low) // a damaged file
    return quantity_none(QUANTITY_UNSUPPORTED, "the profile has no ratio for it");
  return quantity_of((double)value / MILLION, (double)low / MILLION, (double)high / MILLION);
}

struct quantity trial_gain(const struct profile_trial *trial) {
  return ratio(trial->gain, trial->gain_low, trial->gain_high);
}

struct quantity trial_loop_gain(const struct profile_trialloop *loop) {
  return ratio(loop->gain, loop->gain_low, loop->gain_high);
}

uint64_t trial_millionths(double value) {
  return value > 0 && value < 1e9 ? (uint64_t)llround(value * MILLION) : 0;
}

const char *trial_verdict_name(uint32_t verdict) {
  static const char *const names[] = {"unknown", "gain", "worse", "no_measurable_gain"};
  return names[verdict <= RETICLE_TRIAL_NONE ? verdict : 0];
}

const char *trial_state_name(enum trial_state state) {
  switch (state) {
  case TRIAL_CURRENT:
    return "current";
  case TRIAL_OTHER_STRUCT:
    return "other_struct";
  case TRIAL_OTHER_BUILD:
    return "other_build";
  case TRIAL_UNSURE:
    return "unsure";
  }
  return "unknown";
}
