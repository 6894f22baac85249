// finding_sites.c - findings on allocation sites: false sharing, wasted bytes of cache lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/model/heap/site_type.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/model/remedy/remedy.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdio.h>

/// What a first cache holds isn't fetched again and again.
#define PEAK_LEAST_BYTES (48 * 1024)
/// A site is named if it uses less than so much of what it fetches, and wastes at least so much of
/// all that is wasted.
#define USEFUL_MOST 0.5
#define WASTE_LEAST 0.2

/// Elements and objects up to so long can lie in arrays, and their parts in several.
#define ELEMENT_MOST_BYTES SITE_STRIDE_BYTES
/// What an allocator rounds by: objects of one size may differ by as much.
#define ROUNDED_BYTES 16

static struct finding *add(const struct measurement *m, size_t rank, enum finding_code code,
                           struct findings *findings) {
  const struct site_use *use = &m->sites.sites[rank - 1];
  struct finding *finding = findings_add(findings, code);
  snprintf(finding->about, sizeof(finding->about), "A%zu", rank);
  site_add_name(m, use, &finding->name);
  if (use->record->kind == RETICLE_SITE_GLOBAL) {
    finding->file = use->record->file;
    finding->line = use->record->line;
  } else if (use->frame_count) {
    struct site_caller *callers;
    size_t count = site_callers(&m->site_names, use, &callers);
    if (count) { // the file's name lives as long as the profile's programs
      size_t own = site_own_caller(callers, count);
      finding->file = callers[own].file;
      finding->line = callers[own].line;
    }
    site_callers_free(callers, count);
  }
  return finding;
}

/// The loop that takes most of the CPU time with objects of the site: what their lines cost it is
/// at most that. 0: none is known.
static double share_with(const struct measurement *m, size_t rank) {
  double most = 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    enum finding_base base;
    double share = finding_loop_share(m, &m->loops[i], &base);
    if (base != FINDING_OF_CPU || !(share >= FINDING_LEAST) || share <= most)
      continue;
    const struct loop_sites *sites = loop_sites_get(m, &m->loops[i]);
    for (size_t k = 0; sites->samples && k < sites->count; k++)
      if (sites->sites[k].rank == rank)
        most =
            fmax(most, share * fmin(1, (double)sites->sites[k].samples / (double)sites->samples));
  }
  return most;
}

static void add_sharing(const struct measurement *m, const struct sharing_group *group,
                        struct findings *findings) {
  size_t rank = site_rank(&m->sites, group->line->record->site);
  if (!rank || group->line->verdict != SHARING_FALSE || group->is_seldom)
    return;
  struct finding *finding = add(m, rank, FINDING_FALSE_SHARING, findings);
  finding->at_stake = share_with(m, rank);
  text_printf(
      &finding->text,
      "threads use different words of the cache lines at bytes %llu to %llu, and write some, in %s "
      "intervals between samples",
      (unsigned long long)group->low, (unsigned long long)group->high - 1,
      units_exact(group->intervals).data);
  finding->is_possible = group->met.status != QUANTITY_OK; // they may not have been there at once
  if (!finding->is_possible)
    text_printf(&finding->text, "; %s of the looks behind a sample found several again",
                units_share(group->met.value).data);
}

/// Whether the objects are small and of one size, or arrays of structs that are: else there is no
/// element that could be smaller, nor parts that could have arrays of their own.
static bool has_elements(const struct measurement *m, const struct site_use *use) {
  const struct profile_site *site = use->record;
  if (use->stride_bytes)
    return true;
  const struct site_type type = site_type_find(m, use);
  if (type.status == SITE_TYPE_KNOWN && type.is_array)
    return type.structure && type.size_bytes <= ELEMENT_MOST_BYTES; // a number has no parts
  return site->kind == RETICLE_SITE_HEAP && site->objects > 1 &&
         site->max_bytes <= ELEMENT_MOST_BYTES && site->max_bytes - site->min_bytes < ROUNDED_BYTES;
}

static void add_lengths(const struct profile_site *site, struct text *out) {
  if (site->objects == 1)
    text_printf(out, "; one object of %s", units_bytes((double)site->max_bytes).data);
  else if (site->min_bytes == site->max_bytes)
    text_printf(out, "; its objects have %s", units_bytes((double)site->max_bytes).data);
  else
    text_printf(out, "; its objects have %s to %s", units_bytes((double)site->min_bytes).data,
                units_bytes((double)site->max_bytes).data);
}

static void add_waste(const struct measurement *m, size_t rank, double all,
                      struct findings *findings) {
  const struct site_use *use = &m->sites.sites[rank - 1];
  if (use->useful_share.status != QUANTITY_OK || use->wasted_bytes.status != QUANTITY_OK ||
      use->record->peak_bytes < PEAK_LEAST_BYTES || use->useful_share.value >= USEFUL_MOST ||
      use->wasted_bytes.value < WASTE_LEAST * all)
    return;
  struct finding *finding = add(m, rank, FINDING_HEAP_WASTE, findings);
  finding->is_possible = true; // whether anything waits for those lines isn't known
  text_printf(
      &finding->text, "%s of the bytes of fetched cache lines are used; of all waste %s is here",
      units_share(use->useful_share.value).data, units_share(use->wasted_bytes.value / all).data);
  if (use->stride_bytes)
    text_printf(&finding->text, "; %u of each %u bytes are touched, again and again",
                use->stride_used_bytes, use->stride_bytes);
  if (has_elements(m, use))
    return;
  add_lengths(use->record, &finding->text);
  text_clear(&finding->change);
  text_add(&finding->change, remedy_words(REMEDY_READ_LESS));
}

void finding_sites_add(const struct measurement *m, struct findings *findings) {
  double all = 0;
  if (*site_gap(m))
    return;
  for (size_t i = 0; m->sharing.measured && i < m->sharing.group_count; i++)
    add_sharing(m, &m->sharing.groups[i], findings);
  for (size_t i = 0; i < m->sites.count; i++)
    if (m->sites.sites[i].wasted_bytes.status == QUANTITY_OK)
      all += m->sites.sites[i].wasted_bytes.value;
  for (size_t i = 0; all > 0 && i < m->sites.count; i++)
    add_waste(m, i + 1, all, findings);
}
