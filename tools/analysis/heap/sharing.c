// sharing.c - judges each cache line by the words that its threads read and wrote.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/heap/sharing.h"

#include "tools/analysis/stats/sample_share.h"
#include "tools/support/memory.h"

#include <stdlib.h>

static uint64_t sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b; // a file may say anything
}

static struct quantity met_of(uint64_t hits, uint64_t looks) {
  if (looks < SHARING_LOOKS_MIN)
    return quantity_none(QUANTITY_TOO_FEW, "fewer than 10 looks behind a sample");
  return sample_share(hits < looks ? hits : looks, looks, looks);
}

static enum sharing_verdict judge(const struct sharing_line *line) {
  const struct profile_sharedline *r = line->record;
  if (r->apart >= line->intervals - r->apart)
    return SHARING_FALSE;
  return r->common >= line->intervals - r->common ? SHARING_TRUE : SHARING_MIXED;
}

static double meetings(const struct sharing_line *line) {
  return line->met.status == QUANTITY_OK ? line->met.value * (double)line->record->lines : 0;
}

static int compare(const void *left, const void *right) {
  const struct sharing_line *a = left, *b = right;
  if (a->is_seldom != b->is_seldom)
    return a->is_seldom ? 1 : -1;
  if (a->verdict != b->verdict)
    return a->verdict < b->verdict ? -1 : 1;
  if (meetings(a) != meetings(b))
    return meetings(a) > meetings(b) ? -1 : 1;
  if (a->intervals != b->intervals)
    return a->intervals > b->intervals ? -1 : 1;
  if (a->record->site != b->record->site)
    return a->record->site < b->record->site ? -1 : 1;
  return (a->record->offset > b->record->offset) - (a->record->offset < b->record->offset);
}

static void add_totals(const struct profile *profile, struct sharing *out) {
  uint64_t looks = 0, look_ns = 0;
  for (size_t i = 0; i < profile->shadow_count; i++) {
    const struct profile_shadow *shadow = &profile->shadow[i];
    out->measured |= shadow->detail != 0;
    out->threads = shadow->threads > out->threads ? shadow->threads : out->threads;
    out->lines_lost = sum(out->lines_lost, shadow->lines_lost);
    looks = sum(looks, shadow->looks);
    look_ns = sum(look_ns, shadow->look_ns);
  }
  double mean = looks ? (double)look_ns / (double)looks : 0;
  out->look = looks ? quantity_of(mean, mean, mean)
                    : quantity_none(QUANTITY_TOO_FEW, "no line was looked at behind a sample");
  for (size_t i = 0; i < profile->shadowunit_count; i++)
    if (profile->shadowunits[i].flags & RETICLE_SHADOW_UNIT_DETAIL)
      out->told++;
    else
      out->untold++;
}

enum { WORD_BYTES = 4 };

/// Bytes of the object that threads touched in the line.
static void add_extent(const struct profile_sharedline *r, struct sharing_group *group) {
  uint32_t words = r->own & (r->read | r->written);
  uint64_t start = r->offset - WORD_BYTES * (uint64_t)r->first;
  if (!words)
    words = r->own;
  uint64_t low = start + WORD_BYTES * (uint64_t)__builtin_ctz(words);
  uint64_t high = start + WORD_BYTES * (uint64_t)(32 - __builtin_clz(words));
  group->low = group->lines && group->low < low ? group->low : low;
  group->high = group->lines && group->high > high ? group->high : high;
}

static void add_groups(struct sharing *out) {
  for (size_t i = 0; i < out->count; i++) {
    const struct sharing_line *line = &out->lines[i];
    size_t k = 0;
    while (k < out->group_count && (out->groups[k].line->record->site != line->record->site ||
                                    out->groups[k].line->verdict != line->verdict))
      k++;
    struct sharing_group *group = &out->groups[k];
    if (k == out->group_count) {
      *group = (struct sharing_group){.line = line};
      out->group_count++;
    }
    add_extent(line->record, group);
    group->lines = sum(group->lines, line->record->lines);
    group->intervals = sum(group->intervals, line->intervals);
  }
  for (size_t k = 0; k < out->group_count; k++) {
    struct sharing_group *group = &out->groups[k];
    uint64_t hits = 0, looks = 0;
    for (size_t i = 0; i < out->count; i++)
      if (out->lines[i].record->site == group->line->record->site &&
          out->lines[i].verdict == group->line->verdict) {
        hits = sum(hits, out->lines[i].record->hits);
        looks = sum(looks, out->lines[i].record->looks);
      }
    group->met = met_of(hits, looks);
    group->is_seldom = group->met.status == QUANTITY_OK && !hits;
  }
}

void sharing_make(const struct profile *profile, struct sharing *out) {
  *out = (struct sharing){0};
  out->lines = memory_zeroed(profile->sharedline_count + 1, sizeof *out->lines);
  out->groups = memory_zeroed(profile->sharedline_count + 1, sizeof *out->groups);
  for (size_t i = 0; i < profile->sharedline_count; i++) {
    const struct profile_sharedline *r = &profile->sharedlines[i];
    struct sharing_line line = {.record = r,
                                .intervals = sum(sum(r->apart, r->mixed), r->common),
                                .met = met_of(r->hits, r->looks)};
    if (!line.intervals || !(r->own & UINT16_MAX))
      continue;
    line.verdict = judge(&line);
    line.is_seldom = line.met.status == QUANTITY_OK && !r->hits;
    out->lines[out->count++] = line;
  }
  qsort(out->lines, out->count, sizeof *out->lines, compare);
  add_groups(out);
  add_totals(profile, out);
}

void sharing_release(struct sharing *sharing) {
  free(sharing->lines);
  free(sharing->groups);
  *sharing = (struct sharing){0};
}

const char *sharing_verdict_name(enum sharing_verdict verdict) {
  switch (verdict) {
  case SHARING_FALSE:
    return "false sharing";
  case SHARING_MIXED:
    return "mixed";
  case SHARING_TRUE:
    return "true sharing";
  }
  return "unknown";
}

unsigned sharing_threads(const struct profile_sharedline *line, unsigned word) {
  uint64_t eight = word < 8 ? line->threads_low : line->threads_high;
  return (unsigned)(eight >> 8 * (word % 8)) & UINT8_MAX;
}
