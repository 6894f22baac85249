// site_use.c - works out used and wasted bytes of each allocation site, with their errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/heap/site_use.h"

#include "tools/analysis/run/overview.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

static struct quantity exactly(double value) { return quantity_of(value, value, value); }

static struct quantity share_of(const struct site_uses *uses, uint64_t used, uint64_t fetched) {
  if (!fetched)
    return quantity_none(QUANTITY_UNSUPPORTED,
                         !uses->in_bursts ? "no word of it was touched by marked code"
                         : uses->bursts   ? "no word of it was touched in a burst"
                                          : "no burst took place");
  return exactly((double)used / (double)fetched);
}

/// Nothing is known of a run that ended before its first burst.
static struct quantity waste_of_bytes(const struct site_uses *uses, uint64_t wasted) {
  if (uses->in_bursts && !uses->bursts && !wasted)
    return quantity_none(QUANTITY_TOO_FEW, "no burst took place");
  return exactly((double)wasted);
}

static struct quantity lifetime_of(const struct profile_site *site, uint64_t timer_hz) {
  if (site->kind == RETICLE_SITE_GLOBAL)
    return quantity_none(QUANTITY_UNSUPPORTED, "a global variable lives as long as its module");
  if (!timer_hz || !site->objects)
    return quantity_none(QUANTITY_UNSUPPORTED, "the rate of the timer isn't known");
  double ticks = site->lifetime_ticks < UINT64_MAX ? (double)site->lifetime_ticks
                                                   : (double)site->lifetime_high * 0x1p32;
  return exactly(ticks / (double)site->objects * 1e9 / (double)timer_hz);
}

// One of each `every` in a row, at a random place: no more than if each had been drawn by itself.
double site_objects_error(double objects, uint32_t every) {
  return STATISTICS_Z95 * sqrt(objects * (every - 1.0));
}

static double error_of(const struct profile_site *site, uint32_t every) {
  bool has_small = site->kind == RETICLE_SITE_HEAP && site->min_bytes < RETICLE_DRAW_BYTES;
  return has_small ? site_objects_error((double)site->objects, every) : 0;
}

/// The records of a site lie in a row, ascending by site. from: where the search starts; moves on.
#define FIND_ROW(records, total, id, from, count)                                                  \
  do {                                                                                             \
    while (*(from) < (total) && (records)[*(from)].site < (id))                                    \
      ++*(from);                                                                                   \
    *(count) = 0;                                                                                  \
    while (*(from) + *(count) < (total) && (records)[*(from) + *(count)].site == (id))             \
      ++*(count);                                                                                  \
  } while (0)

static int compare_ids(const void *left, const void *right) {
  const struct site_use *a = left, *b = right;
  return (a->record->id > b->record->id) - (a->record->id < b->record->id);
}

/// 0 where it isn't known.
static double waste_of(const struct site_use *use) {
  return use->wasted_bytes.status == QUANTITY_OK ? use->wasted_bytes.value : 0;
}

/// Most waste first; then what takes most memory.
static int compare_waste(const void *left, const void *right) {
  const struct site_use *a = left, *b = right;
  if (waste_of(a) != waste_of(b))
    return waste_of(a) > waste_of(b) ? -1 : 1;
  if (a->record->peak_bytes != b->record->peak_bytes)
    return a->record->peak_bytes > b->record->peak_bytes ? -1 : 1;
  return compare_ids(left, right);
}

enum { STRIDE_WORDS = SITE_STRIDE_BYTES / 4, PERIODS_MIN = 4 };

static bool repeats(const bool *touched, uint32_t period) {
  for (uint32_t i = 0; i + period < STRIDE_WORDS; i++)
    if (touched[i] != touched[i + period])
      return false;
  return true;
}

/// The shortest period of touched words, at least four times to be seen, with at most half of them.
static void find_stride(struct site_use *use) {
  bool touched[STRIDE_WORDS] = {false};
  if (use->record->min_bytes < SITE_STRIDE_BYTES || !use->word_count)
    return;
  for (size_t i = 0; i < use->word_count; i++)
    if (use->words[i].word < STRIDE_WORDS)
      touched[use->words[i].word] = true;
  for (uint32_t period = 2; period <= STRIDE_WORDS / PERIODS_MIN; period++) {
    uint32_t used = 0;
    if (!repeats(touched, period))
      continue;
    for (uint32_t i = 0; i < period; i++)
      used += touched[i];
    if (used && 2 * used <= period) {
      use->stride_bytes = 4 * period;
      use->stride_used_bytes = 4 * used;
    }
    return;
  }
}

enum { WORD_BYTES = 4 };

static struct quantity unread_of(const struct profile *profile, const struct site_use *use) {
  uint64_t words = 0, told = 0;
  bool detail = false;
  for (size_t i = 0; i < profile->shadow_count; i++)
    detail |= profile->shadow[i].detail != 0;
  for (size_t i = 0; i < use->word_count; i++) {
    words += use->words[i].writes && !use->words[i].reads;
    told += use->words[i].writes || use->words[i].reads;
  }
  if (!detail)
    return quantity_none(QUANTITY_UNSUPPORTED, "compile with -fplugin-arg-reticle-shadow=detail");
  return told ? exactly((double)(WORD_BYTES * words))
              : quantity_none(QUANTITY_UNSUPPORTED, "no code that tells touched it");
}

static void add_rows(const struct profile *profile, struct site_uses *out) {
  size_t frame = 0, word = 0;
  qsort(out->sites, out->count, sizeof *out->sites, compare_ids);
  for (size_t i = 0; i < out->count; i++) {
    struct site_use *use = &out->sites[i];
    FIND_ROW(profile->siteframes, profile->siteframe_count, use->record->id, &frame,
             &use->frame_count);
    FIND_ROW(profile->sitewords, profile->siteword_count, use->record->id, &word, &use->word_count);
    use->frames = use->frame_count ? profile->siteframes + frame : NULL;
    use->words = use->word_count ? profile->sitewords + word : NULL;
    find_stride(use);
    use->unread_bytes = unread_of(profile, use);
  }
}

/// Of the time that the program ran; NaN if not known.
static double share_of_time(const struct profile *profile, uint64_t ns) {
  const struct profile_env *env = &profile->env;
  uint64_t ticks = overview_run_ticks(env);
  return env->timer_hz && ticks ? (double)ns * (double)env->timer_hz / 1e9 / (double)ticks : NAN;
}

static void add_bursts(const struct profile *profile, struct site_uses *out) {
  uint64_t ns = 0;
  for (size_t i = 0; i < profile->shadow_count; i++) {
    const struct profile_shadow *shadow = &profile->shadow[i];
    if (shadow->state != RETICLE_SHADOW_ON || !shadow->duty || shadow->duty >= RETICLE_DUTY_FULL)
      continue;
    double duty = (double)shadow->duty / RETICLE_DUTY_FULL;
    out->duty = out->in_bursts && out->duty < duty ? out->duty : duty;
    out->in_bursts = true;
    out->bursts += shadow->bursts;
    ns += shadow->burst_ns;
  }
  out->burst_share = out->in_bursts ? share_of_time(profile, ns) : NAN;
  out->burst_ns = out->bursts ? (double)ns / (double)out->bursts : NAN;
}

static void add_every(const struct profile *profile, struct site_uses *out) {
  out->every = 1;
  for (size_t i = 0; i < profile->shadow_count; i++)
    if (profile->shadow[i].every > out->every)
      out->every = profile->shadow[i].every;
}

static void add_totals(const struct profile *profile, struct site_uses *out) {
  uint64_t scan_ns = 0;
  for (size_t i = 0; i < profile->shadow_count; i++) {
    out->samples += profile->shadow[i].samples;
    scan_ns += profile->shadow[i].scan_ns;
  }
  out->scan_share = share_of_time(profile, scan_ns);
  for (size_t i = 0; i < profile->shadowunit_count; i++) {
    const struct profile_shadowunit *unit = &profile->shadowunits[i];
    out->code_marked += unit->marked;
    out->code_all += (uint64_t)unit->marked + unit->unmarked;
    out->code_straddling += unit->straddling;
    if (unit->copied)
      out->code_copied += unit->copied - 1;
    else if (out->in_bursts)
      out->code_unfit += unit->marked;
  }
}

void site_uses_make(const struct profile *profile, struct site_uses *out) {
  *out = (struct site_uses){.marked = profile->shadow_count > 0};
  add_bursts(profile, out);
  add_every(profile, out);
  out->sites = memory_zeroed(profile->site_count + 1, sizeof *out->sites);
  for (size_t i = 0; i < profile->site_count; i++) {
    const struct profile_site *site = &profile->sites[i];
    // A file may say anything.
    uint64_t used = site->used_bytes < site->fetched_bytes ? site->used_bytes : site->fetched_bytes;
    uint64_t ever = site->ever_used_bytes < site->ever_fetched_bytes ? site->ever_used_bytes
                                                                     : site->ever_fetched_bytes;
    out->sites[out->count++] =
        (struct site_use){.record = site,
                          .useful_share = share_of(out, used, site->fetched_bytes),
                          .ever_share = share_of(out, ever, site->ever_fetched_bytes),
                          .wasted_bytes = waste_of_bytes(out, site->fetched_bytes - used),
                          .lifetime_ns = lifetime_of(site, profile->env.timer_hz),
                          .objects_error = error_of(site, out->every)};
  }
  add_rows(profile, out);
  qsort(out->sites, out->count, sizeof *out->sites, compare_waste);
  add_totals(profile, out);
}

void site_uses_release(struct site_uses *uses) {
  free(uses->sites);
  *uses = (struct site_uses){0};
}
