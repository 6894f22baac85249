// try_keep.c - makes records of a trial's result and writes them into the profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/try_keep.h"
#include "tools/analysis/struct/struct_use.h"
#include "tools/analysis/struct/trial.h"
#include "tools/store/kept_profile.h"

#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint32_t verdict_of(enum paired_verdict verdict) {
  return verdict == PAIRED_GAIN    ? RETICLE_TRIAL_GAIN
         : verdict == PAIRED_WORSE ? RETICLE_TRIAL_WORSE
                                   : RETICLE_TRIAL_NONE;
}

static uint64_t nanoseconds(double seconds) { return (uint64_t)llround(seconds * 1e9); }

static void set_times(const struct try_result *r, struct profile_trial *trial) {
  const struct try_side *a = r->written, *b = r->changed;
  bool wall = a->has_threads || b->has_threads;
  trial->clock = wall ? RETICLE_TRIAL_WALL : RETICLE_TRIAL_CPU;
  trial->written_ns = nanoseconds(try_side_median(a, try_side_times(a, b)));
  trial->changed_ns = nanoseconds(try_side_median(b, try_side_times(b, a)));
  trial->pairs = (uint32_t)a->count;
}

static struct profile_trialloop loop_of(const struct profile_trial *trial,
                                        const struct diff_loop *loop) {
  double change = loop->mean.change,
         half = loop->mean.half_width; // logarithms of changed / written
  return (struct profile_trialloop){.time_s = trial->time_s,
                                    .name = trial->name,
                                    .layout = trial->layout,
                                    .loop = loop->a.loop->id,
                                    .gain = trial_millionths(exp(-change)),
                                    .gain_low = trial_millionths(exp(-change - half)),
                                    .gain_high = trial_millionths(exp(-change + half))};
}

static bool is_same(const char *name, uint32_t layout, const struct profile_trial *trial) {
  return layout == trial->layout && strcmp(name, trial->name) == 0;
}

/// Fields named of an order.
#define NAMED 8

/// What of a layout file tells people which layout it is: "order a, b, c ...".
static void describe(const char *layout, struct text *out) {
  size_t fields = 0;
  unsigned align = 0;
  text_add(out, "order");
  for (const char *line = layout; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    if (strncmp(line, "align ", 6) == 0)
      align = (unsigned)strtoul(line + 6, NULL, 10);
    if (strncmp(line, "field ", 6) != 0)
      continue;
    const char *end = line + strcspn(line, "\n"), *name = end;
    while (name > line && name[-1] != ' ')
      name--;
    if (fields++ < NAMED)
      text_printf(out, "%s%.*s", fields > 1 ? ", " : " ", (int)(end - name), name);
  }
  if (fields > NAMED)
    text_printf(out, " and %zu more", fields - NAMED);
  if (align)
    text_printf(out, ", aligned to %u bytes", align);
}

/// Puts the trial and its loops into the profile, whose arrays are then `trials` and `loops`.
static void put(struct profile *profile, const struct profile_trial *trial,
                const struct comparison *comparison, struct profile_trial *trials,
                struct profile_trialloop *loops) {
  size_t count = 0, loop_count = 0;
  for (size_t i = 0; i < profile->trial_count; i++)
    if (!is_same(profile->trials[i].name, profile->trials[i].layout, trial))
      trials[count++] = profile->trials[i];
  trials[count++] = *trial;
  for (size_t i = 0; i < profile->trialloop_count; i++)
    if (!is_same(profile->trialloops[i].name, profile->trialloops[i].layout, trial))
      loops[loop_count++] = profile->trialloops[i];
  for (size_t i = 0; comparison && i < comparison->diff.count; i++) {
    const struct diff_loop *loop = &comparison->diff.loops[i];
    if (loop->verdict == DIFF_FASTER || loop->verdict == DIFF_SLOWER)
      loops[loop_count++] = loop_of(trial, loop);
  }
  profile->trials = trials;
  profile->trial_count = count;
  profile->trialloops = loops;
  profile->trialloop_count = loop_count;
}

static bool write_into(const char *path, const struct comparison *comparison,
                       struct profile_trial *trial, struct problems *problems) {
  struct kept_profile into;
  if (!kept_profile_open(path, &into, problems)) {
    kept_profile_close(&into);
    return false;
  }
  struct profile *profile = &into.profile;
  size_t most = profile->trialloop_count + (comparison ? comparison->diff.count : 0);
  struct profile_trial *trials = memory_zeroed(profile->trial_count + 1, sizeof *trials);
  struct profile_trialloop *loops = memory_zeroed(most + 1, sizeof *loops);
  trial->profile_build_id = trial_build_id(profile);
  put(profile, trial, comparison, trials, loops);
  bool fine = kept_profile_write(&into);
  free(trials);
  free(loops);
  kept_profile_close(&into);
  return fine;
}

/// The struct's definition in the profiles; 0: they don't have it.
static uint64_t definition_in(const struct profile *profile, const char *name) {
  struct struct_uses uses;
  uint64_t definition = 0;
  struct_uses_make(profile, &uses);
  for (size_t i = 0; !definition && i < uses.count; i++)
    if (strcmp(uses.structs[i].record->name, name) == 0)
      definition = trial_definition(&uses.structs[i]);
  struct_uses_release(&uses);
  return definition;
}

void try_keep(const struct try_result *r, char *const *paths, size_t count,
              struct problems *problems) {
  struct input input = {0};
  struct notes notes = {0};
  struct profile written = {0};
  struct text change = {0};
  if (!count && !input_newest_exists()) {
    problem_note(problems,
                 "try: the result is not kept: there is no reticle.*.prof in this directory, and "
                 "none was named");
    return;
  }
  if (input_read(paths, count, &input, &notes, problems) == PROBLEM_NONE) {
    struct profile_trial trial = {.time_s = (uint64_t)time(NULL),
                                  .name = r->structure,
                                  .definition = definition_in(&input.profile, r->structure),
                                  .build_id = "",
                                  .executable = "",
                                  .gain = trial_millionths(r->paired->gain.value),
                                  .gain_low = trial_millionths(r->paired->gain.low),
                                  .gain_high = trial_millionths(r->paired->gain.high),
                                  .tells = trial_millionths(r->paired->detectable),
                                  .verdict = verdict_of(r->paired->verdict),
                                  .layout = r->changed->hash};
    describe(r->layout, &change);
    trial.change = text_get(&change);
    set_times(r, &trial);
    // The last one has its functions where the compiler puts them.
    size_t runs = r->written->count;
    if (runs && profile_read(r->written->profiles[runs - 1], &written, NULL) == 0) {
      trial.build_id = trial_build_id(&written);
      trial.executable = written.env.executable;
    }
    if (!trial.definition)
      problem_note(problems, "try: the result is not kept: %s has no accesses to struct %s",
                   input.paths[0], r->structure);
    else if (write_into(input.paths[0], r->comparison, &trial, problems))
      problem_note(problems, "try: kept in %s: reticle show %s", input.paths[0], r->structure);
  }
  profile_release(&written);
  text_release(&change);
  input_release(&input);
  notes_release(&notes);
}

void replay_keep(const struct replay_result *r, const struct measurement *m,
                 const struct struct_use *use, struct problems *problems) {
  if (r->speedup.status != QUANTITY_OK) // nothing to be told from it
    return;
  uint64_t hash = reticle_checksum_add(RETICLE_CHECKSUM_START, r->change, strlen(r->change));
  struct profile_trial trial = {.time_s = (uint64_t)time(NULL),
                                .name = r->structure,
                                .change = r->change,
                                .definition = trial_definition(use),
                                .build_id = trial_build_id(&m->input.profile),
                                .executable = m->input.profile.env.executable,
                                .gain = trial_millionths(r->speedup.value),
                                .gain_low = trial_millionths(r->speedup.low),
                                .gain_high = trial_millionths(r->speedup.high),
                                .tells = trial_millionths(r->memory.detectable),
                                .written_ns = nanoseconds(r->written_ns * (double)r->visits * 1e-9),
                                .changed_ns = nanoseconds(r->changed_ns * (double)r->visits * 1e-9),
                                .pairs = (uint32_t)r->pairs,
                                .clock = RETICLE_TRIAL_CPU,
                                .verdict = verdict_of(r->verdict),
                                .proof = RETICLE_TRIAL_REPLAYED,
                                .layout = (uint32_t)(hash ^ hash >> 32) | 1};
  if (write_into(m->input.paths[0], NULL, &trial, problems))
    problem_note(problems, "try: kept in %s: reticle layout %s", m->input.paths[0], r->structure);
}
